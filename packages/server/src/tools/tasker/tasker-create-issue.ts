import { z } from 'zod';
import { ROOM } from '#domain/answer-size';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { named, shortList, truncated, truncatedOf, writtenIssue, writtenOf } from './present.ts';

export const taskerCreateIssue = defineTool({
  name: 'tasker_create_issue',
  title: 'Create an issue',
  description: 'Creates an issue (card). Search first: one issue per topic, substeps as items of its checker.',
  scope: 'issue:create',
  field_scopes: { detail_layout: 'issue:structured_blocks:write' },
  effect: 'create',
  key: 'required',
  tracker: true,
  project: 'project_id',
  lane: 'project_id',
  route: 'POST /tasker/projects/{project_id}/issues',
  input: z.object({
    project_id: taskerFields.project_id,
    name: taskerFields.name,
    description_html: taskerFields.description_html.optional(),
    detail_layout: taskerFields.detail_layout.optional(),
    state_id: taskerFields.state_id
      .optional()
      .describe('State: id in states of tasker_get_project_context; the first unstarted one unless given.'),
    priority: taskerFields.priority.optional(),
    label_ids: taskerFields.label_ids.optional(),
    assignee_ids: taskerFields.assignee_ids.optional(),
    start_date: taskerFields.start_date.optional(),
    target_date: taskerFields.target_date.optional(),
    parent_id: taskerFields.parent_id.optional(),
  }),
  output: z.object({
    issue: writtenIssue,
    assignees: z
      .array(named)
      .optional()
      .describe('Its assignees, when assignee_ids were given. A tracker elsewhere may leave out guests: compare.'),
    similar: z
      .array(
        z.object({
          id: z.string().describe('Issue.'),
          key: z.string().optional().describe('Short name.'),
          name: z.string().describe('Title.'),
        }),
      )
      .optional()
      .describe('Open issues of the project that are like it: at most 3.'),
    truncated,
  }),
  entity: (_input, { issue }) => ({ kind: 'work_item', id: issue.id }),
  prepare: ({ input: { project_id, name }, work, services }) =>
    services.board.similar.find(work, { project_id, scope: 'issue:read' }, [name]),
  run: async ({ input, work, services, prepared: [found = []] }) => {
    const created = await services.tasker.issues.create(work, input);
    const similar = found.map(({ id, key, title }) => ({ id, ...(key !== null && { key }), name: title }));
    const issue = { issue: writtenOf(created), ...(similar.length > 0 && { similar }) };
    if (input.assignee_ids === undefined) return issue;
    const assignees = shortList('assignees', created.assignees, ROOM.beside_issue);
    return { ...issue, assignees: assignees.shown, ...truncatedOf(assignees.truncated) };
  },
});
