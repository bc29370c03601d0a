import { describe, expect, it } from 'vitest';
import { createTracker } from '#testing/tracker';
import { createWorld } from '#testing/world';

describe('admin_show_me', () => {
  it('tells a member who they are and what they may do where', async () => {
    await using world = await createWorld();
    const { project } = createTracker(world);
    const [mine] = [await project('Mine'), await project('Not mine')];
    const user_id = await world.addUser('Anna');
    await world.ask('admin_add_member', { project_id: mine, user_id, role: 'guest' });
    const anna = await world.callerWith({ user_id, scopes: ['board:read', 'board:write'] });

    const me = await world.ask('admin_show_me', {}, anna);

    expect(me).toMatchObject({
      user: { user_id, name: 'Anna', role: 'member', has_password: false },
      workspace: { workspace_id: world.owner.workspace_id },
      scopes: ['board:read', 'board:write'],
      executors: [],
      server: { version: '9.9.9' },
    });
    expect(me.projects).toMatchObject([
      { project_id: mine, name: 'Mine', kind: 'team', scopes: ['board:read'], can_complete: false },
      { name: 'Inbox', kind: 'personal', scopes: ['board:read', 'board:write'], can_complete: true },
    ]);
  });

  it('tells nobody without a token', async () => {
    await using world = await createWorld();

    await expect(world.gateway.authenticate(null)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
