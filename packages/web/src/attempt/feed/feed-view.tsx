import { useVirtualizer } from '@tanstack/react-virtual';
import type { FeedEntry } from 'errand/client';
import { type UIEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { entryKey, type RunPrompt, type Senders } from '../../api/attempt-feed.ts';
import type { Attempt } from '../../api/attempts.ts';
import { exactSpan } from '../../text/time.ts';
import { Chip } from '../../ui/chip.tsx';
import type { IconName } from '../../ui/icons.ts';
import { NewPill } from '../../ui/new-pill.tsx';
import { messageIn } from './entry-text.ts';
import { type FeedItem, type Folds, itemsOf } from './feed-items.ts';
import { FeedNav } from './feed-nav.tsx';
import { FeedRow } from './feed-row.tsx';
import { PromptRow } from './prompt-row.tsx';
import { shownWithCall } from './results.ts';
import { TurnHead } from './turn-head.tsx';
import { countsOf, FILTERS, type Filter, type Turn, turnsOf } from './turns.ts';
import { useAnswers } from './use-answers.ts';
import { useResults } from './use-results.ts';
import './feed.css';

const CHIPS: Readonly<Record<Filter, { readonly word: string; readonly icon?: IconName }>> = {
  all: { word: 'All' },
  messages: { word: 'Messages', icon: 'message' },
  tools: { word: 'Tools', icon: 'tool' },
  commands: { word: 'Commands', icon: 'command' },
  edits: { word: 'Edits', icon: 'edit' },
  questions: { word: 'Questions', icon: 'hand' },
};

const HEIGHTS: Readonly<Record<FeedItem['kind'], number>> = { turn: 48, prompt: 72, entry: 32, gap: 28 };
/** So near to the end counts as at the end. */
const NEAR_PX = 48;

export interface FeedViewProps {
  readonly attempt: Attempt;
  readonly entries: readonly FeedEntry[];
  /** What the runs were given that begin among these entries. */
  readonly prompts: readonly RunPrompt[];
  readonly senders: Senders;
  /** Reads older entries; null when there are none, or while they are read. */
  readonly onOlder: (() => void) | null;
  readonly isWhole: boolean;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/**
 * The feed of an attempt, folded by turn: filtered by kind. It follows new entries only while its end is in view; older
 * ones come when a person scrolls up.
 */
export function FeedView(props: FeedViewProps) {
  const { attempt, entries, prompts, senders, onOlder, isWhole, filter, onFilter } = props;
  const [folds, setFolds] = useState<Folds>({ chosen: new Map(), all: false });
  const [isAtEnd, setAtEnd] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  const turns = useMemo(() => turnsOf(entries, prompts), [entries, prompts]);
  const counts = useMemo(() => countsOf(entries), [entries]);
  const results = useResults(attempt, entries);
  const answers = useAnswers(attempt.task.task_id, entries);
  const items = useMemo(
    () => itemsOf(turns, filter, { ...folds, hidden: shownWithCall(results) }),
    [turns, filter, folds, results],
  );

  // New entries are followed while the end is in view; older ones, put before, leave what is read where it is.
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => HEIGHTS[items[at]?.kind ?? 'entry'],
    getItemKey: (at) => items[at]?.key ?? at,
    overscan: 10,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_PX,
  });
  const shown = list.getVirtualItems();
  const unread = new Set(attempt.messages.map(({ text }) => text));

  const isEmpty = items.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there is something; and again for another filter.
  useLayoutEffect(() => {
    if (!isEmpty) list.scrollToEnd();
  }, [isEmpty, filter]);

  const isAtTop = !isAtEnd && shown[0]?.index === 0;
  const isShort = list.getTotalSize() < (scroller.current?.clientHeight ?? 0);
  useEffect(() => {
    if ((isAtTop || isShort) && onOlder !== null) onOlder();
  }, [isAtTop, isShort, onOlder]);

  // By the element: the list learns of an event after this, and would say where it was before it.
  const noteScroll = ({ currentTarget: { scrollHeight, clientHeight, scrollTop } }: UIEvent<HTMLElement>) =>
    setAtEnd(scrollHeight - clientHeight - scrollTop <= NEAR_PX);

  const toggle = (turn: Turn, isOpen: boolean) =>
    setFolds(({ chosen, all }) => ({ all, chosen: new Map(chosen).set(turn.id, !isOpen) }));

  function go(turn: Turn): void {
    const at = items.findIndex(({ key }) => key === turn.id);
    if (at >= 0) list.scrollToIndex(at, { align: 'start' });
  }

  const top = items.slice(0, (shown[0]?.index ?? 0) + 1).findLast(({ kind }) => kind === 'turn')?.key ?? null;
  return (
    <div className="feedpage">
      <div className="feed-main">
        <div className="feed-bar">
          {FILTERS.map((each) => (
            <Chip
              key={each}
              className={each === filter ? 'here' : undefined}
              aria-pressed={each === filter}
              icon={CHIPS[each].icon}
              count={counts[each]}
              onClick={() => onFilter(each)}
            >
              {CHIPS[each].word}
            </Chip>
          ))}
          <span className="grow" />
          <Chip icon="fold" onClick={() => setFolds({ chosen: new Map(), all: !folds.all })}>
            {folds.all ? 'Unfold' : 'Fold all'}
          </Chip>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus, so that keys scroll it. */}
        <div className="feed-scroll" ref={scroller} onScroll={noteScroll} tabIndex={0} role="log" aria-label="Feed">
          <div className="feed" style={{ height: list.getTotalSize() }}>
            {shown.map(({ index, start, key }) => {
              const item = items[index];
              return item === undefined ? null : (
                <div
                  key={key}
                  ref={list.measureElement}
                  data-index={index}
                  className="feed-item"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {item.kind === 'gap' ? (
                    <p className="gapline">
                      <span>
                        {item.isWait ? 'waited for you' : 'quiet for'} {exactSpan(item.ms)}
                      </span>
                    </p>
                  ) : item.kind === 'turn' ? (
                    <TurnHead
                      turn={item.turn}
                      number={isWhole ? item.at + 1 : null}
                      isOpen={item.isOpen}
                      onToggle={() => toggle(item.turn, item.isOpen)}
                    />
                  ) : item.kind === 'prompt' ? (
                    <PromptRow prompt={item.prompt} />
                  ) : (
                    <FeedRow
                      entry={item.entry}
                      isLast={item.isLast}
                      result={results.get(entryKey(item.entry))}
                      answer={answers.get(entryKey(item.entry))}
                      by={senders.get(entryKey(item.entry))}
                      isUnread={unread.has(messageIn(item.entry)?.text ?? '')}
                    />
                  )}
                </div>
              );
            })}
          </div>
        </div>
        {isAtEnd || attempt.run?.status !== 'running' ? null : (
          <NewPill down onClick={() => list.scrollToEnd()}>
            Follow the newest
          </NewPill>
        )}
      </div>
      <FeedNav
        turns={turns}
        current={isAtEnd ? (turns.at(-1)?.id ?? null) : top}
        usage={attempt.run?.usage ?? null}
        onGo={go}
      />
    </div>
  );
}
