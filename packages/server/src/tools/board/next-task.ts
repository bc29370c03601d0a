import { z } from 'zod';
import { jsonLength, ROOM } from '#domain/answer-size';
import { defineTool } from '#tools/define';
import { rfc3339, time } from '#tools/time';
import { boardFields, uuid } from './fields.ts';
import { rowOf, taskRow } from './present.ts';
import { description, epoch, shortDescription, truncated } from './present-task.ts';

/** Room for field names, brackets, and the claim. */
const FRAME_CHARACTERS = 200;

export const nextTask = defineTool({
  name: 'next_task',
  title: 'Take the next task',
  description:
    'Claims a task of the board for you, the first that is ready or the one that you name, and moves it to inprogress. It is yours until the lease ends: renew it with update_task and claim_epoch, and set its status when you are done. task is null if there is none. Todo lists are left alone unless project_id or task_id names one.',
  scope: 'board:write',
  effect: 'update',
  project: 'project_id',
  route: 'POST /board/next-task',
  always_load: true,
  input: z.object({
    project_id: boardFields.project_id
      .optional()
      .describe('Only this project, by key or id; all projects of yours unless given.'),
    task_id: boardFields.task_id.optional().describe('Claim this task, by key or id.'),
    lease_minutes: z.int().min(1).max(1_440).default(30).describe('Length of the lease in minutes, 1 to 1440.'),
  }),
  output: z.object({
    task: z
      .object({
        ...taskRow,
        project_id: uuid('Its project (UUID).'),
        project_name: z.string().describe('Its name.'),
        description,
        truncated,
      })
      .nullable()
      .describe('Your task; null when none is ready.'),
    claim: z
      .object({
        epoch: epoch.describe('Pass it to update_task as claim_epoch.'),
        expires_at: time.describe('End of the lease (RFC 3339).'),
      })
      .nullable()
      .describe('Your claim; null when none is ready.'),
  }),
  entity: (_input, { task }) => task && { kind: 'work_item', id: task.task_id },
  run: async ({ input, work, services }) => {
    const taken = await services.board.next.take(work, input);
    if (taken === null) return { task: null, claim: null };
    const { id: project_id, name: project_name } = taken.project;
    const row = { ...rowOf(taken.task), project_id, project_name };
    const { text, isCut } = shortDescription(taken.description, ROOM.answer - FRAME_CHARACTERS - jsonLength(row));
    return {
      task: { ...row, description: text, ...(isCut && { truncated: ['description'] }) },
      claim: { epoch: taken.claim.epoch, expires_at: rfc3339(taken.claim.lease_until) },
    };
  },
});
