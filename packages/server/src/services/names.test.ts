import { describe, expect, it } from 'vitest';
import { createWorld } from '#testing/world';

async function aWorkspace() {
  const world = await createWorld();
  const { project_id } = await world.ask('admin_add_project', { name: 'Website' });
  return { world, project_id: project_id as string };
}

describe('a name where an admin tool takes an id', () => {
  it('finds the project of that name in any case, and the audit trail has its id', async () => {
    const { world, project_id } = await aWorkspace();

    await world.ask('admin_add_repo', { project_id: 'website', path: '/repos/web' });
    await world.ask('admin_update_project', { project_id: 'Website', name: 'Web' });

    expect(await world.ask('admin_list_repos', { project_id })).toMatchObject({ repos: [{ name: 'web' }] });
    expect((await world.ask('admin_list_audit', { entity_id: project_id })).entries).toMatchObject([
      { action: 'admin_update_project' },
      {},
    ]);
  });

  it('finds users, agents and repositories too', async () => {
    const { world, project_id } = await aWorkspace();
    const ana = await world.addUser('Ana');
    await world.ask('admin_add_repo', { project_id, path: '/repos/web' });

    const made = await world.ask('admin_create_agent', {
      name: 'robot',
      owner_id: 'ana',
      project_ids: ['Website', 'website'],
      scopes: ['board:read'],
    });
    const shown = await world.ask('admin_show_agent', { agent_id: 'Robot' });
    const repo = await world.ask('admin_update_repo', { repo_id: 'web', target_branch: 'next' });

    expect(shown).toMatchObject({ agent_id: made.agent_id, owner_id: ana, grants: [{ project_id }] });
    expect(repo).toMatchObject({ target_branch: 'next' });
  });

  it('is refused with the candidates when there is more than one', async () => {
    const { world, project_id } = await aWorkspace();
    const [first, second] = [await world.addUser('Ana'), await world.addUser('ana')];

    const error = await world.refuse('admin_add_member', { project_id, user_id: 'ANA' });

    expect(error).toMatchObject({
      code: 'ambiguous',
      message: '"ANA" can mean 2 users.',
      hint: `Give one of: ${first} (Ana), ${second} (ana).`,
      details: { field: 'user_id', candidates: [{ id: first, key: null, name: 'Ana' }, { id: second }] },
    });
  });

  it('may be the start of an id, of six characters or more', async () => {
    const { world, project_id } = await aWorkspace();
    const only = project_id.slice(0, -1);

    const error = await world.refuse('admin_list_repos', { project_id: project_id.slice(0, 6) });

    // Ids of tests differ only in their last characters: all begin like this.
    expect(error.message).toMatch(/^"000000" can mean \d+ projects\.$/);
    expect((await world.refuse('admin_list_repos', { project_id: only })).message).toContain('can mean');
    expect((await world.refuse('admin_list_repos', { project_id: '00000' })).code).toBe('not_found');
    expect(await world.ask('admin_list_repos', { project_id })).toEqual({ repos: [] });
  });

  it('never finds another user’s todo list, nor a user of an app', async () => {
    const { world } = await aWorkspace();
    await world.addUser('Ana');

    expect(await world.ask('admin_list_states', { project_id: 'Inbox' })).toHaveProperty('states');
    expect((await world.refuse('admin_block_user', { user_id: 'Nobody' })).code).toBe('not_found');
  });
});
