import { z } from 'zod';
import { defineTool } from '#tools/define';

export const importProjects = defineTool({
  name: 'import_projects',
  title: 'Import projects',
  description:
    'Imports the projects of the tracker that this workspace uses, with their own ids, so that they can be granted. Projects that were imported before stay as they are.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  tracker: true,
  route: 'POST /projects/import',
  cli: { command: 'project import' },
  input: z.object({}),
  output: z.object({
    workspace_id: z.string().describe('The id of the workspace (UUID).'),
    imported: z
      .array(
        z.object({
          project_id: z.string().describe('The id of the project, in the tracker and here.'),
          name: z.string().describe('The name of the project.'),
        }),
      )
      .describe('The projects that were not here before.'),
    known: z.int().describe('How many projects of the tracker were here already.'),
  }),
  entity: (_input, { workspace_id }) => ({ kind: 'workspace', id: workspace_id }),
  run: async ({ work, services }) => {
    const { imported, known } = await services.importProjects(work);
    const projects = imported.map(({ id, name }) => ({ project_id: id, name }));
    return { workspace_id: work.caller.workspace_id, imported: projects, known };
  },
});
