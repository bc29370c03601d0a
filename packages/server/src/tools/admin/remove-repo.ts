import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const removeRepo = defineTool({
  name: 'remove_repo',
  title: 'Remove a repository',
  description:
    'Removes a repository from its project: no new attempt uses it. The repository itself, its branches and the changes of attempts stay. Refused while a run uses it.',
  scope: 'admin',
  effect: 'delete',
  route: 'DELETE /repos/{repo_id}',
  cli: { command: 'repo remove', positionals: ['repo_id'] },
  input: z.object({ repo_id: adminFields.repo_id }),
  output: z.object({
    repo_id: z.string().describe('The id of the repository (UUID).'),
    name: z.string().describe('Its name.'),
    status: z.literal('removed').describe('Always "removed".'),
  }),
  entity: ({ repo_id }) => ({ kind: 'repo', id: repo_id }),
  run: async ({ input: { repo_id }, work, services }) => {
    const { name } = await services.projects.removeRepo(work, repo_id);
    return { repo_id, name, status: 'removed' as const };
  },
});
