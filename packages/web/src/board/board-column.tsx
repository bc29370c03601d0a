import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Card, Column } from '../api/board.ts';
import { count as inFigures, taskLook } from '../text/words.ts';
import { classes } from '../ui/classes.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { ColumnBody } from './column-body.tsx';
import { type ColumnItem, firstOf, isLong, itemsOf } from './column-items.ts';
import { ColumnMenu } from './column-menu.tsx';
import { useDropColumn } from './drag.ts';
import { dropIndex, type Spot } from './drop-place.ts';
import { QuickAdd } from './quick-add.tsx';
import { SlimCard } from './slim-card.tsx';
import { TaskCard } from './task-card.tsx';

interface BoardColumnProps {
  readonly projectId: string;
  readonly column: Column;
  /** On a phone one column is shown at a time. */
  readonly isHere: boolean;
  /** The column that the address names: it comes into view. */
  readonly isNamed?: boolean;
  readonly openKey: string | undefined;
  readonly selected: ReadonlySet<string>;
  /** Whether tasks may be added and moved. */
  readonly canWrite: boolean;
  readonly onOpen: (card: Card) => void;
  readonly onMore: (status: string) => void;
  /** Undefined where there is no room for a menu, as in a chat. */
  readonly onFold?: (status: string) => void;
  readonly onDrop: (card: Card, status: string, at: number) => void;
}

/**
 * One state of the project with its tasks: its count, “Show more” at the end, and the line to add a task, not where
 * tasks are over. Of completed tasks the newest are shown at first.
 */
export const BoardColumn = memo(function BoardColumn(props: BoardColumnProps) {
  const {
    projectId,
    column,
    isHere,
    isNamed = false,
    openKey,
    selected,
    canWrite,
    onOpen,
    onMore,
    onFold,
    onDrop,
  } = props;
  const { status, name, group, count, cards, next_cursor } = column;
  const section = useRef<HTMLElement>(null);
  // A state, not a ref: the cards in view are found when the element is there, which is after they are first drawn.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [isWhole, setWhole] = useState(false);
  const most = isWhole ? cards.length : firstOf(column);
  const isCut = most < cards.length;
  const items = useMemo(() => itemsOf(column, pageClock.now(), most), [column, most]);
  const drop = useCallback(
    (card: Card, spot: Spot) => onDrop(card, status, dropIndex(spot, cards, card)),
    [onDrop, status, cards],
  );
  const canAdd = canWrite && group !== 'completed' && group !== 'cancelled';
  // How often the head asked for the line to add tasks, and what for: each time it opens anew.
  const [asked, setAsked] = useState<{ readonly times: number; readonly what?: 'title' | 'list' }>({ times: 0 });
  const ask = (what: 'title' | 'list') => setAsked(({ times }) => ({ times: times + 1, what }));
  useEffect(() => {
    if (isNamed) section.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isNamed]);
  const isOver = useDropColumn(section, drop);
  const hasMore = next_cursor !== undefined;
  const end = useCallback(() => {
    if (hasMore) onMore(status);
  }, [hasMore, onMore, status]);

  function draw(item: ColumnItem) {
    switch (item.kind) {
      case 'head':
        return (
          <h3 className="group">
            {item.name} <span>{inFigures(item.count)}</span>
          </h3>
        );
      case 'row':
        return (
          <div className={classes('stack', !item.isFirst && 'from-above', !item.isLast && 'goes-on')}>
            <SlimCard card={item.card} onOpen={onOpen} />
          </div>
        );
      case 'stack':
        return (
          <div className="stack">
            {item.cards.map((card) => (
              <SlimCard key={card.task_id} card={card} onOpen={onOpen} />
            ))}
          </div>
        );
      default:
        return (
          <TaskCard
            card={item.card}
            open={openKey !== undefined && item.card.key === openKey}
            selected={selected.has(item.card.task_id)}
            onOpen={onOpen}
          />
        );
    }
  }

  return (
    <section
      ref={section}
      className={classes('col', isHere && 'here', isOver && 'over')}
      aria-label={name}
      data-testid={`column-${status}`}
    >
      <header className="col-head">
        <StatusIcon of="task" status={taskLook({ group, state: name })} />
        <h2>{name}</h2>
        <span className="num">{inFigures(count)}</span>
        <span className="grow" />
        {canAdd ? <IconButton icon="plus" label={`Add a task to ${name}`} onClick={() => ask('title')} /> : null}
        {onFold === undefined ? null : (
          <ColumnMenu
            status={status}
            name={name}
            onFold={() => onFold(status)}
            onPaste={canAdd ? () => ask('list') : undefined}
            line={() => section.current?.querySelector<HTMLElement>('.quick-add input') ?? null}
          />
        )}
      </header>
      <div className="col-body" ref={setScroller}>
        <ColumnBody items={items} isLong={!isCut && isLong(column)} scroller={scroller} draw={draw} onEnd={end} />
        {isCut || hasMore ? (
          <button className="add" type="button" onClick={() => (isCut ? setWhole(true) : onMore(status))}>
            <Icon name="down" />
            Show {inFigures(count - most)} more
          </button>
        ) : null}
        {canAdd ? (
          <QuickAdd key={asked.times} projectId={projectId} status={status} column={name} opened={asked.what} />
        ) : null}
      </div>
    </section>
  );
});
