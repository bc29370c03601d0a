import { expect, it } from 'vitest';
import type { AttemptId, ProjectId } from '#domain/ids';
import { isIdPrefix, keyParts, type NamedKind, type NameSight, type Near } from '#domain/reference';
import type { User } from '#domain/user';
import type { Store } from '#store/store';
import { aPrompt, aRepo, settleBoard } from './board-fixture.ts';
import { aUser, type OpenFixture } from './fixture.ts';
import { anAgent } from './tracker-fixture.ts';

/** The rights of an administrator who looks for a name. */
export const aSight = (user: User, fields: Partial<NameSight> = {}): NameSight => ({
  workspace_id: user.workspace_id,
  user_id: user.id,
  project_ids: 'all',
  attempt_id: null,
  is_admin: true,
  subject: user.id,
  sees: () => true,
  ...fields,
});

/** The ids that a text finds as a key, else as a name, else as the start of an id. */
export async function namesIn(store: Store, sight: NameSight, kind: NamedKind, text: string, near: Near = {}) {
  const key = keyParts(text);
  const forms = [...(key === null ? [] : [{ key }]), { name: text }, ...(isIdPrefix(text) ? [{ prefix: text }] : [])];
  for (const form of forms) {
    const { rows } = await store.reads.names.find(sight, { kind, form, near });
    if (rows.length > 0) return rows.map(({ id }) => id);
  }
  return [];
}

export function describeNames(open: OpenFixture): void {
  it('[15.1] numbers the items of each project from 1, without a gap, also when some fail', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, item, everything } = await settleBoard(store);
    const made = [...Array.from({ length: 6 }, () => garden.anItem()), kitchen.anItem()];

    await Promise.allSettled(
      made.map((one, at) =>
        store.transaction(async (tx) => {
          await tx.workItems.insert(one);
          if (at === 2) throw new Error('undone');
        }),
      ),
    );
    const numbers = await Promise.all(
      [item, ...made].map(async ({ id }) => (await store.reads.workItems.find(everything, id))?.number),
    );

    expect(numbers).toEqual([1, 2, 3, undefined, 4, 5, 6, 1]);
  });

  it('[15.2] finds projects, tasks and attempts by their key, also by a former one', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, user, item, attempt, only } = await settleBoard(store);
    const [first, second] = [await attempt(), await attempt({ archived_at: 3 })];
    const { key } = garden.project;
    await store.transaction((tx) => tx.projects.update({ ...garden.project, key: 'NEW' }));
    const found = (kind: NamedKind, text: string, sight = aSight(user)) => namesIn(store, sight, kind, text);

    for (const known of ['NEW', `${key}`]) {
      expect(await found('project', known)).toEqual([garden.project.id]);
      expect(await found('work_item', `${known}-1`)).toEqual([item.id]);
      expect(await found('attempt', `${known}-1.2`)).toEqual([second.id]);
    }
    expect(await found('attempt', 'NEW-1')).toEqual([first.id]);
    expect(await found('work_item', 'NEW-2')).toEqual([]);
    expect(await found('work_item', 'NEW-1', aSight(user, only(kitchen.project)))).toEqual([]);
    expect(await found('attempt', 'NEW-1.2', aSight(user, { attempt_id: first.id }))).toEqual([]);
    expect(await found('attempt', 'NEW-1.1', aSight(user, { attempt_id: first.id }))).toEqual([first.id]);
    expect(await found('work_item', 'NEW-1', aSight(user, { attempt_id: first.id }))).toEqual([item.id]);
  });

  it('[15.5] keeps the keys of a removed project that named tasks, and frees those that named none', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, foreign, user } = await settleBoard(store);
    const { workspace_id } = garden.project;
    const keys = [garden.project.key ?? '', 'NEW'];
    await store.transaction(async (tx) => {
      await tx.projects.update({ ...garden.project, key: 'NEW' });
      await tx.projects.remove(workspace_id, garden.project.id);
      await tx.projects.remove(workspace_id, kitchen.project.id);
    });
    const { ofKey, isRetiredKey } = store.reads.projects;

    for (const key of keys) {
      expect([await ofKey(workspace_id, key), await isRetiredKey(workspace_id, key)]).toEqual([null, true]);
      expect(await isRetiredKey(foreign.workspace_id, key)).toBe(false);
      expect(await namesIn(store, aSight(user), 'work_item', `${key}-1`)).toEqual([]);
    }
    expect(await isRetiredKey(workspace_id, kitchen.project.key ?? '')).toBe(false);
  });

  it('[15.3] finds repositories of the project at hand first, and people, agents and members by name', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, user, second, only } = await settleBoard(store);
    const repos = [garden, kitchen].map(({ project }) => aRepo(project));
    const agent = anAgent(user, { name: 'Robo' });
    await store.transaction(async (tx) => {
      for (const repo of repos) await tx.projects.insertRepo(repo);
      await tx.agents.insert(agent);
      await tx.users.insert(aUser(user.workspace_id, { name: 'Ada' }));
    });
    const member = aSight(user, { ...only(garden.project), is_admin: false });
    const near = { project_id: kitchen.project.id as ProjectId };

    expect(await namesIn(store, aSight(user), 'repo', 'SHED')).toEqual(repos.map(({ id }) => id));
    expect(await namesIn(store, aSight(user), 'repo', 'shed', near)).toEqual([repos[1]?.id]);
    expect(await namesIn(store, aSight(user), 'agent', 'robo')).toEqual([agent.id]);
    expect(await namesIn(store, member, 'agent', 'robo')).toEqual([]);
    expect(await namesIn(store, aSight(user), 'user', 'ada')).toHaveLength(2);
    expect(await namesIn(store, member, 'user', 'ada')).toEqual([user.id]);
    expect(await namesIn(store, member, 'user', second.name)).toEqual([]);
  });

  it('[15.4] finds what belongs to the attempt at hand by the start of its id, and says when too many begin like it', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, attempt, session, enqueue } = await settleBoard(store);
    const attempts = [await attempt(), await attempt()];
    const sessions = [];
    for (const one of attempts) sessions.push(await session(one));
    const [first, second] = sessions;
    if (first === undefined || second === undefined) throw new Error('no sessions');
    const prompt = aPrompt(second, user);
    const { run } = await enqueue(second);
    await store.transaction((tx) => tx.attempts.insertPrompt(prompt));
    const near = { attempt_id: attempts[1]?.id as AttemptId };
    const start = (id: string) => id.slice(0, 9);

    expect(await namesIn(store, aSight(user), 'session', start(first.id))).toHaveLength(2);
    expect(await namesIn(store, aSight(user), 'session', start(first.id), near)).toEqual([second.id]);
    expect(await namesIn(store, aSight(user), 'queued_prompt', start(prompt.id), near)).toEqual([prompt.id]);
    expect(await namesIn(store, aSight(user), 'execution', start(run.id), near)).toEqual([run.id]);
    expect(await namesIn(store, aSight(user, { sees: () => false }), 'execution', start(run.id))).toEqual([]);

    await store.transaction(async (tx) => {
      for (let i = 0; i < 500; i++) await tx.workItems.insert(garden.anItem());
    });
    const wanted = { kind: 'work_item', form: { prefix: '000000' }, near: {} } as const;
    const { rows, is_cut } = await store.reads.names.find(aSight(user), wanted);
    expect([rows.length, is_cut]).toEqual([11, true]);
  });
}
