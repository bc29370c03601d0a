import { z } from 'zod';
import { Scope } from '#domain/scope';
import { UserRole } from '#domain/user';
import { defineTool } from '#tools/define';

export const showMe = defineTool({
  name: 'show_me',
  title: 'Show who you are',
  description: 'Shows the user whom you are or work for, your projects with what you may do there, and this server.',
  scope: 'board:read',
  effect: 'read',
  route: 'GET /me',
  cli: { command: 'user me' },
  input: z.object({}),
  output: z.object({
    user: z
      .object({
        user_id: z.string().describe('The user (UUID).'),
        name: z.string().describe('Name.'),
        role: UserRole.describe('member or admin.'),
        has_password: z.boolean().describe('Whether they sign in with a password.'),
      })
      .describe('Whom you are or work for.'),
    workspace: z
      .object({ workspace_id: z.string().describe('The workspace (UUID).'), name: z.string().describe('Name.') })
      .describe('The workspace.'),
    scopes: z.array(Scope).describe('What you may do somewhere.'),
    projects: z
      .array(
        z.object({
          project_id: z.string().describe('The project (UUID).'),
          key: z.string().nullable().describe('Key, such as WEB; null for none.'),
          name: z.string().describe('Name.'),
          kind: z.enum(['team', 'personal']).describe('team, or personal for a todo list.'),
          scopes: z.array(Scope).describe('What you may do there.'),
          can_complete: z.boolean().describe('Whether you may move tasks to done.'),
          can_cancel: z.boolean().describe('Whether you may cancel tasks.'),
        }),
      )
      .describe('Your projects, at most 500.'),
    executors: z
      .array(
        z.object({
          executor: z.string().describe('Name for start_task_attempt.'),
          title: z.string().describe('Name for people.'),
          is_ready: z.boolean().describe('Whether it can start now.'),
        }),
      )
      .describe('The agents that can be started here.'),
    server: z.object({ version: z.string().describe('Version of Errand.') }).describe('This server.'),
  }),
  run: async ({ work, services }) => {
    const { user, workspace, projects, executors, version, has_password } = await services.me.show(work);
    return {
      user: { user_id: user.id, name: user.name, role: user.role, has_password },
      workspace: { workspace_id: workspace.id, name: workspace.name },
      scopes: [...work.caller.scopes],
      projects: projects.map(({ project: { id, key, name, kind }, rights: { scopes, can_complete, can_cancel } }) => ({
        project_id: id,
        key,
        name,
        kind,
        scopes: [...scopes],
        can_complete,
        can_cancel,
      })),
      executors: executors.map(({ executor, title, is_ready }) => ({ executor, title, is_ready })),
      server: { version },
    };
  },
});
