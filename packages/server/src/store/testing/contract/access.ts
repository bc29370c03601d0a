import { expect, it } from 'vitest';
import type { AgentId, RepoId, TokenId, UserId } from '#domain/ids';
import { isUsable, type Token } from '#domain/token';
import { anId, aProject, aToken, aUser, EVERYTHING, type OpenFixture, settle, someStates } from './fixture.ts';

/** Workspaces, users, agents, projects, tokens. */
export function describeAccess(open: OpenFixture): void {
  it('[2.1] finds users and projects in their own workspace only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [mine, theirs] = [await settle(store), await settle(store)];
    const { reads } = store;

    expect(await reads.users.find(mine.workspace_id, mine.user.id)).toEqual(mine.user);
    expect(await reads.users.find(theirs.workspace_id, mine.user.id)).toBeNull();
    expect(await reads.users.list(theirs.workspace_id, EVERYTHING)).toEqual([theirs.user]);
    expect(await reads.projects.find(theirs.workspace_id, mine.project.id)).toBeNull();
    expect(await reads.projects.list(mine.workspace_id, EVERYTHING)).toEqual([mine.project]);
    expect(await reads.projects.states(mine.workspace_id, mine.project.id)).toEqual(mine.states);
    expect(await reads.projects.states(theirs.workspace_id, mine.project.id)).toEqual([]);
    expect(await reads.workspaces.first()).toMatchObject({ id: mine.workspace_id });
  });

  it('[3.1] keeps agents, grants and repositories', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user, project: own } = await settle(store);
    const other = await settle(store);
    const project = aProject(workspace_id, { card_guide: 'Write tests.' });
    const agent = { id: anId<AgentId>(), workspace_id, owner_id: user.id, name: 'claude', created_at: 2 };
    const grant = { agent_id: agent.id, project_id: project.id, can_complete: false, can_cancel: true };
    const repo = {
      id: anId<RepoId>(),
      project_id: project.id,
      name: 'r',
      path: '/r',
      target_branch: 'main',
      setup_script: 'npm ci',
      created_at: 2,
    };

    await store.transaction(async (tx) => {
      await tx.projects.insert(project, someStates(project.id));
      await tx.projects.insertRepo(repo);
      await tx.agents.insert(agent);
      await tx.agents.putGrant({ ...grant, scopes: ['issue:read'] });
      await tx.agents.putGrant({ ...grant, can_complete: true, scopes: ['issue:read', 'issue:create'] });
    });

    expect(await store.reads.agents.list(workspace_id, EVERYTHING)).toEqual([agent]);
    expect(await store.reads.agents.grants(workspace_id, agent.id)).toEqual([
      { ...grant, can_complete: true, scopes: ['issue:read', 'issue:create'] },
    ]);
    expect(await store.reads.agents.grants(other.workspace_id, agent.id)).toEqual([]);
    expect(await store.reads.projects.repos(workspace_id, project.id)).toEqual([repo]);
    expect(await store.reads.projects.repos(other.workspace_id, project.id)).toEqual([]);
    expect(await store.reads.projects.repos(workspace_id, own.id)).toEqual([]);
  });

  it('[3.2] presents a token until it is revoked, expires, or its owner is blocked', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const { workspace_id, user } = await settle(store);
    const now = await store.transaction(async (tx) => tx.now);
    const lasting = aToken(user, { acts_for: [user.id, 'u2' as UserId] });
    const expiring = aToken(user, { expires_at: now + 60_000, acts_for: '*' });
    await store.transaction(async (tx) => {
      await tx.tokens.insert(lasting);
      await tx.tokens.insert(expiring);
    });
    const usable = async (hash: string): Promise<boolean | undefined> => {
      const presented = await store.reads.tokens.present(hash);
      return presented === null ? undefined : isUsable(presented);
    };

    expect(await store.reads.tokens.present(lasting.hash)).toMatchObject({
      known: { token: lasting, owner_status: 'active', owner_role: 'member', grants: [], memberships: [] },
    });
    expect(await store.reads.tokens.present('unknown')).toBeNull();
    expect(await store.reads.tokens.list(workspace_id, EVERYTHING)).toEqual([lasting, expiring]);
    expect([await usable(lasting.hash), await usable(expiring.hash)]).toEqual([true, true]);

    await elapse(61_000);
    expect([await usable(lasting.hash), await usable(expiring.hash)]).toEqual([true, false]);

    expect(await store.transaction((tx) => tx.users.setStatus(workspace_id, user.id, 'blocked'))).toBe(true);
    expect(await usable(lasting.hash)).toBe(false);
    await store.transaction((tx) => tx.users.setStatus(workspace_id, user.id, 'active'));
    expect(await usable(lasting.hash)).toBe(true);

    expect(await store.transaction((tx) => tx.tokens.revoke(workspace_id, lasting.id, 5))).toBe(true);
    expect(await usable(lasting.hash)).toBe(false);
  });

  it('[3.4] keeps the first time of a revocation, and revokes nothing of another workspace', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user } = await settle(store);
    const other = await settle(store);
    const token = aToken(user);
    await store.transaction((tx) => tx.tokens.insert(token));

    const done = await store.transaction(async (tx) => [
      await tx.tokens.revoke(other.workspace_id, token.id, 4),
      await tx.tokens.revoke(workspace_id, token.id, 5),
      await tx.tokens.revoke(workspace_id, token.id, 6),
      await tx.tokens.revoke(workspace_id, anId<TokenId>(), 7),
      await tx.users.setStatus(other.workspace_id, user.id, 'blocked'),
    ]);

    expect(done).toEqual([false, true, true, false, false]);
    expect(await store.reads.tokens.list(workspace_id, EVERYTHING)).toEqual([{ ...token, revoked_at: 5 }]);
  });

  it('[3.4] revokes the tokens of a user that hold a scope, and no others', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);
    const other = await settle(store);
    const [both, plain, ended] = [
      aToken(user, { scopes: ['board:read', 'admin'] }),
      aToken(user, { scopes: ['board:read'] }),
      aToken(user, { scopes: ['admin'], revoked_at: 3 }),
    ];
    const elsewhere = aToken(other.user, { scopes: ['admin'] });
    await store.transaction(async (tx) => {
      for (const token of [both, plain, ended, elsewhere]) await tx.tokens.insert(token);
      await tx.tokens.revokeWith({ workspace_id: other.workspace_id, id: user.id }, 'admin', 4);
      await tx.tokens.revokeWith(user, 'admin', 5);
      await tx.tokens.revokeWith(user, 'board:run', 6);
    });

    const revoked = async (token: Token) => (await store.reads.tokens.find(token.workspace_id, token.id))?.revoked_at;
    expect([await revoked(both), await revoked(plain), await revoked(ended)]).toEqual([5, null, 3]);
    expect(await revoked(elsewhere)).toBeNull();
  });

  it('[3.5] gives the todo list of an active user, also while users change', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user, project, states } = await settle(store);
    const other = await settle(store);
    const list = {
      workspace_id,
      project_id: project.id,
      pending_state_id: states[0]?.id,
      completed_state_id: states[2]?.id,
    };

    const seen = await store.transaction(async (tx) => {
      const before = await tx.projects.todoList(workspace_id, user.id);
      await tx.users.setStatus(workspace_id, user.id, 'blocked');
      const blocked = await tx.projects.todoList(workspace_id, user.id);
      const newcomer = aUser(workspace_id);
      await tx.users.insert(newcomer);
      const none = await tx.projects.todoList(workspace_id, newcomer.id);
      const own = aProject(workspace_id, { kind: 'personal', owner_id: newcomer.id });
      await tx.projects.insert(own, someStates(own.id));
      return {
        before,
        blocked,
        none,
        some: (await tx.projects.todoList(workspace_id, newcomer.id))?.project_id === own.id,
      };
    });

    expect(seen).toEqual({ before: list, blocked: null, none: null, some: true });
    expect(await store.reads.projects.todoList(workspace_id, user.id)).toBeNull();
    expect(await store.reads.projects.todoList(workspace_id, other.user.id)).toBeNull();
    expect(await store.reads.projects.todoList(other.workspace_id, other.user.id)).toMatchObject({
      pending_state_id: other.states[0]?.id,
      completed_state_id: other.states[2]?.id,
    });
  });

  it('[3.5] refuses a second personal project of a user, and a second token of the same secret', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user } = await settle(store);
    const token = aToken(user);
    await store.transaction((tx) => tx.tokens.insert(token));

    const second = aProject(workspace_id, { kind: 'personal', owner_id: user.id });
    const project = store.transaction((tx) => tx.projects.insert(second, []));
    const copy = store.transaction((tx) => tx.tokens.insert(aToken(user, { hash: token.hash })));

    await expect(project).rejects.toMatchObject({ code: 'conflict' });
    await expect(copy).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.reads.projects.list(workspace_id, EVERYTHING)).toHaveLength(1);
  });

  it('[3.6] lists in parts, without gap or repeat, in the order in which they were added', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user } = await settle(store);
    const users = [user, ...Array.from({ length: 4 }, () => aUser(workspace_id))];
    await store.transaction(async (tx) => {
      for (const added of users.slice(1)) await tx.users.insert(added);
    });
    const { reads } = store;

    const first = await reads.users.list(workspace_id, { after: null, limit: 2 });
    const second = await reads.users.list(workspace_id, { after: first.at(-1)?.id ?? '', limit: 2 });
    const third = await reads.users.list(workspace_id, { after: second.at(-1)?.id ?? '', limit: 2 });

    expect([first, second, third].map((part) => part.map(({ id }) => id))).toEqual([
      users.slice(0, 2).map(({ id }) => id),
      users.slice(2, 4).map(({ id }) => id),
      users.slice(4).map(({ id }) => id),
    ]);
  });
}
