import { z } from 'zod';
import { jsonLength, ROOM } from '#domain/answer-size';
import { defineTool } from '#tools/define';
import { rfc3339, time } from '#tools/time';
import { boardFields } from './fields.ts';
import { rowOf, taskRow } from './present.ts';
import { description, epoch, shortDescription, truncated } from './present-task.ts';

/** Names of fields, brackets, and the claim. */
const FRAME_CHARACTERS = 200;

export const nextTask = defineTool({
  name: 'next_task',
  title: 'Take the next task',
  description:
    'Claims the first task that is ready, or the one that you name, moves it to in progress and answers it with its description. It is yours until the lease ends: renew it with update_task and claim_epoch, and set its status when you are done. task is null when there is nothing to do.',
  scope: 'board:write',
  effect: 'update',
  project: 'project_id',
  route: 'POST /board/next-task',
  always_load: true,
  input: z.object({
    project_id: boardFields.project_id
      .optional()
      .describe('Only tasks of this project, by id (UUID); of all projects where you may, unless given.'),
    task_id: boardFields.task_id
      .optional()
      .describe('Claim this very task, by id (UUID); the first that is ready unless given.'),
    lease_minutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(30)
      .describe('How long it is yours without a sign of you, in minutes: 1 to 1440; 30 unless given.'),
  }),
  output: z.object({
    task: z
      .object({ ...taskRow, description, truncated })
      .nullable()
      .describe('The task that is yours now; null when none is ready.'),
    claim: z
      .object({
        epoch: epoch.describe('The number of your claim: pass it to update_task as claim_epoch.'),
        expires_at: time.describe('When the claim ends unless you renew it (RFC 3339).'),
      })
      .nullable()
      .describe('Your claim on the task; null when none is ready.'),
  }),
  entity: (_input, { task }) => task && { kind: 'work_item', id: task.task_id },
  run: async ({ input, work, services }) => {
    const taken = await services.board.next.take(work, input);
    if (taken === null) return { task: null, claim: null };
    const row = rowOf(taken.task);
    const { text, isCut } = shortDescription(taken.description, ROOM.answer - FRAME_CHARACTERS - jsonLength(row));
    return {
      task: { ...row, description: text, ...(isCut && { truncated: ['description'] }) },
      claim: { epoch: taken.claim.epoch, expires_at: rfc3339(taken.claim.lease_until) },
    };
  },
});
