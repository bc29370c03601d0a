import { useMutation, useQueryClient } from '@tanstack/react-query';
import { followUp, respondApproval, sendMessage, showBoard, stopAttempt, updateTask } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type Answer, answersTo } from '../api/answers.ts';
import { reasonOf } from '../api/client.ts';
import { type InboxRow, idOf, takeOut } from '../api/inbox.ts';
import { projectKeyOf } from '../api/me.ts';
import { readAfterShown, SHOWN_FIRST } from '../api/shown-first.ts';
import { plural } from '../text/words.ts';
import { useToasts } from '../ui/toast.tsx';

export type Act =
  | { readonly does: 'answer'; readonly row: InboxRow; readonly answer: Answer }
  | { readonly does: 'reply'; readonly row: InboxRow; readonly text: string }
  | { readonly does: 'retry' | 'stop' | 'finish'; readonly row: InboxRow };

const AGAIN = 'The last run failed. Look at why, and try again.';

async function answered({ approval_id }: InboxRow, { body }: Answer): Promise<string> {
  if (approval_id === null) throw new Error('Only questions have answers.');
  const { status } = await answerOf(respondApproval(approval_id, body));
  return status === 'approved' ? 'Answered' : 'Denied';
}

/** Words for the agent: an answer, the reason of a refusal, a message into a run, or a new run. */
async function sayTo(row: InboxRow, text: string): Promise<string> {
  const { kind, approval_id, attempt_id } = row;
  if (kind === 'question' && approval_id !== null) {
    await answerOf(respondApproval(approval_id, { answer: text }));
    return 'Answered';
  }
  if (attempt_id === null) throw new Error('Nobody works on it who could read a message.');
  if (kind === 'permission' || kind === 'stalled') {
    // Before the refusal: the agent reads it together with that.
    await answerOf(sendMessage(attempt_id, { text }));
    const no = answersTo(row).find(({ does }) => does === 'reject');
    return no === undefined ? 'Sent' : answered(row, no);
  }
  await answerOf(followUp({ attempt_id, action: 'send', prompt: text }));
  return 'Sent: a new run begins';
}

/** Completes the task of an attempt that leaves nothing to merge. */
async function finish({ task_key }: InboxRow): Promise<string> {
  const project = projectKeyOf(task_key);
  if (task_key === null || project === undefined) throw new Error('The task has no key.');
  const { columns } = await answerOf(showBoard(project, { taskIds: [task_key] }));
  const ends = columns.filter(({ group }) => group === 'completed');
  const end = ends.find(({ status }) => status === 'done') ?? ends[0];
  if (end === undefined) throw new Error('The project has no state for completed tasks.');
  await answerOf(updateTask(task_key, { status: end.status }));
  return `Moved ${task_key} to ${end.name}`;
}

async function done(act: Act): Promise<string> {
  const { row } = act;
  if (act.does === 'answer') return answered(row, act.answer);
  if (act.does === 'reply') return sayTo(row, act.text);
  if (act.does === 'finish') return finish(row);
  if (row.attempt_id === null) throw new Error('It belongs to no attempt.');
  if (act.does === 'retry') {
    await answerOf(followUp({ attempt_id: row.attempt_id, action: 'send', prompt: AGAIN }));
    return 'A new run begins';
  }
  await answerOf(stopAttempt(row.attempt_id, {}));
  return 'Stopped';
}

/** Does what a person decided, with one entry or several. They leave the list at once, and come back if refused. */
export function useActs() {
  const client = useQueryClient();
  const toasts = useToasts();
  const run = useMutation({
    mutationKey: SHOWN_FIRST,
    mutationFn: async (acts: readonly Act[]) => {
      const results = await Promise.allSettled(acts.map(done));
      const refused: readonly unknown[] = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason] : [],
      );
      const [said] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      return { refused, said, all: acts.length };
    },
    onMutate: async (acts) => takeOut(client, new Set(acts.map(({ row }) => idOf(row)))),
    onSuccess: ({ refused, said, all }, _, bringBack) => {
      if (refused.length > 0) {
        bringBack();
        const many = all > 1 ? `${refused.length} of ${plural(all, 'answer')} failed. ` : '';
        toasts.show({ kind: 'refused', text: `${many}${reasonOf(refused[0])}` });
      } else
        toasts.show({ text: all > 1 ? `${plural(all, 'entry', 'entries')}: ${said?.toLowerCase()}` : (said ?? '') });
    },
    onSettled: () => readAfterShown(client, () => client.invalidateQueries({ queryKey: ['inbox'] })),
  });
  return { act: (...acts: readonly Act[]) => run.mutate(acts), isBusy: run.isPending };
}
