import { useMutation, useQueryClient } from '@tanstack/react-query';
import { followUp, stopAttempt } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { reasonOf } from '../api/client.ts';
import { RETRY_WORDS, type Run } from '../api/runs.ts';
import { plural } from '../text/words.ts';
import { useToasts } from '../ui/toast.tsx';
import { isOpen } from './range.ts';

/** A run that has an agent here and did not complete can be tried again. */
export const canRetry = (run: Run): boolean => run.attempt_id !== null && !isOpen(run) && run.status !== 'completed';
export const canStop = (run: Run): boolean => run.attempt_id !== null && isOpen(run);

async function one(does: 'retry' | 'stop', { attempt_id, execution_id }: Run): Promise<void> {
  if (attempt_id === null) return;
  if (does === 'stop') await answerOf(stopAttempt(attempt_id, { execution_id }));
  else await answerOf(followUp({ attempt_id, action: 'send', prompt: RETRY_WORDS }));
}

/** Of several runs of one attempt only the newest is tried again: an attempt has one run at a time. */
export const newestOfEach = (runs: readonly Run[]): readonly Run[] =>
  runs.filter((run, at) => runs.findIndex(({ attempt_id }) => attempt_id === run.attempt_id) === at);

/** Retries or stops several runs, one after the other, and says how many were refused. */
export function useBulk() {
  const client = useQueryClient();
  const toasts = useToasts();
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ does, runs }: { readonly does: 'retry' | 'stop'; readonly runs: readonly Run[] }) => {
      const refused: unknown[] = [];
      for (const run of runs) await one(does, run).catch((error: unknown) => refused.push(error));
      return { does, all: runs.length, refused };
    },
    onSuccess: ({ does, all, refused }) => {
      const done = plural(all - refused.length, 'run');
      const said = does === 'stop' ? `${done} stopped.` : `${done} started again.`;
      if (refused.length === 0) toasts.show({ text: said });
      else toasts.show({ kind: 'refused', text: `${said} ${refused.length} refused: ${reasonOf(refused[0])}` });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['runs'] }),
  });
  return {
    retry: (runs: readonly Run[]) => mutate({ does: 'retry', runs: newestOfEach(runs.filter(canRetry)) }),
    stop: (runs: readonly Run[]) => mutate({ does: 'stop', runs: runs.filter(canStop) }),
    isBusy: isPending,
  };
}
