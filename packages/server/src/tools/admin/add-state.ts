import { z } from 'zod';
import { StateGroup } from '#domain/project';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const addState = defineTool({
  name: 'add_state',
  title: 'Add a state',
  description: 'Adds a state to a project, after those that it has.',
  scope: 'admin',
  effect: 'create',
  route: 'POST /projects/{project_id}/states',
  cli: { command: 'state add', positionals: ['name'], flags: { project_id: 'project', state_group: 'group' } },
  input: z.object({
    project_id: adminFields.project_id,
    name: adminFields.short_name,
    state_group: StateGroup.describe('The group of the state: backlog, unstarted, started, completed or cancelled.'),
  }),
  output: z.object({
    state_id: z.string().describe('The id of the state (UUID).'),
    slug: z.string().describe('Its short name, of its own within the project.'),
  }),
  entity: (_input, { state_id }) => ({ kind: 'state', id: state_id }),
  run: async ({ input: { project_id, name, state_group }, work, services }) => {
    const { id, slug } = await services.states.add(work, { project_id, name, state_group });
    return { state_id: id, slug };
  },
});
