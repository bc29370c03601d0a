import { z } from 'zod';
import { naming, ProjectId, RunId, StepId } from '#domain/ids';
import { FeedKind, Liveness, RunKind, RunStatus, StepSource, StepStatus } from '#domain/run';
import { MAX_PATH_CHARACTERS, text } from '#domain/text';
import { Usage } from '#domain/usage';
import { time } from '#tools/time';

const nullable = (schema: z.ZodType<string>) => schema.nullable();

export const executionFields = {
  execution_id: RunId.describe('Your run: the value of NOVA_EXECUTION_ID.'),
  step_id: StepId.describe('The step: step_id of create_step.'),
  step_name: text(1, 200).describe('What you are doing, in a few words: 1 to 200 characters.'),
  message: text(0, 2_000).describe('What people should read about it: at most 2,000 characters.'),
  step_status: StepStatus,
  status: RunStatus,
  session_id: text(1, 200),
  worktree_path: text(1, MAX_PATH_CHARACTERS),
  name: text(1, 200).describe('What the run is about, in a few words.'),
  project_id: ProjectId,
  work_item_id: naming('work_item', z.string().min(1).max(64)),
};

export const executionBody = z
  .object({
    id: z.string().describe('Execution; NOVA_EXECUTION_ID of its agent.'),
    execution_id: z.string().describe('The same id.'),
    name: z.string().nullable().describe('What the run is about.'),
    kind: RunKind.describe('Who started it; "external" is only reported here.'),
    status: RunStatus.describe('Where the run stands.'),
    reason: z.string().nullable().describe('Why it stands there.'),
    liveness: Liveness.nullable().describe(
      'How long it is silent; "quiet" after a minute, "stalled" after ten, null once the run has ended.',
    ),
    project_id: z.string().nullable().describe('Project.'),
    work_item_id: z.string().nullable().describe('Task or issue.'),
    task_key: z.string().nullable().describe('Its short name, such as WEB-12; null for none.'),
    attempt_key: z.string().nullable().describe('Short name of its attempt, such as WEB-12.2; null for none.'),
    user_id: z.string().describe('Its person.'),
    agent_id: z.string().nullable().describe('Its agent; null for one that a person made.'),
    session_id: z.string().nullable().describe('Session id of the agent.'),
    worktree_path: z.string().nullable().describe('Folder of the agent.'),
    branch: z.string().nullable().describe('Git branch.'),
    client: z.string().nullable().describe('Program of the agent.'),
    usage: Usage.nullable().describe('Cost so far.'),
    summary: z.string().nullable().describe('What came of it.'),
    step_count: z.int().describe('Number of steps.'),
    started_at: time.describe('Begin (RFC 3339).'),
    seen_at: time.describe('Last sign of life (RFC 3339).'),
    ended_at: nullable(time).describe('End (RFC 3339); null while it runs.'),
  })
  .describe('The execution.');

export const stepBody = z
  .object({
    id: z.string().describe('Step.'),
    step_id: z.string().describe('The same id, as update_step takes it.'),
    execution_id: z.string().describe('Its execution.'),
    seq: z.int().describe('Place among the steps, from 1.'),
    step_name: z.string().describe('What it does.'),
    status: StepStatus.describe('Where it stands.'),
    message: z.string().nullable().describe('Last message.'),
    source: StepSource.describe('Where it comes from: the agent, its plan, its tool calls, a workflow or a script.'),
    started_at: time.describe('Begin (RFC 3339).'),
    updated_at: time.describe('Last change (RFC 3339).'),
    ended_at: nullable(time).describe('End (RFC 3339); null while it runs.'),
  })
  .describe('The step.');

export const feedBody = z
  .object({
    seq: z.int().describe('Its place in the feed of the execution, from 1.'),
    execution_id: z.string().describe('Its execution.'),
    kind: FeedKind.describe('What kind of thing happened.'),
    text: z.string().describe('What happened, in words.'),
    at: time.describe('When it was reported (RFC 3339).'),
  })
  .describe('One entry of the feed.');

export const healthBody = z
  .object({
    status: z.literal('healthy').describe('Always "healthy".'),
    client: z
      .enum(['http', 'mock', 'in_process'])
      .describe('How reports travel: http, mock (memory for tests) or in_process (straight into the store).'),
    config: z
      .object({
        host: z.string().describe('TASK_MANAGER_HOST.'),
        port: z.int().describe('TASK_MANAGER_PORT.'),
        base_url: z.string().describe('Where the Task Manager is asked.'),
      })
      .optional()
      .describe('Where the Task Manager is; only over HTTP.'),
  })
  .describe('How the Task Manager is reached.');
