import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const updateRepo = defineTool({
  name: 'update_repo',
  title: 'Update a repository',
  description: 'Changes the target branch of a repository, or its set-up script.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /repos/{repo_id}',
  cli: { command: 'repo update', positionals: ['repo_id'] },
  input: z.object({
    repo_id: adminFields.repo_id,
    target_branch: adminFields.target_branch.optional(),
    setup_script: adminFields.setup_script.optional(),
  }),
  output: z.object({
    repo_id: z.string().describe('The id of the repository (UUID).'),
    target_branch: z.string().describe('The branch that work ends up on.'),
    setup_script: z
      .string()
      .nullable()
      .describe('The shell script that runs in the folder of every new attempt; null for none.'),
  }),
  entity: ({ repo_id }) => ({ kind: 'repo', id: repo_id }),
  run: async ({ input: { repo_id, ...changes }, work, services }) => {
    const { target_branch, setup_script } = await services.projects.updateRepo(work, repo_id, changes);
    return { repo_id, target_branch, setup_script };
  },
});
