import { CallError } from 'errand/client/answer';
import { reasonOf } from '../api/client.ts';
import { ErrorFrame } from '../ui/error-frame.tsx';

interface BoardFailureProps {
  readonly error: Error;
  readonly retrying: boolean;
  readonly onRetry: () => unknown;
}

/** Why there is no board to see. */
export function BoardFailure({ error, retrying, onRetry }: BoardFailureProps) {
  const failure = error instanceof CallError ? error.failure : undefined;
  return (
    <ErrorFrame
      what="The board could not be loaded"
      why={reasonOf(error)}
      code={failure?.code}
      requestId={failure?.correlation_id}
      retrying={retrying}
      onRetry={() => void onRetry()}
    />
  );
}
