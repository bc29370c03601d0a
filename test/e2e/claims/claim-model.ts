import type { Model, Timed } from './find-order.ts';

/** The answer that a client saw; null when it got none. */
interface Seen<Answer> {
  readonly answer: Answer | 'refused' | null;
}

/** A call about one task, as its client saw it. */
export type ClaimCall = Timed & { readonly by: string } & (
    | ({ readonly does: 'take'; readonly is_named: boolean } & Seen<{ readonly epoch: number; readonly title: string }>)
    // Answered that no task is ready: this one was not.
    | { readonly does: 'find none' }
    | ({
        readonly does: 'update';
        readonly epoch?: number;
        readonly title?: string;
        readonly status?: 'todo' | 'done';
      } & Seen<{ readonly title: string }>)
    | {
        readonly does: 'read';
        readonly answer: { readonly is_over: boolean; readonly epoch: number | null; readonly title: string };
      }
    // The lease ends.
    | { readonly does: 'lapse'; readonly answer: { readonly was_held: boolean } }
  );

/** A task, as far as claims go. */
interface Task {
  readonly is_over: boolean;
  readonly holder: string | null;
  readonly epoch: number;
  readonly title: string;
}

/** What comes of a call that may be refused. */
function outcome<Answer>(
  { answer }: Seen<Answer>,
  {
    before,
    then,
    fits,
  }: { readonly before: Task; readonly then: Task | null; readonly fits: (answer: Answer) => boolean },
): Task | null {
  if (answer === null) return then ?? before;
  if (answer === 'refused') return then === null ? before : null;
  return then !== null && fits(answer) ? then : null;
}

function taken(task: Task, call: ClaimCall & { readonly does: 'take' }): Task | null {
  const isFree = task.holder === null || (call.is_named && task.holder === call.by);
  const then = !task.is_over && isFree ? { ...task, holder: call.by, epoch: task.epoch + 1 } : null;
  return outcome(call, {
    before: task,
    then,
    fits: ({ epoch, title }) => epoch === then?.epoch && title === task.title,
  });
}

function updated(task: Task, call: ClaimCall & { readonly does: 'update' }): Task | null {
  const isOwn = task.holder === call.by;
  const isAllowed = call.epoch === undefined ? task.holder === null || isOwn : isOwn && task.epoch === call.epoch;
  const moved = call.status === undefined ? task : { ...task, is_over: call.status === 'done', holder: null };
  const then = isAllowed ? { ...moved, title: call.title ?? task.title } : null;
  return outcome(call, { before: task, then, fits: ({ title }) => title === then?.title });
}

/** How claims change a task: one holder at a time, each claim under a higher epoch, a lost claim changes nothing. */
export const claimModel = (title: string): Model<Task, ClaimCall> => ({
  first: { is_over: false, holder: null, epoch: 0, title },
  after: (task, call) => {
    if (call.does === 'take') return taken(task, call);
    if (call.does === 'update') return updated(task, call);
    if (call.does === 'find none') return task.is_over || task.holder !== null ? task : null;
    if (call.does === 'lapse')
      return call.answer.was_held === (task.holder !== null) ? { ...task, holder: null } : null;
    const { is_over, epoch, title: seen } = call.answer;
    const isSo =
      is_over === task.is_over && epoch === (task.holder === null ? null : task.epoch) && seen === task.title;
    return isSo ? task : null;
  },
  nameOf: ({ is_over, holder, epoch, title: named }) => `${is_over} ${holder} ${epoch} ${named}`,
});
