import { z } from 'zod';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { writtenIssue, writtenOf } from './present.ts';

export const taskerUpdateIssue = defineTool({
  name: 'tasker_update_issue',
  title: 'Update an issue',
  description:
    'Changes fields of an issue; what is left out stays. State, labels, assignees and single blocks have tools of their own: detail_layout replaces all blocks.',
  scope: 'issue:update',
  field_scopes: { detail_layout: 'issue:structured_blocks:write' },
  effect: 'update',
  key: 'required',
  tracker: true,
  null_clears: ['start_date', 'target_date', 'parent_id'],
  route: 'PATCH /tasker/issues/{issue_id}',
  lane: 'issue_id',
  input: z.object({
    issue_id: taskerFields.issue_id,
    name: taskerFields.name.optional(),
    description_html: taskerFields.description_html.optional(),
    detail_layout: taskerFields.detail_layout.optional(),
    priority: taskerFields.priority.optional(),
    start_date: taskerFields.start_date.optional(),
    target_date: taskerFields.target_date.optional(),
    parent_id: taskerFields.parent_id.optional(),
    expected_version: taskerFields.expected_version,
  }),
  output: z.object({ issue: writtenIssue }),
  entity: ({ issue_id }) => ({ kind: 'work_item', id: issue_id }),
  run: async ({ input, work, services }) => ({ issue: writtenOf(await services.tasker.issues.update(work, input)) }),
});
