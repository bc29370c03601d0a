import { CallError } from 'errand/client/answer';
import { reasonOf } from '../api/client.ts';
import { ErrorFrame } from '../ui/error-frame.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { memberCommand } from './member-command.ts';

interface PageFailureProps {
  /** As “The inbox could not be loaded”. */
  readonly what: string;
  readonly error: Error;
  /** The key of the project that the address names. */
  readonly project?: string | undefined;
  /** The name of the person who reads. */
  readonly reader?: string | undefined;
  readonly retrying: boolean;
  readonly onRetry: () => unknown;
}

const FORBIDDEN = 403;

/**
 * Why a page has nothing to show: it could not be loaded, with code and request id, or the reader may not see it, with
 * the command that an admin runs.
 */
export function PageFailure({ what, error, project, reader, retrying, onRetry }: PageFailureProps) {
  const failure = error instanceof CallError ? error.failure : undefined;
  if (failure?.code === 'project_not_granted') {
    return (
      <NotAllowed title="You may not see this page" request={memberCommand(reader, project)}>
        There is no such project, or you are no member of it. Ask an admin of the workspace to add you in its settings,
        or with <code className="mono">{memberCommand(reader, project)}</code>.
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
