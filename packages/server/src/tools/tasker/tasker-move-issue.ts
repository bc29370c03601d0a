import { z } from 'zod';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { writtenIssue, writtenOf } from './present.ts';

export const taskerMoveIssue = defineTool({
  name: 'tasker_move_issue',
  title: 'Move an issue',
  description:
    'Moves an issue to another state or place in the order. Completing and cancelling need a grant; some projects want every checker item ticked first.',
  scope: 'issue:move',
  effect: 'update',
  idempotent: true,
  key: 'required',
  tracker: true,
  route: 'POST /tasker/issues/{issue_id}/move',
  lane: 'issue_id',
  input: z.object({
    issue_id: taskerFields.issue_id,
    state_id: taskerFields.state_id.optional().describe('State: id in states of tasker_get_project_context.'),
    sort_order: z.number().optional().describe('Place within the state: smaller comes first.'),
    expected_version: taskerFields.expected_version,
  }),
  output: z.object({ issue: writtenIssue }),
  entity: ({ issue_id }) => ({ kind: 'work_item', id: issue_id }),
  run: async ({ input, work, services }) => ({ issue: writtenOf(await services.tasker.moves.move(work, input)) }),
});
