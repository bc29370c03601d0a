import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import './error-frame.css';

export interface ErrorFrameProps {
  /** What failed, as “The diff could not be loaded”. */
  readonly what: string;
  /** Why, what to do, and what still works. */
  readonly why: ReactNode;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
  readonly retrying?: boolean | undefined;
  /** What Copy details copies; without it, the lines above. */
  readonly details?: string | undefined;
}

/** An error in the place of what failed. The rest of the page goes on. */
export function ErrorFrame({ what, why, code, requestId, onRetry, retrying, details }: ErrorFrameProps) {
  const lines = [what, typeof why === 'string' ? why : undefined, code, requestId].filter((line) => line !== undefined);
  return (
    <div className="errpanel" role="alert">
      <header>
        <Icon name="alert" />
        <b>{what}</b>
      </header>
      <p>{why}</p>
      {code === undefined && requestId === undefined ? null : (
        <p className="codes">
          {code === undefined ? null : <span className="mono">{code}</span>}
          {requestId === undefined ? null : (
            <>
              <span className="mono">{requestId}</span>
              <CopyButton text={requestId} label="Copy the request id" />
            </>
          )}
        </p>
      )}
      <div className="erracts">
        {onRetry === undefined ? null : (
          <Button size="small" icon="retry" busy={retrying ? 'Trying…' : false} onClick={onRetry}>
            Retry
          </Button>
        )}
        <CopyButton as="words" text={details ?? lines.join('\n')} label="Copy details" />
      </div>
    </div>
  );
}
