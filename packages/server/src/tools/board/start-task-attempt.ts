import { z } from 'zod';
import { RepoId } from '#domain/ids';
import { defineTool } from '#tools/define';
import { outcome, prompt, variant } from './attempt-fields.ts';
import { boardFields, uuid } from './fields.ts';

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
    executor: z.string().min(1).max(100).describe('Agent, from list_executors.'),
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
    attempt_id: uuid('Attempt (UUID).'),
    session_id: uuid('Session (UUID).'),
    execution_id: uuid('Run (UUID).'),
    ...outcome,
  }),
  event: 'own',
  entity: (_, { attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  follows: ({ execution_id }) => ({ execution_id }),
  run: ({ input, work, services }) => services.board.attempts.start(work, input),
});
