import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '#testing/world';

const HOUR = 3_600_000;
const SCOPES = ['workspace:read', 'project:read', 'issue:read', 'issue:create'];

interface Scene {
  readonly world: World;
  readonly project_id: string;
  readonly owner_id: string;
  readonly agent_id: string;
  readonly token: string;
}

async function aScene(world: World, scopes: readonly string[] = SCOPES): Promise<Scene> {
  const { project_id } = await world.ask('admin_add_project', { name: 'Engine' });
  const owner_id = await world.addUser('Ada');
  const agent = await world.ask('admin_create_agent', { name: 'Bot', owner_id, project_ids: [project_id], scopes });
  return {
    world,
    project_id: project_id as string,
    owner_id,
    agent_id: agent.agent_id as string,
    token: agent.token as string,
  };
}

const works = async ({ gateway }: World, token: unknown): Promise<boolean> =>
  gateway.authenticate(token as string).then(
    () => true,
    () => false,
  );

/** What the agent behind a token may do in a project. */
async function rightsIn({ gateway }: World, token: string, project_id: string) {
  const { reach } = await gateway.authenticate(token);
  const rights = reach instanceof Map ? reach.get(project_id) : undefined;
  return rights && { ...rights, scopes: [...rights.scopes].toSorted() };
}

describe('an agent', () => {
  it('is listed with its present abilities', async () => {
    await using world = await createWorld();
    const { agent_id, owner_id } = await aScene(world);
    const listed = async () => ((await world.ask('admin_list_agents', {})).agents as Record<string, unknown>[])[0];

    const fresh = await listed();
    await world.ask('admin_block_user', { user_id: owner_id });
    const blocked = await listed();
    await world.ask('admin_unblock_user', { user_id: owner_id });
    world.time.now += 90 * 24 * HOUR;
    const ended = await listed();

    expect(fresh).toMatchObject({
      agent_id,
      owner_id,
      status: 'active',
      live_tokens: 1,
      expires_at: '2026-04-01T00:00:00.000Z',
    });
    expect(blocked).toMatchObject({ status: 'owner_blocked', live_tokens: 1 });
    expect(ended).toMatchObject({ status: 'no_live_token', live_tokens: 0, expires_at: null });
  });

  it('is shown with its grants and its tokens, and no secret', async () => {
    await using world = await createWorld();
    const { agent_id, project_id, token } = await aScene(world);
    await world.ask('admin_rotate_agent', { agent_id, overlap: '0s' });

    const shown = await world.ask('admin_show_agent', { agent_id });

    expect(shown).toMatchObject({
      agent_id,
      name: 'Bot',
      grants: [{ project_id, project_name: 'Engine', scopes: SCOPES, can_complete: false, can_cancel: false }],
      tokens: [{ status: 'expired' }, { status: 'live', scopes: SCOPES }],
    });
    expect(JSON.stringify(shown)).not.toContain(token.slice(-20));
    expect(JSON.stringify(shown)).not.toContain('hash');
  });

  it('is created with a warning when another has the name', async () => {
    await using world = await createWorld();
    const { agent_id } = await aScene(world);

    const second = await world.ask('admin_create_agent', { name: 'bot', scopes: ['todo:read'] });
    const other = await world.ask('admin_create_agent', { name: 'Planner', scopes: ['todo:read'] });

    expect(second.warning).toContain(`means several agents now, so name them by id. It is also: ${agent_id}.`);
    expect(other).not.toHaveProperty('warning');
  });

  it('works for an existing user who is not blocked', async () => {
    await using world = await createWorld();
    const { project_id, owner_id, agent_id } = await aScene(world);
    await world.ask('admin_block_user', { user_id: owner_id });
    const fields = { name: 'Bot', project_ids: [project_id], scopes: SCOPES };

    const blocked = await world.refuse('admin_create_agent', { ...fields, owner_id });
    const unknown = await world.refuse('admin_create_agent', { ...fields, owner_id: 'nobody' });
    const rotated = await world.refuse('admin_rotate_agent', { agent_id });

    expect([blocked.code, unknown.code, rotated.code]).toEqual(['validation_error', 'not_found', 'validation_error']);
  });

  it('is unknown with the same error in every tool', async () => {
    await using world = await createWorld();
    const { project_id } = await aScene(world);
    const grant = { project_id, scopes: ['issue:read'] };

    const answers = [
      await world.refuse('admin_show_agent', { agent_id: 'none' }),
      await world.refuse('admin_grant_agent', { agent_id: 'none', ...grant }),
      await world.refuse('admin_ungrant_agent', { agent_id: 'none', project_id }),
      await world.refuse('admin_rotate_agent', { agent_id: 'none' }),
      await world.refuse('admin_revoke_agent', { agent_id: 'none' }),
    ];

    expect(answers.map(({ code, message }) => `${code}: ${message}`)).toEqual(
      Array(answers.length).fill('not_found: There is no agent "none".'),
    );
  });
});

