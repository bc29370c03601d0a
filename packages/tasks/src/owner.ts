import { TaskError } from './errors.ts';
import type { TaskLimits } from './limits.ts';

/** The identity of a requestor, as far as it is known. */
export interface Requestor {
  /** The `sub` of its OAuth token. */
  readonly subject?: string | undefined;
  readonly client_id?: string | undefined;
  readonly session_id?: string | undefined;
}

/**
 * Returns the owner of a requestor's tasks: the subject, else the client, else, if allowed, the session. The kind is
 * part of the owner, so that a client cannot become another owner by choosing an id.
 */
export function resolveOwner(
  { subject, client_id, session_id }: Requestor,
  { allow_anonymous }: Pick<TaskLimits, 'allow_anonymous'>,
): string {
  if (subject) return `sub:${subject}`;
  if (client_id) return `client:${client_id}`;
  if (session_id && allow_anonymous) return `session:${session_id}`;
  throw new TaskError(
    'anonymous',
    'Tasks need a requestor that is known: send a token, or the id of a session where sessions may have tasks.',
  );
}
