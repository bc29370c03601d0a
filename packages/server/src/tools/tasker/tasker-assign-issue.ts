import { z } from 'zod';
import { ROOM } from '#domain/answer-size';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { named, shortList, truncated, truncatedOf, writtenIssue, writtenOf } from './present.ts';

export const taskerAssignIssue = defineTool({
  name: 'tasker_assign_issue',
  title: 'Assign an issue',
  description: 'Sets who works on an issue: exactly these members of its project; [] for nobody.',
  scope: 'issue:assign',
  effect: 'update',
  idempotent: true,
  key: 'required',
  tracker: true,
  route: 'PUT /tasker/issues/{issue_id}/assignees',
  lane: 'issue_id',
  input: z.object({
    issue_id: taskerFields.issue_id,
    assignee_ids: taskerFields.assignee_ids,
    expected_version: taskerFields.expected_version,
  }),
  output: z.object({
    issue: writtenIssue,
    assignees: z.array(named).describe('Its assignees now.'),
    truncated,
  }),
  entity: ({ issue_id }) => ({ kind: 'work_item', id: issue_id }),
  run: async ({ input, work, services }) => {
    const issue = await services.tasker.assignees.set(work, input);
    const assignees = shortList('assignees', issue.assignees, ROOM.beside_issue);
    return { issue: writtenOf(issue), assignees: assignees.shown, ...truncatedOf(assignees.truncated) };
  },
});
