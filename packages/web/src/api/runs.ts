import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type ListRunsAnswer, listRuns } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import type { Change } from './change.ts';

export type Run = ListRunsAnswer['runs'][number];

const MAX_AT_WORK = 100;

/** The runs that go on now, in all projects. */
export const atWorkQuery = queryOptions({
  queryKey: ['at-work'],
  queryFn: ({ signal }) => answerOf(listRuns({ status: 'running', limit: MAX_AT_WORK }, { signal })),
});

/** The runs with the step that an agent has just begun, which its event carries. */
export function withNewStep(now: ListRunsAnswer, { kind, execution_id, data }: Change): ListRunsAnswer {
  const name = data?.step_name;
  const at = now.runs.findIndex((run) => run.execution_id === execution_id);
  const run = now.runs[at];
  if (kind !== 'step.created' || typeof name !== 'string' || run === undefined) return now;
  return { ...now, runs: now.runs.with(at, { ...run, step: name }) };
}

/** Who works: the agent, else the executor that was started, else the person. */
export function workerOf({ agent, executor, user }: Pick<Run, 'agent' | 'executor' | 'user'>) {
  if (agent !== null) return { id: agent.id, name: agent.name ?? 'agent' };
  return executor === null ? { id: user.id, name: user.name ?? 'somebody' } : { id: executor, name: executor };
}

const PAGE = 200;

/** All runs that began at this time or later, newest first. The key says how far back, since "now" changes. */
export const runsQuery = (range: string, spanMs: number) =>
  infiniteQueryOptions({
    queryKey: ['runs', range],
    queryFn: ({ pageParam: { from, cursor }, signal }) =>
      answerOf(listRuns({ limit: PAGE, $from: from, ...(cursor !== null && { cursor }) }, { signal })).then((page) => ({
        ...page,
        from,
      })),
    // A cursor belongs to one filter: every page is read with the time of the first.
    initialPageParam: { from: new Date(Date.now() - spanMs).toISOString(), cursor: null as string | null },
    getNextPageParam: ({ next_cursor, from }) =>
      next_cursor === undefined ? undefined : { from, cursor: next_cursor },
  });
