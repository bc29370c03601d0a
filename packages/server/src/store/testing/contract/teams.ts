import { expect, it } from 'vitest';
import type { AgentId, ProjectId, TokenId, UserId } from '#domain/ids';
import { anId, aToken, EVERYTHING, type OpenFixture, someStates } from './fixture.ts';
import { aLabel, anAgent, settleTeams } from './tracker-fixture.ts';

/** Labels and members of projects; agents, their grants and tokens. */
export function describeTeams(open: OpenFixture): void {
  it('[4.1] keeps labels by name, each name once in a project whatever its case', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, garden, kitchen, foreign } = await settleTeams(store);
    const labels = ['bug', 'Apple', 'cellar'].map((name) => aLabel(garden.project, name));
    const insert = (label: ReturnType<typeof aLabel>) => store.transaction((tx) => tx.projects.insertLabel(label));
    for (const label of labels) await insert({ ...label, color: '#d73a4a' });

    await expect(insert(aLabel(garden.project, 'BUG'))).rejects.toMatchObject({ code: 'conflict' });
    await insert(aLabel(kitchen.project, 'BUG'));

    const { reads } = store;
    const names = (await reads.projects.labels(workspace_id, garden.project.id)).map(({ name }) => name);
    expect(names).toEqual(['Apple', 'bug', 'cellar']);
    expect(await reads.projects.labels(workspace_id, kitchen.project.id)).toMatchObject([{ name: 'BUG', color: null }]);
    expect(await reads.projects.labels(foreign.workspace_id, garden.project.id)).toEqual([]);
  });

  it('[4.1] keeps members in the order in which they were added, with their standing', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, garden, kitchen, foreign, user, second } = await settleTeams(store);
    const put = (role: 'guest' | 'admin', added_at: number) =>
      store.transaction((tx) =>
        tx.projects.putMember({ project_id: garden.project.id, user_id: second.id, role, added_at }),
      );

    await put('guest', 0);
    await put('admin', 7);
    await store.transaction((tx) => tx.users.setStatus(workspace_id, user.id, 'blocked'));

    const project_id = garden.project.id;
    expect(await store.reads.projects.members(workspace_id, project_id)).toEqual([
      { project_id, user_id: second.id, role: 'admin', added_at: 0, name: 'Zoë', status: 'active' },
      { project_id, user_id: user.id, role: 'member', added_at: 1, name: 'Ada', status: 'blocked' },
    ]);
    expect(await store.reads.projects.members(workspace_id, kitchen.project.id)).toHaveLength(1);
    expect(await store.reads.projects.members(foreign.workspace_id, project_id)).toEqual([]);
  });

  it('[4.2] removes a member with their assignments in this project only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, garden, kitchen, everything, user, second } = await settleTeams(store);
    const [here, there] = [garden.anItem(), kitchen.anItem()];
    await store.transaction(async (tx) => {
      for (const { project } of [garden, kitchen]) {
        await tx.projects.putMember({ project_id: project.id, user_id: second.id, role: 'member', added_at: 2 });
      }
      for (const item of [here, there]) {
        await tx.workItems.insert(item);
        await tx.workItems.setAssignees(item, [user.id, second.id]);
      }
    });
    const remove = (project: ProjectId, member: UserId) =>
      store.transaction((tx) => tx.projects.removeMember(workspace_id, project, member));

    expect(await remove(garden.project.id, user.id)).toBe(true);
    expect(await remove(garden.project.id, user.id)).toBe(false);

    const assignees = async (item: typeof here) =>
      (await store.reads.workItems.assignees(everything, item.id)).map(({ name }) => name);
    expect([await assignees(here), await assignees(there)]).toEqual([['Zoë'], ['Ada', 'Zoë']]);
    const members = async (project: ProjectId) =>
      (await store.reads.projects.members(workspace_id, project)).map(({ name }) => name);
    expect(await members(garden.project.id)).toEqual(['Zoë']);
    expect(await members(kitchen.project.id)).toEqual(['Ada', 'Zoë']);
  });

  it('[4.3] changes name, card guide and gate of one project of the workspace, and adds states', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, garden, kitchen, foreign } = await settleTeams(store);
    const changed = { ...garden.project, name: 'Yard', card_guide: 'Short.', completion_gate: 'checkers' } as const;
    const [state] = someStates(garden.project.id);
    if (state === undefined) throw new Error('No state.');
    const paused = { ...state, slug: 'paused', position: 9 };

    await store.transaction(async (tx) => {
      await tx.projects.update({ ...changed, name: 'Stolen', workspace_id: foreign.workspace_id });
      await tx.projects.insertState(paused);
    });
    expect(await store.reads.projects.find(workspace_id, garden.project.id)).toEqual(garden.project);

    await store.transaction((tx) => tx.projects.update(changed));
    expect(await store.reads.projects.find(workspace_id, garden.project.id)).toEqual(changed);
    expect(await store.reads.projects.find(workspace_id, kitchen.project.id)).toEqual(kitchen.project);
    expect(await store.reads.projects.states(workspace_id, garden.project.id)).toEqual([...garden.states, paused]);
  });

  it('[4.4] renames a label, and removes it, also from the tasks that had it', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, garden, everything } = await settleTeams(store);
    const [kept, gone] = [aLabel(garden.project, 'bug'), aLabel(garden.project, 'cellar')];
    const item = garden.anItem();
    await store.transaction(async (tx) => {
      for (const label of [kept, gone]) await tx.projects.insertLabel(label);
      await tx.workItems.insert(item);
      await tx.workItems.setLabels(item, [kept.id, gone.id]);
    });

    await store.transaction(async (tx) => {
      await tx.projects.updateLabel({ ...kept, name: 'fault', color: '#d73a4a' });
      await tx.projects.removeLabel(gone);
    });

    const renamed = { ...kept, name: 'fault', color: '#d73a4a' };
    expect(await store.reads.projects.labels(workspace_id, garden.project.id)).toEqual([renamed]);
    expect(await store.reads.workItems.labels(everything, item.id)).toMatchObject([{ id: kept.id, name: 'fault' }]);
  });

  it('[4.4] renames a state, and removes one that has no task', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, garden } = await settleTeams(store);
    const item = garden.anItem();
    const used = garden.states.find(({ id }) => id === item.state_id);
    const unused = garden.states.find(({ id }) => id !== item.state_id);
    if (used === undefined || unused === undefined) throw new Error('No states.');
    await store.transaction((tx) => tx.workItems.insert(item));

    const removed = await store.transaction(async (tx) => {
      await tx.projects.updateState({ ...used, name: 'Later' });
      return [await tx.projects.removeState(used), await tx.projects.removeState(unused)];
    });

    expect(removed).toEqual([1, 0]);
    const left = garden.states.filter((state) => state !== unused);
    const renamed = left.map((state) => (state === used ? { ...used, name: 'Later' } : state));
    expect(await store.reads.projects.states(workspace_id, garden.project.id)).toEqual(renamed);
  });

  it('[4.3] renames one workspace', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, foreign } = await settleTeams(store);

    await store.transaction((tx) => tx.workspaces.rename(foreign.workspace_id, 'Away'));
    expect(await store.reads.workspaces.first()).toMatchObject({ id: workspace_id, name: 'Home' });

    await store.transaction((tx) => tx.workspaces.rename(workspace_id, 'Office'));
    expect(await store.reads.workspaces.first()).toMatchObject({ id: workspace_id, name: 'Office' });
  });

  it('[2.1] finds an agent and its tokens in their workspace only, and takes one grant away', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, foreign, user, garden, kitchen } = await settleTeams(store);
    const [agent, other] = [anAgent(user), anAgent(user, { name: 'codex' })];
    const [own, ended, foreignOne] = [
      aToken(user, { kind: 'agent', agent_id: agent.id }),
      aToken(user, { kind: 'agent', agent_id: agent.id, revoked_at: 3 }),
      aToken(user, { kind: 'agent', agent_id: other.id }),
    ];
    const grant = { scopes: ['issue:read'], can_complete: false, can_cancel: false } as const;
    await store.transaction(async (tx) => {
      for (const one of [agent, other]) {
        await tx.agents.insert(one);
        for (const { project } of [garden, kitchen]) {
          await tx.agents.putGrant({ ...grant, agent_id: one.id, project_id: project.id });
        }
      }
      for (const token of [own, ended, foreignOne]) await tx.tokens.insert(token);
    });
    const { agents, tokens } = store.reads;
    const removeGrant = (id: AgentId, project: ProjectId) =>
      store.transaction((tx) => tx.agents.removeGrant(workspace_id, id, project));
    const granted = async (id: AgentId) => (await agents.grants(workspace_id, id)).map(({ project_id }) => project_id);

    expect(await agents.find(workspace_id, agent.id)).toEqual(agent);
    expect(await agents.find(workspace_id, other.id)).toEqual(other);
    expect(await agents.find(foreign.workspace_id, agent.id)).toBeNull();
    expect(await tokens.find(workspace_id, own.id)).toEqual(own);
    expect(await tokens.find(workspace_id, ended.id)).toEqual(ended);
    expect(await tokens.find(foreign.workspace_id, own.id)).toBeNull();
    expect(await tokens.find(workspace_id, anId<TokenId>())).toBeNull();
    expect(await tokens.ofAgent(workspace_id, agent.id)).toEqual([own, ended]);
    expect(await tokens.ofAgent(foreign.workspace_id, agent.id)).toEqual([]);

    expect(await removeGrant(agent.id, garden.project.id)).toBe(true);
    expect(await removeGrant(agent.id, garden.project.id)).toBe(false);
    expect(await granted(agent.id)).toEqual([kitchen.project.id]);
    expect(await granted(other.id)).toHaveLength(2);
  });

  it('[3.4] lets one token of the workspace end earlier, never later', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, foreign, user } = await settleTeams(store);
    const [lasting, ending] = [aToken(user), aToken(user, { expires_at: 50 })];
    await store.transaction(async (tx) => {
      for (const token of [lasting, ending]) await tx.tokens.insert(token);
    });
    const expireBy = (at: number, id: TokenId, workspace = workspace_id) =>
      store.transaction((tx) => tx.tokens.expireBy(workspace, id, at));
    const ends = async () => (await store.reads.tokens.list(workspace_id, EVERYTHING)).map((token) => token.expires_at);

    await expireBy(40, lasting.id, foreign.workspace_id);
    expect(await ends()).toEqual([null, 50]);
    await expireBy(70, lasting.id);
    expect(await ends()).toEqual([70, 50]);
    await expireBy(60, ending.id);
    expect(await ends()).toEqual([70, 50]);
    await expireBy(30, ending.id);
    expect(await ends()).toEqual([70, 30]);
  });

  it('[3.6] lists agents, tokens and projects of one workspace in parts', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, foreign, user, garden, kitchen } = await settleTeams(store);
    const agents = [anAgent(user), anAgent(user)];
    const tokens = [aToken(user), aToken(user)];
    await store.transaction(async (tx) => {
      for (const agent of [...agents, anAgent(foreign.user)]) await tx.agents.insert(agent);
      for (const token of [...tokens, aToken(foreign.user)]) await tx.tokens.insert(token);
    });
    const lists = [
      [store.reads.agents.list, agents],
      [store.reads.tokens.list, tokens],
      [store.reads.projects.list, [garden.project, kitchen.project]],
    ] as const;

    for (const [list, expected] of lists) {
      const [first, second] = expected;
      const before = (await list(workspace_id, EVERYTHING)).findLast(({ id }) => id < (first?.id ?? ''));
      expect(await list(workspace_id, { after: before?.id ?? null, limit: 1 })).toEqual([first]);
      expect(await list(workspace_id, { after: first?.id ?? null, limit: 9 })).toEqual([second]);
    }
  });
}