describe('a grant', () => {
  it('replaces what was granted in its project at once, and leaves other projects unchanged', async () => {
    await using world = await createWorld();
    const { agent_id, project_id, token } = await aScene(world);
    const other = (await world.ask('admin_add_project', { name: 'Other' })).project_id as string;

    await world.ask('admin_grant_agent', { agent_id, project_id: other, scopes: ['issue:read'] });
    await world.ask('admin_grant_agent', { agent_id, project_id, scopes: ['issue:create'], can_complete: true });

    expect(await rightsIn(world, token, other)).toEqual({
      scopes: ['issue:read'],
      can_complete: false,
      can_cancel: false,
    });
    expect(await rightsIn(world, token, project_id)).toEqual({
      scopes: ['issue:create'],
      can_complete: true,
      can_cancel: false,
    });
  });

  it('gives nothing that no valid token of the agent holds, and says how it could', async () => {
    await using world = await createWorld();
    const { agent_id, project_id } = await aScene(world);
    const grant = { agent_id, project_id, scopes: ['issue:read', 'issue:move'] };

    const refused = await world.refuse('admin_grant_agent', grant);
    const { token } = await world.ask('admin_rotate_agent', { agent_id, scopes: [...SCOPES, 'issue:move'] });
    await world.ask('admin_grant_agent', grant);

    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('issue:move') });
    expect(refused.hint).toContain(`agent rotate ${agent_id} --scopes`);
    expect(await rightsIn(world, token as string, project_id)).toMatchObject({ scopes: ['issue:move', 'issue:read'] });
  });

  it('does not count the scopes of ended tokens', async () => {
    await using world = await createWorld();
    const { agent_id, project_id } = await aScene(world, [...SCOPES, 'issue:move']);
    await world.ask('admin_rotate_agent', { agent_id, scopes: SCOPES, overlap: '0s' });

    const refused = await world.refuse('admin_grant_agent', { agent_id, project_id, scopes: ['issue:move'] });

    expect(refused.code).toBe('validation_error');
  });

  it('never holds scopes for people only, nor scopes that the caller does not hold there', async () => {
    await using world = await createWorld();
    const { agent_id, project_id } = await aScene(world, ['issue:read', 'issue:create']);
    const user_id = await world.addUser('Bob');
    const mine = (await world.ask('admin_add_project', { name: 'Of Bob' })).project_id;
    await world.ask('admin_add_member', { project_id: mine, user_id });
    const bob = await world.callerWith({ user_id, scopes: ['admin', 'issue:read'] });
    const grant = { agent_id, project_id: mine, scopes: ['issue:read'] };

    const never = [
      await world.refuse('admin_grant_agent', { ...grant, scopes: ['admin'] }),
      await world.refuse('admin_grant_agent', { ...grant, scopes: ['board:delete'] }),
      await world.refuse('admin_grant_agent', { ...grant, scopes: ['todo:act_as'] }),
    ];
    const codes = [
      await world.refuse('admin_grant_agent', { ...grant, scopes: ['issue:create'] }, bob),
      await world.refuse('admin_grant_agent', { ...grant, project_id }, bob),
      await world.refuse('admin_grant_agent', { ...grant, project_id: 'none' }),
    ].map(({ code }) => code);
    await world.ask('admin_grant_agent', grant, bob);

    expect(never).toMatchObject(
      Array(3).fill({ code: 'validation_error', message: expect.stringContaining('no agent may hold') }),
    );
    expect(codes).toEqual(['insufficient_scope', 'insufficient_scope', 'not_found']);
  });

  it('[TSK-16] ends at once when it is revoked', async () => {
    await using world = await createWorld();
    const { agent_id, project_id, token } = await aScene(world);

    await world.ask('admin_ungrant_agent', { agent_id, project_id });
    const again = await world.refuse('admin_ungrant_agent', { agent_id, project_id });

    expect(await rightsIn(world, token, project_id)).toBeUndefined();
    expect(await works(world, token)).toBe(true);
    expect(again.code).toBe('not_found');
  });
});

