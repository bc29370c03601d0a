import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const removeRepo = defineTool({
  name: 'remove_repo',
  title: 'Remove a repository',
  description:
    'Takes a repository out of its project: no attempt begins in it any more. The repository itself, its branches and what attempts changed in it stay. Refused while a run in it goes on.',
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
