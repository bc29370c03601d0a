import type { Card, Column } from '../api/board.ts';
import { taskLook } from '../text/words.ts';
import { Icon } from '../ui/icon.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { groupsOf } from './groups.ts';
import { SlimCard } from './slim-card.tsx';
import { TaskCard } from './task-card.tsx';

interface BoardColumnProps {
  readonly column: Column;
  /** On a phone one column is shown at a time. */
  readonly isHere: boolean;
  readonly openKey: string | undefined;
  readonly onOpen: (card: Card) => void;
  readonly onMore: (status: string) => void;
}

/** One state of the project with its tasks. */
export function BoardColumn({ column, isHere, openKey, onOpen, onMore }: BoardColumnProps) {
  const left = column.count - column.cards.length;
  const isDone = column.group === 'completed';
  return (
    <section className={isHere ? 'col here' : 'col'} aria-label={column.name} data-testid={`column-${column.status}`}>
      <header className="col-head">
        <StatusIcon of="task" status={taskLook({ group: column.group, state: column.name })} />
        <h2>{column.name}</h2>
        <span className="num">{column.count}</span>
        <span className="grow" />
      </header>
      <div className="col-body">
        {groupsOf(column, pageClock.now()).map(({ name, cards }) => (
          <div className="col-group" key={name}>
            {name === null ? null : (
              <h3 className="group">
                {name} <span>{cards.length}</span>
              </h3>
            )}
            {isDone ? (
              <div className="stack">
                {cards.map((card) => (
                  <SlimCard key={card.task_id} card={card} onOpen={onOpen} />
                ))}
              </div>
            ) : (
              cards.map((card) => (
                <TaskCard key={card.task_id} card={card} open={card.key === openKey} onOpen={onOpen} />
              ))
            )}
          </div>
        ))}
        {column.next_cursor === undefined ? null : (
          <button className="add" type="button" onClick={() => onMore(column.status)}>
            <Icon name="down" />
            Show {left} more
          </button>
        )}
      </div>
    </section>
  );
}
