import { z } from 'zod';
import { defineTool } from '#tools/define';
import { workspaceFields } from './fields.ts';

export const showWorkspace = defineTool({
  name: 'show_workspace',
  title: 'Show the workspace',
  description: 'Shows the name of the workspace and its guide for agents.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /workspace',
  cli: { command: 'workspace show' },
  input: z.object({}),
  output: z.object({ ...workspaceFields, user_id: z.string().describe('You, as the workspace knows you (UUID).') }),
  run: async ({ work, services }) => {
    const { id, name, guide, members } = await services.workspace.show(work);
    return { workspace_id: id, name, guide, members, user_id: work.caller.user_id };
  },
});
