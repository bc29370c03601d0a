import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const updateState = defineTool({
  name: 'update_state',
  title: 'Rename a state',
  description: 'Gives a state of a project another name. Its short name stays, by which agents call it.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /projects/{project_id}/states/{state_id}',
  cli: { command: 'state update', positionals: ['state_id'], flags: { project_id: 'project' } },
  input: z.object({
    project_id: adminFields.project_id,
    state_id: z.string().min(1).max(200).describe('The state, by name or id.'),
    name: adminFields.short_name,
  }),
  output: z.object({
    state_id: z.string().describe('Its id (UUID).'),
    name: z.string().describe('Its name.'),
  }),
  entity: (_input, { state_id }) => ({ kind: 'state', id: state_id }),
  run: async ({ input: { project_id, state_id, name: wanted }, work, services }) => {
    const { id, name } = await services.states.rename(work, { project_id, state: state_id, name: wanted });
    return { state_id: id, name };
  },
});
