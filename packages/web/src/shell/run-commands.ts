import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { followUp, sendMessage } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { reasonOf } from '../api/client.ts';
import { inboxQuery } from '../api/inbox.ts';
import { atWorkQuery, RETRY_WORDS, type Run, workerOf } from '../api/runs.ts';
import { ago } from '../text/time.ts';
import { plural } from '../text/words.ts';
import type { IconName } from '../ui/icons.ts';
import { useToasts } from '../ui/toast.tsx';
import { pageClock } from '../ui/use-clock.ts';

/** A command about runs that only some words, or some moment, offer. */
export interface RunCommand {
  readonly id: string;
  readonly text: string;
  readonly icon: IconName;
  readonly note: string;
  readonly keys?: string;
  readonly run: () => void;
}

const MAX_RETRIES = 3;

/** The run that the page is about: of the open task or attempt, or else the first at work. */
export function runMeant(runs: readonly Run[], address: string): Run | undefined {
  const ofAttempts = runs.filter(({ attempt_id }) => attempt_id !== null);
  const isOpen = ({ task_key }: Run): boolean =>
    task_key !== null && new RegExp(`[/=]${task_key}(?:[.&?#]|$)`).test(address);
  return ofAttempts.find(isOpen) ?? ofAttempts[0];
}

/** What can be done with runs from anywhere: try failed ones again, and tell an agent what was typed. */
export function useRunCommands(typed: string): readonly RunCommand[] {
  const toasts = useToasts();
  const address = useLocation({ select: ({ href }) => href });
  const { data: work } = useQuery(atWorkQuery);
  const { data: inbox } = useInfiniteQuery(inboxQuery);
  const failed = inbox?.pages.flatMap(({ rows }) => rows).filter(({ kind }) => kind === 'failed') ?? [];

  async function tell(said: string, ...calls: readonly (() => Promise<unknown>)[]): Promise<void> {
    try {
      for (const call of calls) await call();
      toasts.show({ text: said });
    } catch (error) {
      toasts.show({ kind: 'refused', text: reasonOf(error) });
    }
  }
  const again = (attempt_id: string | null) => () =>
    answerOf(followUp({ attempt_id: attempt_id ?? '', action: 'send', prompt: RETRY_WORDS }));

  const retries = failed.slice(0, MAX_RETRIES).map(
    ({ attempt_id, attempt_key, task_key, since }): RunCommand => ({
      id: `retry-${attempt_id}`,
      text: `Retry the attempt on ${task_key ?? attempt_key}`,
      icon: 'retry',
      note: `last run failed ${ago(since, pageClock.now())}`,
      run: () => void tell(`Started ${attempt_key ?? 'it'} again`, again(attempt_id)),
    }),
  );
  const all: readonly RunCommand[] =
    failed.length < 2
      ? []
      : [
          {
            id: 'retry-all',
            text: 'Retry all failed runs',
            icon: 'retry',
            note: plural(failed.length, 'run'),
            run: () =>
              void tell(
                `Started ${plural(failed.length, 'run')} again`,
                ...failed.map(({ attempt_id }) => again(attempt_id)),
              ),
          },
        ];
  const meant = runMeant(work?.runs ?? [], address);
  const { name = '' } = meant === undefined ? {} : workerOf(meant);
  const messages: readonly RunCommand[] =
    meant === undefined || typed.length < 2
      ? []
      : [
          {
            id: 'tell',
            text: `Send “${typed}” to ${name} as a follow-up`,
            icon: 'follow',
            note: meant.task_key ?? '',
            keys: 'mod+enter',
            run: () =>
              void tell(`Sent to ${name}`, () => answerOf(sendMessage(meant.attempt_id ?? '', { text: typed }))),
          },
        ];
  return [...retries, ...all, ...messages];
}
