import { expect, it } from 'vitest';
import type { Grant } from '#domain/agent';
import type { AttemptId } from '#domain/ids';
import type { KnownToken } from '#domain/token';
import type { Transaction } from '#store/store';
import { anId, aProject, aToken, EVERYTHING, type OpenFixture, someStates } from './fixture.ts';
import { anAgent, aTeam, settleTeams } from './tracker-fixture.ts';

/** What a presented token may do, always as of now. */
export function describePresented(open: OpenFixture): void {
  it('[3.2] presents an agent with its grants, and a person with their projects', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, second, garden, kitchen, foreign } = await settleTeams(store);
    const [agent, other] = [anAgent(user), anAgent(user)];
    const [of_agent, of_user, of_service, of_second] = [
      aToken(user, { kind: 'agent', agent_id: agent.id }),
      aToken(user),
      aToken(user, { kind: 'service' }),
      aToken(second),
    ];
    const abroad = await aTeam(store, foreign.user);
    const grant: Grant = {
      agent_id: agent.id,
      project_id: kitchen.project.id,
      scopes: ['issue:read', 'issue:create'],
      can_complete: true,
      can_cancel: false,
    };
    await store.transaction(async (tx) => {
      for (const one of [agent, other]) await tx.agents.insert(one);
      for (const token of [of_agent, of_user, of_service, of_second]) await tx.tokens.insert(token);
      await tx.agents.putGrant(grant);
      // Neither may reach beyond the workspace of the token, even with rows like these.
      await tx.agents.putGrant({ ...grant, project_id: abroad.project.id });
      await tx.projects.putMember({ project_id: abroad.project.id, user_id: user.id, role: 'guest', added_at: 1 });
      await tx.agents.putGrant({ ...grant, agent_id: other.id, project_id: garden.project.id });
    });
    const present = async (hash: string) => (await store.reads.tokens.present(hash))?.known;
    const owner = { owner_status: 'active', owner_role: 'member' };

    expect(await present(of_agent.hash)).toEqual({ token: of_agent, ...owner, grants: [grant], memberships: [] });
    const memberships = [garden, kitchen].map(({ project }) => ({ project_id: project.id, role: expect.any(String) }));
    expect(await present(of_user.hash)).toEqual({ token: of_user, ...owner, grants: [], memberships });
    expect(await present(of_service.hash)).toEqual({ token: of_service, ...owner, grants: [], memberships: [] });
    expect(await present(of_second.hash)).toMatchObject({ memberships: [] });
  });

  it('[3.3] presents the same object until something of it changes, then the current values', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user, garden, kitchen } = await settleTeams(store);
    const agent = anAgent(user);
    const [of_agent, of_user] = [aToken(user, { kind: 'agent', agent_id: agent.id }), aToken(user)];
    const grant: Grant = {
      agent_id: agent.id,
      project_id: garden.project.id,
      scopes: ['issue:read'],
      can_complete: false,
      can_cancel: false,
    };
    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      for (const token of [of_agent, of_user]) await tx.tokens.insert(token);
    });
    const present = async (hash: string): Promise<KnownToken> => {
      const presented = await store.reads.tokens.present(hash);
      if (presented === null) throw new Error('No such token.');
      return presented.known;
    };
    const after = async (change: (tx: Transaction) => Promise<unknown>, hash: string): Promise<KnownToken> => {
      const before = await present(hash);
      expect(await present(hash)).toBe(before);
      await store.transaction(async (tx) => void (await change(tx)));
      const now = await present(hash);
      expect(now).not.toBe(before);
      return now;
    };

    const { project } = garden;
    expect((await after((tx) => tx.agents.putGrant(grant), of_agent.hash)).grants).toEqual([grant]);
    const more = { ...grant, can_cancel: true };
    expect((await after((tx) => tx.agents.putGrant(more), of_agent.hash)).grants).toEqual([more]);
    expect(
      (await after((tx) => tx.agents.removeGrant(user.workspace_id, agent.id, project.id), of_agent.hash)).grants,
    ).toEqual([]);

    const left = await after((tx) => tx.projects.removeMember(user.workspace_id, project.id, user.id), of_user.hash);
    expect(left.memberships).toMatchObject([{ project_id: kitchen.project.id }]);
    const own = aProject(workspace_id);
    const joined = await after(async (tx) => {
      await tx.projects.insert(own, someStates(own.id));
      await tx.projects.putMember({ project_id: own.id, user_id: user.id, role: 'admin', added_at: 1 });
    }, of_user.hash);
    expect(joined.memberships).toMatchObject([{ project_id: kitchen.project.id }, { project_id: own.id }]);

    const blocked = await after((tx) => tx.users.setStatus(workspace_id, user.id, 'blocked'), of_agent.hash);
    expect(blocked.owner_status).toBe('blocked');
    const ending = await after((tx) => tx.tokens.expireBy(workspace_id, of_agent.id, 9), of_agent.hash);
    expect(ending.token.expires_at).toBe(9);
    const revoked = await after((tx) => tx.tokens.revoke(workspace_id, of_agent.id, 5), of_agent.hash);
    expect(revoked.token.revoked_at).toBe(5);
  });

  it('[3.2] presents the attempt and the project of a token, by secret and by hash', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, garden } = await settleTeams(store);
    const agent = anAgent(user);
    const bound = aToken(user, {
      kind: 'attempt',
      agent_id: agent.id,
      attempt_id: anId<AttemptId>(),
      project_id: garden.project.id,
    });
    const free = aToken(user);
    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      for (const token of [bound, free]) await tx.tokens.insert(token);
    });
    const { present, find, list, ofAgent } = store.reads.tokens;

    expect((await present(bound.hash))?.known.token).toEqual(bound);
    expect((await present(free.hash))?.known.token).toEqual(free);
    expect(await find(user.workspace_id, bound.id)).toEqual(bound);
    expect(await list(user.workspace_id, EVERYTHING)).toEqual([bound, free]);
    expect(await ofAgent(user.workspace_id, agent.id)).toEqual([bound]);
  });
}
