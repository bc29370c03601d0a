import { useState } from 'react';
import type { SeenTask } from '../api/task.ts';
import { LazyMarkdown } from '../text/lazy-markdown.tsx';
import { Checklist, ChecklistRow } from '../ui/checklist-row.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { AddLine } from './add-line.tsx';
import { AddText } from './add-text.tsx';
import { blocksOf, type Checker, type TextBlock, withCriterion, withoutCriterion, withText } from './blocks.ts';
import type { Edits } from './edits.ts';
import { WordsEditor } from './words-editor.tsx';
import './task-block.css';

const MAX_CRITERION = 500;
const MAX_TEXT = 10_000;

interface BlockListProps {
  readonly seen: SeenTask;
  readonly edits: Edits | null;
}

/** The acceptance criteria and the other texts of a task. */
export function BlockList({ seen, edits }: BlockListProps) {
  const blocks = blocksOf(seen);
  const hasChecker = blocks.some(({ type }) => type === 'checker');
  return (
    <>
      {blocks.map((block) =>
        block.type === 'checker' ? (
          <CheckerBlock key={block.id} block={block} seen={seen} edits={edits} />
        ) : (
          <WordsBlock key={block.id} block={block} seen={seen} edits={edits} />
        ),
      )}
      {hasChecker || edits === null ? null : (
        <section className="block">
          <h2>Acceptance criteria</h2>
          <AddLine
            label="Add a criterion"
            max={MAX_CRITERION}
            onAdd={(text) => edits.setBlocks(withCriterion(blocks, null, text))}
          />
        </section>
      )}
      {edits === null ? null : <AddText onAdd={(heading, text) => edits.setBlocks(withText(blocks, heading, text))} />}
    </>
  );
}

function CheckerBlock({ block, seen, edits }: BlockListProps & { readonly block: Checker }) {
  const blocks = blocksOf(seen);
  const done = block.items.filter(({ checked }) => checked).length;
  return (
    <section className="block">
      <h2>
        {block.title ?? 'Acceptance criteria'}{' '}
        <span className="num">
          {done} of {block.items.length}
        </span>
      </h2>
      <Checklist>
        {block.items.map(({ id, text, checked }) => (
          <ChecklistRow
            key={id}
            checked={checked}
            text={text}
            onChange={edits === null ? undefined : (next) => edits.tick(id, next)}
          >
            {edits === null ? undefined : (
              <IconButton
                icon="x"
                size="tiny"
                label={`Remove: ${text}`}
                onClick={() => edits.setBlocks(withoutCriterion(blocks, id))}
              />
            )}
          </ChecklistRow>
        ))}
      </Checklist>
      {edits === null ? null : (
        <AddLine
          label="Add a criterion"
          max={MAX_CRITERION}
          onAdd={(text) => edits.setBlocks(withCriterion(blocks, block.id, text))}
        />
      )}
    </section>
  );
}

function WordsBlock({ block, seen, edits }: BlockListProps & { readonly block: TextBlock }) {
  const [isOpen, setOpen] = useState(false);
  const blocks = blocksOf(seen);
  return (
    <section className="block">
      {block.title === undefined ? null : <h2>{block.title}</h2>}
      {edits !== null && isOpen ? (
        <WordsEditor
          label={block.title ?? 'Text'}
          text={block.text}
          max={MAX_TEXT}
          onSave={(text) =>
            edits.setBlocks(
              text === ''
                ? blocks.filter(({ id }) => id !== block.id)
                : blocks.map((each) => (each.id === block.id ? { ...block, text } : each)),
            )
          }
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
                onClick={() => edits.setBlocks(blocks.filter(({ id }) => id !== block.id))}
              />
            </>
          )}
        </div>
      )}
    </section>
  );
}
