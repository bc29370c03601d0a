import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const removeState = defineTool({
  name: 'remove_state',
  title: 'Remove a state',
  description: 'Removes a state without tasks from a project. The only state of its group stays.',
  scope: 'admin',
  effect: 'delete',
  route: 'DELETE /projects/{project_id}/states/{state_id}',
  cli: { command: 'state remove', positionals: ['state_id'], flags: { project_id: 'project' } },
  input: z.object({
    project_id: adminFields.project_id,
    state_id: z.string().min(1).max(200).describe('The state, by name or id.'),
  }),
  output: z.object({
    state_id: z.string().describe('Its id (UUID).'),
    name: z.string().describe('Its name.'),
  }),
  entity: (_input, { state_id }) => ({ kind: 'state', id: state_id }),
  run: async ({ input: { project_id, state_id }, work, services }) => {
    const { id, name } = await services.states.remove(work, { project_id, state: state_id });
    return { state_id: id, name };
  },
});
