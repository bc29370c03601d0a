import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type ListRunsAnswer, listRuns } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import type { StepLook } from '../text/words.ts';
import type { StepCounts } from '../ui/step-segments.ts';
import type { Change } from './change.ts';
import { firstCursor } from './pages.ts';

export type Run = ListRunsAnswer['runs'][number];

const MAX_AT_WORK = 100;

/** The prompt for an agent whose run is started again. */
export const RETRY_WORDS = 'The last run did not complete. Look at why, and try again.';

/** The runs that go on now, in all projects. */
export const atWorkQuery = queryOptions({
  queryKey: ['at-work'],
  queryFn: ({ signal }) => answerOf(listRuns({ status: 'running', limit: MAX_AT_WORK }, { signal })),
});

type Worked = Pick<Run, 'is_task_over' | 'attempt_id'>;

/** The runs that somebody works on. One that an agent left open on a task that is over is none: its newer work counts. */
export const worked = <Each extends Worked>(runs: readonly Each[]): readonly Each[] =>
  runs.filter(({ is_task_over, attempt_id }) => !is_task_over || attempt_id !== null);

/** The latest of these moments; undefined for none. */
export const latestOf = (...moments: readonly (string | null | undefined)[]): string | undefined =>
  moments
    .filter((moment) => typeof moment === 'string')
    .toSorted((one, other) => Date.parse(other) - Date.parse(one))[0];

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

/** What the run waits for, in the words of the page; null when it waits for nobody. */
export const waitOf = ({ asks, questions }: Pick<Run, 'asks' | 'questions'>): string | null =>
  questions === 0 ? null : asks === 'permission' ? 'Waits for your approval' : 'Waits for your answer';

type Bar = Pick<
  Run,
  | 'status'
  | 'questions'
  | 'liveness'
  | 'step_statuses'
  | 'step_count'
  | 'steps_failed'
  | 'steps_running'
  | 'steps_planned'
>;

/** The steps of a run as its bar draws them, with those to come; null when nothing is known of any. */
export function barOf(run: Bar): readonly StepLook[] | StepCounts | null {
  const { status, questions, liveness, step_statuses, step_count, steps_failed, steps_running, steps_planned } = run;
  if (step_count + steps_planned === 0) return null;
  const current: StepLook =
    questions > 0 || (liveness === 'stalled' && status === 'running')
      ? 'waiting'
      : liveness === 'live'
        ? 'running'
        : 'quiet';
  if (step_statuses.length === step_count) {
    const planned = Array<StepLook>(steps_planned).fill('planned');
    return [...step_statuses.map((each) => (each === 'running' ? current : each)), ...planned];
  }
  const completed = step_count - steps_failed - steps_running;
  return { completed, failed: steps_failed, [current]: steps_running, planned: steps_planned };
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
    initialPageParam: { from: new Date(Date.now() - spanMs).toISOString(), cursor: firstCursor() },
    getNextPageParam: ({ next_cursor, from }) =>
      next_cursor === undefined ? undefined : { from, cursor: next_cursor },
  });
