import { z } from 'zod';
import { ExecutionKind, ExecutionStatus, FeedKind, Liveness, StepSource, StepStatus, Usage } from '#domain/execution';
import { ExecutionId, ProjectId, StepId } from '#domain/ids';
import { text } from '#domain/text';
import { time } from '#tools/time';

const nullable = (schema: z.ZodType<string>) => schema.nullable();

export const executionFields = {
  execution_id: ExecutionId.describe('Your execution, as found in the NOVA_EXECUTION_ID environment variable.'),
  step_id: StepId.describe('The step, as answered by `create_step`.'),
  step_name: text(1, 200).describe('What this step does, in a few words.'),
  message: text(0, 2_000).describe('What a person who watches should read about it.'),
  step_status: StepStatus,
  status: ExecutionStatus,
  session_id: text(1, 200),
  worktree_path: text(1, 4_096),
  name: text(1, 200).describe('What the run is about, in a few words.'),
  project_id: ProjectId,
  work_item_id: z.string().min(1).max(64),
};

export const executionBody = z
  .object({
    id: z.string().describe('The id of the execution: what the agent finds in NOVA_EXECUTION_ID.'),
    execution_id: z.string().describe('The same id, under the name that tools take it by.'),
    name: z.string().nullable().describe('What the run is about.'),
    kind: ExecutionKind.describe(
      '"external" for a run that is only reported here; "agent" and "script" for one that was started here.',
    ),
    status: ExecutionStatus.describe('Where the run stands.'),
    reason: z.string().nullable().describe('Why it stands there, where that is not plain.'),
    liveness: Liveness.nullable().describe(
      '"quiet" after a minute without a sign of life, "stalled" after ten; null once the run has ended.',
    ),
    project_id: z.string().nullable().describe('The project it belongs to.'),
    work_item_id: z.string().nullable().describe('The task or issue it works on.'),
    user_id: z.string().describe('The person it was made for.'),
    agent_id: z.string().nullable().describe('The agent it was made by; null for one that a person made.'),
    session_id: z.string().nullable().describe('What the agent itself calls its session.'),
    worktree_path: z.string().nullable().describe('The folder that the agent works in.'),
    branch: z.string().nullable().describe('The git branch that the agent works on.'),
    client: z.string().nullable().describe('Name and version of the program that the agent runs in.'),
    usage: Usage.nullable().describe('What it has cost so far.'),
    summary: z.string().nullable().describe('What came of it, in the words of whoever ended it.'),
    step_count: z.int().describe('How many steps it has.'),
    started_at: time.describe('When it began (RFC 3339).'),
    seen_at: time.describe('Its last sign of life, to the second (RFC 3339).'),
    ended_at: nullable(time).describe('When it ended (RFC 3339); null while it runs.'),
  })
  .describe('The execution.');

export const stepBody = z
  .object({
    id: z.string().describe('The id of the step.'),
    step_id: z.string().describe('The same id, under the name that `update_step` takes it by.'),
    execution_id: z.string().describe('The execution it belongs to.'),
    seq: z.int().describe('Its place among the steps of the execution, from 1.'),
    step_name: z.string().describe('What the step does.'),
    status: StepStatus.describe('Where the step stands.'),
    message: z.string().nullable().describe('What was last said about it.'),
    source: StepSource.describe(
      'Who reported it: an agent in so many words, its plan, its tool calls, a workflow, or a script.',
    ),
    started_at: time.describe('When it was created (RFC 3339).'),
    updated_at: time.describe('When it last changed (RFC 3339).'),
    ended_at: nullable(time).describe('When it was completed, failed or skipped (RFC 3339); null while it runs.'),
  })
  .describe('The step.');

export const feedBody = z
  .object({
    seq: z.int().describe('Its place in the feed of the execution, from 1.'),
    execution_id: z.string().describe('The execution it belongs to.'),
    kind: FeedKind.describe('What kind of thing happened.'),
    text: z.string().describe('What happened, in words.'),
    at: time.describe('When it was reported (RFC 3339).'),
  })
  .describe('One entry of the feed.');

export const healthBody = z.object({
  status: z.literal('healthy').describe('"healthy": reports are taken.'),
  client: z
    .enum(['http', 'mock', 'in_process'])
    .describe('How reports get there: over HTTP, into memory for tests, or straight into the store.'),
  config: z
    .object({
      host: z.string().describe('TASK_MANAGER_HOST.'),
      port: z.int().describe('TASK_MANAGER_PORT.'),
      base_url: z.string().describe('Where the Task Manager is asked.'),
    })
    .optional()
    .describe('Where the Task Manager is; only over HTTP.'),
});
