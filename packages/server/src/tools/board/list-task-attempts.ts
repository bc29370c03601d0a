import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageOutput } from '#tools/paging';
import { boardFields, shortPageInput, uuidOrNull } from './fields.ts';
import { attemptRow, attemptRowOf } from './present.ts';

export const listTaskAttempts = defineTool({
  name: 'list_task_attempts',
  title: 'List attempts at a task',
  description: 'Lists the attempts at a task, newest first.',
  scope: 'board:read',
  effect: 'read',
  describes_fields: true,
  route: 'GET /board/tasks/{task_id}/attempts',
  input: z.object({ task_id: boardFields.task_id, ...shortPageInput }),
  output: z.object({
    attempts: z.array(z.object(attemptRow)).describe('The attempts, newest first.'),
    latest_attempt_id: uuidOrNull('Newest attempt (UUID); null when there is none.'),
    latest_session_id: uuidOrNull('Its latest session (UUID); null when it has none.'),
    ...pageOutput,
  }),
  run: async ({ input: { task_id, ...page }, work, services }) => {
    const { rows, latest_attempt_id, latest_session_id, ...more } = await services.board.lists.attempts(
      work,
      task_id,
      page,
    );
    return { attempts: rows.map(attemptRowOf), latest_attempt_id, latest_session_id, ...more };
  },
});
