import { describe, expect, it } from 'vitest';
import { createWorld } from '#testing/world';
import { hashSecret, isWellFormedSecret, mintSecret } from './token-secret.ts';

describe('a secret', () => {
  it('names its kind, holds 178 random bits and proves its own spelling', () => {
    const secrets = Array.from({ length: 200 }, () => mintSecret('agent'));

    expect(new Set(secrets).size).toBe(200);
    for (const secret of secrets) {
      expect(secret).toMatch(/^errand_agent_[0-9A-Za-z]{36}$/);
      expect(isWellFormedSecret(secret)).toBe(true);
    }
  });

  it('is not mistaken for one with a letter changed', () => {
    const secret = mintSecret('user');

    const changed = Array.from({ length: 30 }, (_, i) => {
      const at = 12 + i;
      return `${secret.slice(0, at)}${secret[at] === 'x' ? 'y' : 'x'}${secret.slice(at + 1)}`;
    });

    expect(changed.filter(isWellFormedSecret)).toEqual([]);
  });
});

describe('tokens', () => {
  it('are stored as a hash only', async () => {
    await using world = await createWorld();
    const { token, token_id } = await world.token({});

    const kept = (await world.store.reads.tokens.list(world.owner.workspace_id, { after: null, limit: 100 })).find(
      ({ id }) => id === token_id,
    );

    expect(kept?.hash).toBe(hashSecret(token as string));
    expect(JSON.stringify(kept)).not.toContain(token);
    expect(JSON.stringify(await world.ask('admin_list_tokens', {}))).not.toContain(kept?.hash);
  });

  it('belong to an existing user', async () => {
    await using world = await createWorld();
    const fields = { kind: 'user', name: 'x', scopes: ['todo:read'] };

    const unknown = await world.refuse('admin_create_token', { ...fields, user_id: 'nobody' });
    const apart = await world.refuse('admin_create_token', { ...fields, app: 'shop' });
    const mixed = await world.refuse('admin_create_token', { ...fields, user_ids: ['*'] });
    const idle = await world.refuse('admin_create_token', { ...fields, kind: 'service' });
    const user_id = await world.addUser('Bob');
    await world.ask('admin_block_user', { user_id });
    const blocked = await world.refuse('admin_create_token', { ...fields, user_id });

    expect(unknown.code).toBe('not_found');
    expect([apart.code, mixed.code, idle.code, blocked.code]).toEqual(Array(4).fill('validation_error'));
  });

  it('can be revoked again, and only when they exist', async () => {
    await using world = await createWorld();
    const { token_id } = await world.token({});

    await world.ask('admin_revoke_token', { token_id });
    const again = await world.ask('admin_revoke_token', { token_id });
    const unknown = await world.refuse('admin_revoke_token', { token_id: 'none' });

    expect(again).toEqual({ token_id, status: 'revoked' });
    expect(unknown.code).toBe('not_found');
  });
});

describe('a service', () => {
  it('hands out no users that it may not name itself', async () => {
    await using world = await createWorld();
    const [ann, bob] = [await world.addUser('Ann'), await world.addUser('Bob')];
    const scopes = ['admin', 'todo:read', 'todo:act_as'];
    const service = await world.callerWith({ kind: 'service', user_ids: [ann], scopes });
    const make = (user_ids: readonly string[]) =>
      world.call('admin_create_token', { kind: 'service', name: 'more', user_ids, scopes: ['todo:read'] }, service);

    const answers = [await make([ann]), await make([bob]), await make([ann, bob]), await make(['*'])];

    expect(answers.map(({ ok }) => ok)).toEqual([true, false, false, false]);
  });
});

