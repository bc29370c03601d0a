import { Fragment, type ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Empty } from './empty.tsx';
import { PersonDot } from './person-dot.tsx';
import './not-allowed.css';

export interface NotAllowedProps {
  /** As “Operations is for admins”. */
  readonly title: string;
  /** A text that says which right the reader lacks. */
  readonly children: ReactNode;
  /** Names of those who can give it. */
  readonly granters?: readonly string[] | undefined;
  /** A text to send to one of them. */
  readonly request?: string | undefined;
}

/** A view that the reader may not see: names the missing right, and who can give it. */
export function NotAllowed({ title, children, granters = [], request }: NotAllowedProps) {
  return (
    <Empty
      icon="lock"
      title={title}
      actions={request === undefined ? null : <CopyButton as="words" text={request} label="Copy a request" />}
    >
      <p>{children}</p>
      {granters.length === 0 ? null : (
        <p className="granters">
          Can grant it:{' '}
          {granters.map((name, at) => (
            <Fragment key={name}>
              <PersonDot name={name} size={16} silent /> {name}
              {at < granters.length - 1 ? ', ' : ''}
            </Fragment>
          ))}
        </p>
      )}
    </Empty>
  );
}
