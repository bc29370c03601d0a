import { classes } from '../ui/classes.ts';
import { Skeleton, SkeletonCard } from '../ui/skeleton.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';

const COLUMNS = [
  ['Todo', 'todo'],
  ['In progress', 'progress'],
  ['Review', 'review'],
  ['Done', 'done'],
] as const;

/** The board before it has come, in its own layout. */
export function BoardSkeleton() {
  return (
    <Skeleton label="Board">
      <div className="bar" />
      <div className="board">
        {COLUMNS.map(([name, status]) => (
          // On a phone one column is shown at a time.
          <section className={classes('col', status === 'progress' && 'here')} key={name}>
            <header className="col-head">
              <StatusIcon of="task" status={status} />
              <h2>{name}</h2>
            </header>
            <div className="col-body">
              <SkeletonCard steps={name === 'In progress'} />
              <SkeletonCard lines={['72%', '40%']} />
            </div>
          </section>
        ))}
      </div>
    </Skeleton>
  );
}
