import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageOutput } from '#tools/paging';
import { taskerFields } from './fields.ts';
import { issueRow, rowOf } from './present.ts';

export const taskerSearchIssues = defineTool({
  name: 'tasker_search_issues',
  title: 'Search issues',
  description:
    'Finds issues whose name, description or blocks hold all words of query. Without words it lists all, newest first.',
  scope: 'issue:read',
  effect: 'read',
  project: 'project_id',
  route: 'GET /tasker/issues',
  input: z.object({
    query: z.string().max(500).default('').describe('Words or beginnings of words: at most 500 characters.'),
    project_id: taskerFields.project_id.optional().describe('Only this project.'),
    limit: z.int().min(1).max(100).optional().describe('At most so many issues, 1 to 100.'),
    cursor: z.string().max(500).optional().describe('next_cursor of the previous page.'),
  }),
  output: z.object({
    issues: z.array(z.object(issueRow)).describe('The issues.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.tasker.issues.search(work, input);
    return { issues: rows.map(rowOf), ...more };
  },
});
