import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageOutput } from '#tools/paging';
import { boardFields, shortPageInput, uuid } from './fields.ts';

export const listRepos = defineTool({
  name: 'list_repos',
  title: 'List repositories',
  description: 'Lists the git repositories of a project, for start_task_attempt.',
  scope: 'board:read',
  effect: 'read',
  project: 'project_id',
  route: 'GET /board/projects/{project_id}/repos',
  input: z.object({ project_id: boardFields.project_id, ...shortPageInput }),
  output: z.object({
    repos: z
      .array(
        z.object({
          repo_id: uuid('Repository (UUID).'),
          repo_name: z.string().describe('Name of its folder.'),
          target_branch: z.string().describe('Branch that work ends up on.'),
        }),
      )
      .describe('The repositories.'),
    ...pageOutput,
  }),
  run: async ({ input: { project_id, ...page }, work, services }) => {
    const { rows, ...more } = await services.board.lists.repos(work, project_id, page);
    return {
      repos: rows.map(({ id, name, target_branch }) => ({ repo_id: id, repo_name: name, target_branch })),
      ...more,
    };
  },
});
