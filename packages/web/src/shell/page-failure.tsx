import { CallError } from 'errand/client/answer';
import { reasonOf } from '../api/client.ts';
import { ErrorFrame } from '../ui/error-frame.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';

interface PageFailureProps {
  /** As “The inbox could not be loaded”. */
  readonly what: string;
  readonly error: Error;
  readonly retrying: boolean;
  readonly onRetry: () => unknown;
}

const FORBIDDEN = 403;

/** Why a page has nothing to show: it failed, or the reader may not see it. */
export function PageFailure({ what, error, retrying, onRetry }: PageFailureProps) {
  const failure = error instanceof CallError ? error.failure : undefined;
  if (failure?.code === 'project_not_granted') {
    return (
      <NotAllowed title="You may not see this page">
        There is no such project, or you are no member of it. An admin of the workspace can add you in its settings.
      </NotAllowed>
    );
  }
  if (error instanceof CallError && error.status === FORBIDDEN) {
    return (
      <NotAllowed title="You may not see this page">{`${reasonOf(error)} An admin of the workspace can grant it.`}</NotAllowed>
    );
  }
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
