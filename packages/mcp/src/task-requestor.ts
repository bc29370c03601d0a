import { type Requestor, resolveOwner, TaskError } from '@errand/tasks';
import type { TaskPart } from './host.ts';
import type { Session } from './sessions.ts';

export const requestorOf = <Caller>(part: TaskPart<Caller>, caller: Caller, session: Session | null): Requestor =>
  part.requestorOf(caller, session?.session_id);

/** Null for a requestor that can have no tasks, since nothing would tell it from another. */
export function ownerOf<Caller>(part: TaskPart<Caller>, caller: Caller, session: Session | null): string | null {
  try {
    return resolveOwner(requestorOf(part, caller, session), part.tasksOf(caller).limits);
  } catch (error) {
    if (error instanceof TaskError && error.code === 'anonymous') return null;
    throw error;
  }
}
