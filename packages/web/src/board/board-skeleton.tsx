import { Skeleton, SkeletonCard } from '../ui/skeleton.tsx';

const COLUMNS = ['Todo', 'In progress', 'Review', 'Done'];

/** The board before it has come, in its own layout. */
export function BoardSkeleton() {
  return (
    <Skeleton label="Loading the board">
      <div className="board">
        {COLUMNS.map((name) => (
          <section className="col" key={name}>
            <header className="col-head">
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
