import { z } from 'zod';
import { AgentId } from '#domain/ids';
import { Liveness, RunStatus, StepStatus } from '#domain/run';
import { storedUsage, Usage } from '#domain/usage';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';
import { boardFields, shortName, uuid, uuidOrNull } from './fields.ts';
import { linesOf, plannedOf } from './present-card.ts';

const moment = z.iso.datetime({ offset: true });
const words = z.string().nullable();
/** Ids of trackers elsewhere may have another form. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const row = z.object({
  execution_id: uuid('Run (UUID).'),
  status: RunStatus.describe('queued, running, completed, failed, killed or interrupted.'),
  reason: words.describe('Why it stands there; null where that is plain.'),
  liveness: Liveness.describe('live, quiet or stalled.'),
  name: words.describe('Name; null for none.'),
  project_id: uuidOrNull('Project (UUID); null for none.'),
  project_key: shortName('Key of the project; null for none.'),
  task_id: uuidOrNull('Task (UUID); null for none on this board.'),
  task_key: shortName('Short name of the task; null for none.'),
  title: words.describe('Title of the task; null for none.'),
  is_task_over: z.boolean().describe('Whether the task is completed or cancelled.'),
  attempt_id: uuidOrNull('Attempt (UUID); null when it runs elsewhere.'),
  attempt_key: shortName('Short name of the attempt; null for none.'),
  executor: words.describe('Executor; null when it runs elsewhere.'),
  agent: z
    .object({ id: uuid('Agent (UUID).'), name: words.describe('Name.') })
    .nullable()
    .describe('Agent that started or reports it; null for a person.'),
  user: z.object({ id: uuid('User (UUID).'), name: words.describe('Name.') }).describe('For whom it runs.'),
  client: words.describe('Program that it runs in, with version; null for unknown.'),
  summary: words.describe('What the agent said at last; null for nothing.'),
  usage: Usage.nullable().describe('What it has cost; null where the agent does not say.'),
  step_count: z.int().describe('Number of steps.'),
  steps_failed: z.int().describe('Number of steps that failed.'),
  steps_running: z.int().describe('Number of steps that run.'),
  steps_planned: z.int().describe('Number of entries of its plan that have no step yet.'),
  step_statuses: z
    .array(StepStatus)
    .describe('Each step in order: running, completed, failed or skipped; empty for more than 24.'),
  step: words.describe('Name of its latest step; null before the first.'),
  questions: z.int().describe('Questions that wait for a person.'),
  asks: z
    .enum(['permission', 'question'])
    .nullable()
    .describe('What the oldest of them asks for: permission or question; null for none.'),
  claim: z
    .object({ claimed_at: time.describe('Since (RFC 3339).'), expires_at: time.describe('Until (RFC 3339).') })
    .nullable()
    .describe('How long its agent has claimed the task; null for no claim.'),
  added: z.int().describe('Lines added by its attempt.'),
  removed: z.int().describe('Lines removed by its attempt.'),
  started_at: time.describe('Begun (RFC 3339).'),
  seen_at: time.describe('Last report (RFC 3339).'),
  ended_at: time.nullable().describe('Ended (RFC 3339); null before that.'),
});

function changedBy(repos: Parameters<typeof linesOf>[0]) {
  const { added, removed } = linesOf(repos);
  return { added, removed };
}

const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export const listRuns = defineTool({
  name: 'list_runs',
  title: 'List runs',
  description: 'Lists the runs of all projects that you may see, newest first.',
  scope: 'board:read',
  effect: 'read',
  mcp: false,
  route: 'GET /board/runs',
  input: z.object({
    status: RunStatus.optional().describe('Only these: queued, running, completed, failed, killed or interrupted.'),
    project_id: boardFields.project_id.optional().describe('Only of this project, by key or id.'),
    task_id: boardFields.task_id.optional().describe('Only of this task, by key or id.'),
    attempt_id: boardFields.attempt_id.optional().describe('Only of this attempt, by key or id.'),
    agent_id: AgentId.optional().describe('Only of this agent, by id.'),
    executor: z.string().min(1).max(100).optional().describe('Only of this executor.'),
    from: moment.optional().describe('Only begun at this time or later (RFC 3339).'),
    to: moment.optional().describe('Only begun before this time (RFC 3339).'),
    ...pageInput,
  }),
  output: z.object({ runs: z.array(row).describe('The runs.'), ...pageOutput }),
  run: async ({ input: { task_id, from, to, ...filter }, work, services }) => {
    const { rows, steps, files, ...more } = await services.board.listedRuns(work, {
      ...filter,
      work_item_id: task_id,
      from: timeOf(from),
      to: timeOf(to),
    });
    const stepsOf = Map.groupBy(steps, ({ execution_id }) => execution_id);
    const filesOf = Map.groupBy(files, ({ attempt_id }) => attempt_id);
    return {
      runs: rows.map((run) => ({
        execution_id: run.id,
        status: run.status,
        reason: run.reason,
        liveness: run.liveness,
        name: run.name,
        project_id: run.project_id,
        project_key: run.project_key,
        task_id: UUID.test(run.work_item_id ?? '') ? run.work_item_id : null,
        task_key: run.task_key,
        title: run.title,
        is_task_over: run.task_group === 'completed' || run.task_group === 'cancelled',
        attempt_id: run.attempt_id,
        attempt_key: run.attempt_key,
        executor: run.executor,
        agent: run.agent_id === null ? null : { id: run.agent_id, name: run.agent_name },
        user: { id: run.user_id, name: run.user_name },
        client: run.client,
        summary: run.summary,
        usage: storedUsage(run.usage),
        step_count: Number(run.step_count),
        steps_failed: Number(run.steps_failed),
        steps_running: Number(run.steps_running),
        steps_planned: plannedOf(run),
        step_statuses: (stepsOf.get(run.id) ?? []).map(({ status }) => status),
        step: run.step,
        questions: Number(run.questions),
        asks: run.asks,
        claim:
          run.claimed_at === null || run.lease_until === null
            ? null
            : { claimed_at: rfc3339(run.claimed_at), expires_at: rfc3339(run.lease_until) },
        ...changedBy((run.attempt_id && filesOf.get(run.attempt_id)) ?? []),
        started_at: rfc3339(run.started_at),
        seen_at: rfc3339(run.seen_at),
        ended_at: rfc3339OrNull(run.ended_at),
      })),
      ...more,
    };
  },
});