describe('rotating', () => {
  it('leaves the earlier tokens valid for an hour, but not past their own end', async () => {
    await using world = await createWorld();
    const { agent_id, token: first } = await aScene(world);
    const brief = await world.ask('admin_rotate_agent', { agent_id, expires_in: '10m' });

    const { token: last, earlier_tokens } = await world.ask('admin_rotate_agent', { agent_id });
    const now = [await works(world, first), await works(world, brief.token), await works(world, last)];
    world.time.now += HOUR / 2;
    const later = [await works(world, first), await works(world, brief.token), await works(world, last)];
    world.time.now += HOUR / 2;
    const after = [await works(world, first), await works(world, brief.token), await works(world, last)];

    expect(earlier_tokens).toMatchObject([
      { expires_at: '2026-01-01T01:00:00.000Z' },
      { token_id: brief.token_id, expires_at: '2026-01-01T00:10:00.000Z' },
    ]);
    expect([now, later, after]).toEqual([
      [true, true, true],
      [true, false, true],
      [false, false, true],
    ]);
  });

  it('ends the earlier tokens at once with an overlap of 0s', async () => {
    await using world = await createWorld();
    const { agent_id, token: first } = await aScene(world);

    const { token } = await world.ask('admin_rotate_agent', { agent_id, overlap: '0s', expires_in: '30d' });

    expect([await works(world, first), await works(world, token)]).toEqual([false, true]);
  });

  it('[TSK-06] keeps agent, owner, scopes and idempotency keys', async () => {
    await using world = await createWorld();
    const { agent_id, owner_id, token: first } = await aScene(world);

    const { token } = await world.ask('admin_rotate_agent', { agent_id });
    const [before, after] = await Promise.all(
      [first, token].map((secret) => world.gateway.authenticate(secret as string)),
    );

    expect(after).toMatchObject({ agent_id, user_id: owner_id, principal_id: before?.principal_id });
    expect(after?.scopes).toEqual(before?.scopes);
    expect(after?.token_id).not.toBe(before?.token_id);
  });

  it('hands out no more than the caller holds, for no longer, and no scopes for people only', async () => {
    await using world = await createWorld();
    const { agent_id } = await aScene(world);
    const user_id = await world.addUser('Bob');
    const bob = await world.callerWith({ user_id, scopes: ['admin', 'workspace:read'] });
    const brief = await world.callerWith({ scopes: ['admin', ...SCOPES], expires_in: '1d' });

    const codes = [
      await world.refuse('admin_rotate_agent', { agent_id }, bob),
      await world.refuse('admin_rotate_agent', { agent_id, scopes: ['todo:read'] }, bob),
      await world.refuse('admin_rotate_agent', { agent_id, expires_in: '2d' }, brief),
      await world.refuse('admin_rotate_agent', { agent_id, scopes: ['admin'] }),
      await world.refuse('admin_rotate_agent', { agent_id, expires_in: '0s' }),
    ].map(({ code }) => code);
    const { expires_at } = await world.ask('admin_rotate_agent', { agent_id }, brief);

    expect(codes).toEqual([...Array(2).fill('insufficient_scope'), ...Array(3).fill('validation_error')]);
    expect(expires_at).toBe('2026-01-02T00:00:00.000Z');
  });

  it('reaches no project that the caller does not reach', async () => {
    await using world = await createWorld();
    const { agent_id } = await aScene(world, ['issue:read']);
    const user_id = await world.addUser('Bob');
    const own = (await world.ask('admin_add_project', { name: 'Of Bob' })).project_id;
    await world.ask('admin_add_member', { project_id: own, user_id });
    const bob = await world.callerWith({ user_id, scopes: ['admin', 'issue:read'] });

    const refused = await world.refuse('admin_rotate_agent', { agent_id }, bob);

    expect(refused).toMatchObject({ code: 'insufficient_scope', message: expect.stringContaining('in project') });
  });
});

describe('revoking', () => {
  it('[TSK-07] ends every token of the agent at once, keeps its grants, and can be repeated', async () => {
    await using world = await createWorld();
    const { agent_id, project_id, token: first } = await aScene(world);
    const { token: second } = await world.ask('admin_rotate_agent', { agent_id });

    const ended = await world.ask('admin_revoke_agent', { agent_id });
    const again = await world.ask('admin_revoke_agent', { agent_id });
    const dead = [await works(world, first), await works(world, second)];
    const { token: third } = await world.ask('admin_rotate_agent', { agent_id });

    expect([ended.ended_tokens, again.ended_tokens]).toEqual([2, 0]);
    expect(dead).toEqual([false, false]);
    expect(await rightsIn(world, third as string, project_id)).toMatchObject({
      scopes: ['issue:create', 'issue:read', 'project:read', 'workspace:read'],
    });
  });
});
