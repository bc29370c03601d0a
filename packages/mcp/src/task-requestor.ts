import { type Requestor, resolveOwner, TaskError } from '@errand/tasks';
import type { TaskPart } from './host.ts';
import type { Session } from './sessions.ts';

export const requestorOf = <Caller>(part: TaskPart<Caller>, caller: Caller, session: Session | null): Requestor =>
  part.requestorOf(caller, session?.session_id);

/** Returns null when the host does not know the requestor now: the methods of tasks then answer with the host's error. */
function knownRequestor<Caller>(part: TaskPart<Caller>, caller: Caller, session: Session | null): Requestor | null {
  try {
    return requestorOf(part, caller, session);
  } catch {
    return null;
  }
}

/** Returns null for a requestor that can have no tasks, because nothing distinguishes it from another one. */
export function ownerOf<Caller>(part: TaskPart<Caller>, caller: Caller, session: Session | null): string | null {
  const requestor = knownRequestor(part, caller, session);
  if (requestor === null) return null;
  try {
    return resolveOwner(requestor, part.tasksOf(caller).limits);
  } catch (error) {
    if (error instanceof TaskError && error.code === 'anonymous') return null;
    throw error;
  }
}
