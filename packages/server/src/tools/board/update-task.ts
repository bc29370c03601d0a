import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339, time } from '#tools/time';
import { boardFields } from './fields.ts';
import { rowOf, taskRow } from './present.ts';
import { epoch } from './present-task.ts';

export const updateTask = defineTool({
  name: 'update_task',
  title: 'Update a task',
  description:
    'Changes a task; what is left out stays. Give claim_epoch while you work on a task that you claimed: alone it renews the lease and answers claim.expires_at; if the claim is lost, nothing changes.',
  scope: 'board:write',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /board/tasks/{task_id}',
  lane: 'task_id',
  input: z.object({
    task_id: boardFields.task_id,
    title: boardFields.title.optional(),
    description: boardFields.description.optional(),
    status: boardFields.status.optional(),
    priority: boardFields.priority.optional(),
    sort_order: z.number().optional().describe('Place in its column.'),
    blocked_by: boardFields.blocked_by.optional(),
    claim_epoch: boardFields.claim_epoch.optional(),
  }),
  output: z.object({
    ...taskRow,
    claim: z
      .object({ epoch, expires_at: time.describe('End of the lease (RFC 3339).') })
      .optional()
      .describe('Your claim, renewed; only with claim_epoch.'),
  }),
  entity: ({ task_id }) => ({ kind: 'work_item', id: task_id }),
  run: async ({ input, work, services }) => {
    const { claim, ...task } = await services.board.tasks.update(work, input);
    const renewed = claim && { claim: { epoch: claim.epoch, expires_at: rfc3339(claim.lease_until) } };
    return { ...rowOf(task), ...renewed };
  },
});
