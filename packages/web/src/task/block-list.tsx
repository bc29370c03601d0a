import { useState } from 'react';
import type { SeenTask } from '../api/task.ts';
import { LazyMarkdown } from '../text/lazy-markdown.tsx';
import { clock, day, exact } from '../text/time.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Checklist, ChecklistRow } from '../ui/checklist-row.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { useClock } from '../ui/use-clock.ts';
import { AddLine } from './add-line.tsx';
import {
  blocksOf,
  type Checker,
  type TextBlock,
  withCriterion,
  withoutBlock,
  withoutCriterion,
  withWords,
} from './blocks.ts';
import type { Edits } from './edits.ts';
import { WordsEditor } from './words-editor.tsx';
import './task-block.css';
import '../ui/block.css';

const MAX_CRITERION = 500;
const MAX_TEXT = 10_000;

const NO_CRITERIA: Checker = { id: '', type: 'checker', items: [] };

interface BlockListProps {
  readonly seen: SeenTask;
  readonly edits: Edits | null;
}

interface BlockProps<T> {
  readonly block: T;
  readonly edits: Edits | null;
}

/** The acceptance criteria and the other texts of a task: ticked, added, changed and removed. */
export function BlockList({ seen, edits }: BlockListProps) {
  const blocks = blocksOf(seen);
  const checker = blocks.find(({ type }) => type === 'checker');
  const shown = checker === undefined && edits !== null ? [...blocks, NO_CRITERIA] : blocks;
  return (
    <>
      {shown.map((block) =>
        block.type === 'checker' ? (
          // One key from the first criterion on: its line stays open for the next one.
          <CheckerBlock
            key={block === (checker ?? NO_CRITERIA) ? 'first' : block.id}
            block={block}
            edits={edits}
            ticks={seen.task.ticks ?? NO_TICKS}
          />
        ) : (
          <WordsBlock key={block.id} block={block} edits={edits} />
        ),
      )}
    </>
  );
}

type Ticks = NonNullable<SeenTask['task']['ticks']>;

const NO_TICKS: Ticks = [];

interface CheckerProps extends BlockProps<Checker> {
  readonly ticks: Ticks;
}

/** Who ticked a criterion, and when. */
function TickedBy({ by, at }: Ticks[number]) {
  const when = useClock((now) => {
    const date = day(at, now);
    return date === 'Today' ? clock(at) : date;
  });
  return (
    <>
      <span className="sr">ticked{by === null ? '' : ` by ${by.name}`}</span>
      {by === null ? null : by.kind === 'agent' ? (
        <AgentTile id={by.id} name={by.name} size={16} silent />
      ) : (
        <PersonDot name={by.name} size={16} silent />
      )}
      <time className="num" dateTime={at} title={exact(at)}>
        {when}
      </time>
    </>
  );
}

function CheckerBlock({ block, edits, ticks }: CheckerProps) {
  const [isAdding, setAdding] = useState(false);
  const done = block.items.filter(({ checked }) => checked).length;
  return (
    <section className="block">
      <h2>
        {block.title ?? 'Acceptance criteria'}{' '}
        {block.items.length === 0 ? null : (
          <span className="num">
            {done} of {block.items.length}
          </span>
        )}
        {edits === null || block.items.length === 0 || isAdding ? null : (
          <IconButton icon="plus" size="tiny" label="Add a criterion" onClick={() => setAdding(true)} />
        )}
      </h2>
      <Checklist>
        {block.items.map(({ id, text, checked }) => (
          <ChecklistRow
            key={id}
            checked={checked}
            text={text}
            onChange={edits === null ? undefined : (next) => edits.tick(id, next)}
          >
            {checked ? ticks.filter(({ item }) => item === id).map((tick) => <TickedBy key={id} {...tick} />) : null}
            {edits === null ? null : (
              <IconButton
                icon="x"
                size="tiny"
                label={`Remove: ${text}`}
                onClick={() => edits.changeBlocks(withoutCriterion(id))}
              />
            )}
          </ChecklistRow>
        ))}
      </Checklist>
      {edits === null || (block.items.length > 0 && !isAdding) ? null : (
        <AddLine
          label="Add a criterion"
          max={MAX_CRITERION}
          open={isAdding}
          onOpen={() => setAdding(true)}
          onClose={() => setAdding(false)}
          onAdd={(text) => edits.changeBlocks(withCriterion(block.id, text))}
        />
      )}
    </section>
  );
}

function WordsBlock({ block, edits }: BlockProps<TextBlock>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="block">
      {block.title === undefined ? null : <h2>{block.title}</h2>}
      {edits !== null && isOpen ? (
        <WordsEditor
          label={block.title ?? 'Text'}
          text={block.text}
          max={MAX_TEXT}
          onSave={(text) => edits.changeBlocks(text === '' ? withoutBlock(block.id) : withWords(block.id, text))}
          onClose={() => setOpen(false)}
        />
      ) : (
        <div className="editable">
          <LazyMarkdown source={block.text} />
          {edits === null ? null : (
            <>
              <IconButton icon="edit" label={`Change ${block.title ?? 'this text'}`} onClick={() => setOpen(true)} />
              <IconButton
                icon="x"
                label={`Remove ${block.title ?? 'this text'}`}
                onClick={() => edits.changeBlocks(withoutBlock(block.id))}
              />
            </>
          )}
        </div>
      )}
    </section>
  );
}
