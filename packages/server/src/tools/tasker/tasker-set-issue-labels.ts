import { z } from 'zod';
import { ROOM } from '#domain/answer-size';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { named, shortList, truncated, truncatedOf, writtenIssue, writtenOf } from './present.ts';

export const taskerSetIssueLabels = defineTool({
  name: 'tasker_set_issue_labels',
  title: 'Set the labels of an issue',
  description: 'Sets the labels of an issue, or adds to them. The project must have them already.',
  scope: 'issue:label',
  effect: 'update',
  idempotent: true,
  key: 'required',
  tracker: true,
  route: 'PUT /tasker/issues/{issue_id}/labels',
  lane: 'issue_id',
  input: z.object({
    issue_id: taskerFields.issue_id,
    label_ids: taskerFields.label_ids,
    mode: z.enum(['set', 'merge']).default('set').describe('set: exactly these; merge: adds them.'),
    expected_version: taskerFields.expected_version,
  }),
  output: z.object({
    issue: writtenIssue,
    labels: z.array(named).describe('Its labels now.'),
    truncated,
  }),
  entity: ({ issue_id }) => ({ kind: 'work_item', id: issue_id }),
  run: async ({ input, work, services }) => {
    const issue = await services.tasker.labels.set(work, input);
    const labels = shortList('labels', issue.labels, ROOM.beside_issue);
    return { issue: writtenOf(issue), labels: labels.shown, ...truncatedOf(labels.truncated) };
  },
});
