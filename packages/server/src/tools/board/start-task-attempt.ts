import { z } from 'zod';
import { RepoId } from '#domain/ids';
import { defineTool } from '#tools/define';
import { outcome, prompt, variant } from './attempt-fields.ts';
import { boardFields, uuid } from './fields.ts';

export const startTaskAttempt = defineTool({
  name: 'start_task_attempt',
  title: 'Start an attempt',
  description:
    'Has a coding agent work on a task, on a git branch of its own. Answers at once: watch it with tail_attempt, talk to it with follow_up.',
  scope: 'board:run',
  effect: 'create',
  route: 'POST /board/tasks/{task_id}/attempts',
  input: z.object({
    task_id: boardFields.task_id,
    executor: z.string().min(1).max(100).describe('The agent that does it, by a name that list_executors gives.'),
    variant: variant
      .optional()
      .describe('Another way to run it, as list_executors names it; its usual way unless given.'),
    prompt: prompt
      .optional()
      .describe('What to tell the agent besides title and description of the task: 1 to 100,000 characters.'),
    repos: z
      .array(
        z.object({
          repo_id: RepoId.describe('The repository, by id (UUID), as list_repos gives it.'),
          target_branch: z
            .string()
            .min(1)
            .max(200)
            .optional()
            .describe('The git branch to begin from, which the changes are for; that of the repository unless given.'),
        }),
      )
      .min(1)
      .max(20)
      .describe('The repositories to work in, of the project of the task: 1 to 20, each once.'),
  }),
  output: z.object({
    task_id: uuid('The task (UUID).'),
    attempt_id: uuid('The attempt that was made (UUID), as follow_up, tail_attempt and stop_attempt take it.'),
    session_id: uuid('The session of the agent in it (UUID).'),
    execution_id: uuid('The run that was queued (UUID).'),
    ...outcome,
  }),
  entity: (_, { attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  follows: ({ execution_id }) => ({ execution_id }),
  run: ({ input, work, services }) => services.board.attempts.start(work, input),
});
