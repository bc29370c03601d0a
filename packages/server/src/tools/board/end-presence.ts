import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields, uuid } from './fields.ts';

export const endPresence = defineTool({
  name: 'end_presence',
  title: 'Look away from a task',
  description: 'Says that you no longer look at a task.',
  scope: 'board:read',
  effect: 'update',
  idempotent: true,
  mcp: false,
  route: 'POST /board/tasks/{task_id}/presence/end',
  input: z.object({ task_id: boardFields.task_id }),
  output: z.object({ task_id: uuid('Task (UUID).') }),
  // As for `show_presence`.
  entity: () => null,
  event: 'own',
  run: async ({ input: { task_id }, work, services }) => {
    await services.board.presence.leave(work, task_id);
    return { task_id };
  },
});
