import { z } from 'zod';
import { MAX_PATH_CHARACTERS } from '#domain/text';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const addRepo = defineTool({
  name: 'add_repo',
  title: 'Add a repository',
  description: 'Links a git repository on this machine to a project.',
  scope: 'admin',
  effect: 'create',
  route: 'POST /projects/{project_id}/repos',
  cli: { command: 'repo add', positionals: ['path'], flags: { project_id: 'project' }, paths: ['path'] },
  input: z.object({
    project_id: adminFields.project_id,
    path: z
      .string()
      .min(1)
      .max(MAX_PATH_CHARACTERS)
      .regex(/^([/\\]|[A-Za-z]:)/, 'must be an absolute path')
      .describe('The absolute path of the repository.'),
    target_branch: adminFields.target_branch
      .optional()
      .describe('The branch into which work is merged. Default: the branch that is checked out there, or "main".'),
    setup_script: adminFields.setup_script.optional(),
  }),
  output: z.object({ repo_id: z.string().describe('The id of the repository (UUID).') }),
  entity: (_input, { repo_id }) => ({ kind: 'repo', id: repo_id }),
  run: async ({ input: { project_id, path, target_branch, setup_script = '' }, work, services }) => ({
    repo_id: (await services.projects.addRepo(work, { project_id, path, target_branch, setup_script })).id,
  }),
});
