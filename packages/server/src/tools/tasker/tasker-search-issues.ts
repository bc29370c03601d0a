import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageOutput } from '#tools/paging';
import { taskerFields } from './fields.ts';
import { issueRow, rowOf } from './present.ts';

export const taskerSearchIssues = defineTool({
  name: 'tasker_search_issues',
  title: 'Search issues',
  description:
    'Finds issues of granted projects whose names, descriptions or blocks hold all the words of the query, those with the words in the name first. Without words it lists all, newest first. A long answer comes in pages: pass next_cursor as cursor.',
  scope: 'issue:read',
  effect: 'read',
  project: 'project_id',
  route: 'GET /tasker/issues',
  input: z.object({
    query: z.string().max(500).default('').describe('Words, or beginnings of words; leave it empty for all issues.'),
    project_id: taskerFields.project_id
      .optional()
      .describe('Only issues of this project; all granted ones unless given.'),
    limit: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('At most so many issues, 1 to 100. Without it, as many as fit into a short answer.'),
    cursor: z.string().max(500).optional().describe('next_cursor of the previous page; leave it out for the first.'),
  }),
  output: z.object({
    issues: z.array(z.object(issueRow)).describe('The issues that were found; empty when there are none.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.tasker.issues.search(work, input);
    return { issues: rows.map(rowOf), ...more };
  },
});
