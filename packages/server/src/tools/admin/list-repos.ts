import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const listRepos = defineTool({
  name: 'list_repos',
  title: 'List repositories',
  description: 'Lists the git repositories of a project.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /projects/{project_id}/repos',
  cli: { command: 'repo list', flags: { project_id: 'project' } },
  input: z.object({ project_id: adminFields.project_id }),
  output: z.object({
    repos: z
      .array(
        z.object({
          repo_id: z.string().describe('The id of the repository (UUID).'),
          name: z.string().describe('The name of its folder.'),
          path: z.string().describe('The absolute path of the repository.'),
          target_branch: z.string().describe('The branch that work ends up on.'),
          setup_script: z
            .string()
            .nullable()
            .describe('The shell script that runs in the folder of every new attempt; null for none.'),
        }),
      )
      .describe('The repositories, in the order in which they were added.'),
  }),
  run: async ({ input, work, services }) => ({
    repos: (await services.projects.repos(work, input.project_id)).map(({ id, ...repo }) => ({ ...repo, repo_id: id })),
  }),
});
