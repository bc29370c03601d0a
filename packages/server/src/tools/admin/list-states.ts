import { z } from 'zod';
import { StateGroup } from '#domain/project';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const listStates = defineTool({
  name: 'list_states',
  title: 'List states',
  description: 'Lists the states of a project.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /projects/{project_id}/states',
  cli: { command: 'state list', flags: { project_id: 'project' } },
  input: z.object({ project_id: adminFields.project_id }),
  output: z.object({
    states: z
      .array(
        z.object({
          state_id: z.string().describe('The id of the state (UUID).'),
          slug: z.string().describe('Its short name, of its own within the project.'),
          name: z.string().describe('The name of the state.'),
          state_group: StateGroup.describe(
            'The group of the state: backlog, unstarted, started, completed or cancelled.',
          ),
        }),
      )
      .describe('The states, in the order of the board.'),
  }),
  run: async ({ input, work, services }) => ({
    states: (await services.states.list(work, input.project_id)).map(({ id, slug, name, state_group }) => ({
      state_id: id,
      slug,
      name,
      state_group,
    })),
  }),
});
