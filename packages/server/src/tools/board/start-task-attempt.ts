import { z } from 'zod';
import { MAX_SIBLINGS } from '#domain/attempt';
import { RepoId } from '#domain/ids';
import { defineTool } from '#tools/define';
import { outcome, prompt, variant } from './attempt-fields.ts';
import { boardFields, shortName, uuid } from './fields.ts';

const executor = z.string().min(1).max(100);

const started = z.object({
  attempt_id: uuid('Attempt (UUID).'),
  key: shortName('Short name; null for none.'),
  executor: z.string().describe('Agent.'),
  session_id: uuid('Session (UUID).'),
  execution_id: uuid('Run (UUID).'),
  run_status: outcome.run_status,
  reason: outcome.reason,
  summary: outcome.summary,
});

export const startTaskAttempt = defineTool({
  name: 'start_task_attempt',
  title: 'Start an attempt',
  description:
    'Starts a coding agent on a task, on a git branch of its own. Answers at once: watch with tail_attempt, talk with follow_up.',
  scope: 'board:run',
  effect: 'create',
  open_world: true,
  route: 'POST /board/tasks/{task_id}/attempts',
  input: z.object({
    task_id: boardFields.task_id,
    executor: executor.optional().describe('Agent, from list_executors.'),
    executors: z
      .array(executor)
      .min(1)
      .max(MAX_SIBLINGS)
      .optional()
      .describe('Instead of executor: several, one attempt each.'),
    variant: variant.optional().describe('Variant of it, from list_executors.'),
    prompt: prompt.optional().describe('What to tell it besides the task: 1 to 100,000 characters.'),
    repos: z
      .array(
        z.object({
          repo_id: RepoId.describe('Repository name or id, from list_repos.'),
          target_branch: z
            .string()
            .min(1)
            .max(200)
            .optional()
            .describe('Branch to begin from; that of the repository unless given.'),
        }),
      )
      .min(1)
      .max(20)
      .describe('Repositories of the project to work in: 1 to 20.'),
  }),
  output: z.object({
    task_id: uuid('Task (UUID).'),
    attempt_id: uuid('Attempt (UUID).').optional(),
    key: shortName('Short name of the attempt, such as WEB-12.2; null for none.').optional(),
    session_id: uuid('Session (UUID).').optional(),
    execution_id: uuid('Run (UUID).').optional(),
    attempts: z.array(started).optional().describe('With executors: the attempts, in their order.'),
    ...outcome,
  }),
  event: 'own',
  entity: ({ task_id }, { attempt_id }) =>
    attempt_id === undefined ? { kind: 'work_item', id: task_id } : { kind: 'attempt', id: attempt_id },
  follows: ({ execution_id, attempts = [] }) =>
    execution_id === undefined ? { execution_ids: attempts.map((attempt) => attempt.execution_id) } : { execution_id },
  run: async ({ input, work, services }) => {
    const { task_id, attempts } = await services.board.attempts.start(work, input);
    const [only] = attempts;
    if (input.executors !== undefined || only === undefined) return { task_id, attempts: [...attempts] };
    const { executor: _, ...ids } = only;
    return { task_id, ...ids };
  },
});
