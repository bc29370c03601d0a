import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields } from './fields.ts';
import { rowOf, taskRow } from './present.ts';

export const updateTask = defineTool({
  name: 'update_task',
  title: 'Update a task',
  description:
    'Changes a task of the board; what is left out stays. Give claim_epoch while you work on a task that you claimed: alone it renews the lease and answers claim_expires_at; when the claim is lost, nothing is changed.',
  scope: 'board:write',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /board/tasks/{task_id}',
  input: z.object({
    task_id: boardFields.task_id,
    title: boardFields.title.optional(),
    description: boardFields.description.optional(),
    status: boardFields.status.optional(),
    priority: boardFields.priority.optional(),
    blocked_by: boardFields.blocked_by.optional(),
    claim_epoch: boardFields.claim_epoch.optional(),
  }),
  output: z.object(taskRow),
  entity: ({ task_id }) => ({ kind: 'work_item', id: task_id }),
  run: async ({ input, work, services }) => rowOf(await services.board.tasks.update(work, input)),
});