describe('agents', () => {
  it('need a project only for scopes that are granted per project', async () => {
    await using world = await createWorld();
    const make = (scopes: readonly string[]) => world.call('admin_create_agent', { name: 'robot', scopes });

    expect(await make(['todo:read', 'workspace:read'])).toMatchObject({ ok: true });
    expect(await make(['todo:read', 'issue:read'])).toMatchObject({
      ok: false,
      error: { message: 'project_ids: needs at least one for issue:read.' },
    });
  });

  const scopes = ['todo:read', 'todo:write'];

  it('work for their owner, in the projects they were granted, for 90 days', async () => {
    await using world = await createWorld();
    const owner_id = await world.addUser('Ada');
    const { project_id } = await world.ask('admin_add_project', { name: 'Engine' });

    const agent = await world.ask('admin_create_agent', {
      name: 'Bot',
      owner_id,
      project_ids: [project_id],
      scopes,
      can_complete: true,
    });
    const caller = await world.gateway.authenticate(agent.token as string);

    expect(agent.expires_at).toBe(new Date(world.time.now + 90 * 86_400_000).toISOString());
    expect(caller).toMatchObject({
      kind: 'agent',
      user_id: owner_id,
      agent_id: agent.agent_id,
      principal_id: agent.agent_id,
    });
    expect((await world.call('todo_add_task', { user_id: 'me', title: 'x' }, caller)).ok).toBe(true);
    expect(await world.ask('admin_list_agents', {})).toMatchObject({
      agents: [{ agent_id: agent.agent_id, name: 'Bot', owner_id }],
    });
    expect(await world.store.reads.agents.grants(caller.workspace_id, agent.agent_id as never)).toEqual([
      { agent_id: agent.agent_id, project_id, scopes, can_complete: true, can_cancel: false },
    ]);
  });

  it('never hold scopes for people only, nor name unknown users or projects; a refusal leaves nothing', async () => {
    await using world = await createWorld();
    const { project_id } = await world.ask('admin_add_project', { name: 'Engine' });
    const fields = { name: 'Bot', owner_id: world.owner.user_id, project_ids: [project_id], scopes };

    const codes = [
      await world.refuse('admin_create_agent', { ...fields, scopes: ['admin'] }),
      await world.refuse('admin_create_agent', { ...fields, scopes: ['board:delete'] }),
      await world.refuse('admin_create_agent', { ...fields, owner_id: 'nobody' }),
      await world.refuse('admin_create_agent', { ...fields, project_ids: [project_id, 'nothing'] }),
    ].map(({ code }) => code);

    expect(codes).toEqual(['validation_error', 'validation_error', 'not_found', 'not_found']);
    expect(await world.store.reads.agents.list(world.owner.workspace_id, { after: null, limit: 100 })).toEqual([]);
  });
});

describe('users and projects', () => {
  it('start with the default states', async () => {
    await using world = await createWorld();

    const { project_id } = await world.ask('admin_add_project', { name: 'Engine', card_guide: 'Short titles.' });
    const states = await world.store.reads.projects.states(world.owner.workspace_id, project_id as never);

    expect(states.map(({ slug, state_group }) => `${slug}:${state_group}`)).toEqual([
      'todo:unstarted',
      'inprogress:started',
      'inreview:started',
      'done:completed',
      'cancelled:cancelled',
    ]);
  });

  it('link existing repositories', async () => {
    await using world = await createWorld();
    const { project_id } = await world.ask('admin_add_project', { name: 'Engine' });

    const { repo_id } = await world.ask('admin_add_repo', { project_id, path: '/repos/engine/' });
    const codes = [
      await world.refuse('admin_add_repo', { project_id, path: '/elsewhere' }),
      await world.refuse('admin_add_repo', { project_id, path: 'repos/engine' }),
      await world.refuse('admin_add_repo', { project_id: 'none', path: '/repos/engine' }),
      await world.refuse('admin_add_repo', { project_id, path: '/repos/engine', target_branch: '--upload-pack=x' }),
      await world.refuse('admin_add_repo', { project_id, path: '/repos/engine/' }),
    ].map(({ code }) => code);

    expect(await world.ask('admin_list_repos', { project_id })).toEqual({
      repos: [{ repo_id, name: 'engine', path: '/repos/engine/', target_branch: 'main', setup_script: null }],
    });
    expect((await world.refuse('admin_list_repos', { project_id: 'none' })).code).toBe('not_found');
    expect(await world.ask('admin_list_projects', { limit: 1 })).toMatchObject({
      projects: [{ name: 'Inbox', kind: 'personal', owner_id: world.owner.user_id }],
      next_cursor: expect.any(String),
    });
    expect(codes).toEqual(['validation_error', 'validation_error', 'not_found', 'validation_error', 'conflict']);
  });

  it('list all users, and refuse to block the caller', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    await world.ask('admin_block_user', { user_id: bob });

    const self = await world.refuse('admin_block_user', { user_id: world.owner.user_id });
    const admin = await world.callerWith({ user_id: await world.addUser('Ada'), scopes: ['admin'] });
    const owner = await world.refuse('admin_block_user', { user_id: world.owner.user_id }, admin);
    const unknown = await world.refuse('admin_unblock_user', { user_id: 'nobody' });
    const { users } = await world.ask('admin_list_users', {});

    expect([self.code, owner.code, unknown.code]).toEqual(['validation_error', 'validation_error', 'not_found']);
    expect((users as { name: string; status: string }[]).map(({ name, status }) => `${name}:${status}`)).toEqual([
      'owner:active',
      'Bob:blocked',
      'Ada:active',
    ]);
  });
});
