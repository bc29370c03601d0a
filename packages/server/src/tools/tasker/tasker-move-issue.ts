import { z } from 'zod';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { writtenIssue, writtenOf } from './present.ts';

export const taskerMoveIssue = defineTool({
  name: 'tasker_move_issue',
  title: 'Move an issue',
  description:
    'Moves an issue to another state of its project, to another place in the order, or both. Completed and cancelled states need a grant that permits them; some projects want every checker item ticked first.',
  scope: 'issue:move',
  effect: 'update',
  idempotent: true,
  key: 'required',
  tracker: true,
  route: 'POST /tasker/issues/{issue_id}/move',
  input: z.object({
    issue_id: taskerFields.issue_id,
    state_id: taskerFields.state_id.optional().describe('The state it goes to, by id; stays where it is unless given.'),
    sort_order: z.number().optional().describe('Its place among the issues of a state: smaller ones come first.'),
    expected_version: taskerFields.expected_version,
  }),
  output: z.object({ issue: writtenIssue }),
  entity: ({ issue_id }) => ({ kind: 'work_item', id: issue_id }),
  run: async ({ input, work, services }) => ({ issue: writtenOf(await services.tasker.moves.move(work, input)) }),
});
