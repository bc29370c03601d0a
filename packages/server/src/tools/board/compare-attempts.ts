import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields, uuid } from './fields.ts';
import { attemptRow } from './present.ts';

export const compareAttempts = defineTool({
  name: 'compare_attempts',
  title: 'Compare attempts',
  description: 'Shows the attempts at a task side by side.',
  scope: 'board:read',
  effect: 'read',
  route: 'GET /board/tasks/{task_id}/comparison',
  input: z.object({ task_id: boardFields.task_id }),
  output: z.object({
    task_id: uuid('Task (UUID).'),
    attempts: z
      .array(
        z.object({
          attempt_id: uuid('Attempt (UUID).'),
          key: attemptRow.key,
          executor: z.string().nullable().describe('Agent; null for none.'),
          state: attemptRow.state,
          status: attemptRow.status,
          verdict: attemptRow.verdict,
          files: z.int().describe('Files changed.'),
          added: z.int().describe('Lines added.'),
          removed: z.int().describe('Lines removed.'),
          seconds: z.int().describe('How long agents were at work.'),
          cost_usd: z.number().nullable().describe('Cost in US dollars; null when no agent tells.'),
        }),
      )
      .describe('Those that are not archived, by number; all when every one is.'),
    left_out: z.int().optional().describe('How many older ones are not shown.'),
  }),
  run: async ({ input: { task_id }, work, services }) => {
    const { task, attempts, left_out } = await services.board.compare(work, task_id);
    return {
      task_id: task.id,
      attempts: attempts.map(({ attempt, ...sums }) => ({
        attempt_id: attempt.id,
        key: attempt.key,
        executor: attempt.latest_session_executor,
        state: attempt.state,
        status: attempt.run_status,
        verdict: attempt.verdict,
        ...sums,
      })),
      ...(left_out > 0 && { left_out }),
    };
  },
});
