import { CallError } from 'errand/client/answer';
import { reasonOf } from '../api/client.ts';
import { ErrorFrame } from '../ui/error-frame.tsx';

interface BoardFailureProps {
  /** What failed, as “The board could not be loaded”. */
  readonly what?: string;
  readonly error: Error;
  readonly retrying: boolean;
  readonly onRetry: () => unknown;
}

/** Why there is no board to see. */
export function BoardFailure({ what = 'The board could not be loaded', error, retrying, onRetry }: BoardFailureProps) {
  const failure = error instanceof CallError ? error.failure : undefined;
  return (
    <ErrorFrame
      what={what}
      why={reasonOf(error)}
      code={failure?.code}
      requestId={failure?.correlation_id}
      retrying={retrying}
      onRetry={() => void onRetry()}
    />
  );
}
