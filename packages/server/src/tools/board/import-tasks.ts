import { z } from 'zod';
import { defineTool } from '#tools/define';
import { shortName, uuid } from './fields.ts';
import { importInput } from './import-fields.ts';

export const importTasks = defineTool({
  name: 'import_tasks',
  title: 'Import tasks',
  description: 'Creates the tasks that these files hold, at most 1,000, all or none. read_import shows them first.',
  scope: 'board:write',
  effect: 'create',
  mcp: false,
  project: 'project_id',
  lane: 'project_id',
  route: 'POST /board/projects/{project_id}/import',
  input: z.object(importInput),
  output: z.object({
    tasks: z
      .array(
        z.object({
          ref: z.string().describe('Its name in the files.'),
          task_id: uuid('Task (UUID).'),
          key: shortName('Short name, such as WEB-12; null for none.'),
        }),
      )
      .describe('The tasks, in the order of the files.'),
  }),
  event: 'own',
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input, work, services }) => ({ tasks: [...(await services.board.imports.create(work, input))] }),
});
