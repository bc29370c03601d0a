import { CallError } from 'errand/client/answer';
import { reasonOf } from '../api/client.ts';
import { ErrorFrame } from '../ui/error-frame.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { Block, Skeleton } from '../ui/skeleton.tsx';

interface TaskFailureProps {
  readonly error: unknown;
  readonly retrying: boolean;
  readonly onRetry: () => unknown;
}

/**
 * Why the task cannot be shown, where it would be: there is none, it needs the scope board:read, or it could not be
 * loaded.
 */
export function TaskFailure({ error, retrying, onRetry }: TaskFailureProps) {
  const failure = error instanceof CallError ? error.failure : null;
  if (error instanceof CallError && error.status === 403) {
    return (
      <NotAllowed title="You may not read this task">
        It needs the scope board:read in its project. An admin of the project can grant it.
      </NotAllowed>
    );
  }
  return (
    <ErrorFrame
      what={
        error instanceof CallError && error.status === 404 ? 'There is no such task' : 'The task could not be loaded'
      }
      why={reasonOf(error)}
      code={failure?.code}
      requestId={failure?.correlation_id}
      retrying={retrying}
      onRetry={() => void onRetry()}
    />
  );
}

const LINES = ['92%', '78%', '84%', '40%'];

/** The task before it has come, in its own layout. */
export function TaskSkeleton() {
  return (
    <Skeleton label="Task">
      <div className="sk-lines">
        <Block width="62%" height={28} />
        <Block width="88%" height={26} />
        {LINES.map((width) => (
          <Block key={width} width={width} height={14} />
        ))}
      </div>
    </Skeleton>
  );
}
