import { expect, it } from 'vitest';
import { type AppUser, appPrincipal } from '#domain/app';
import type { User } from '#domain/user';
import type { Store, Transaction } from '#store/store';
import {
  anExchange,
  aProject,
  aRecord,
  aToken,
  aUser,
  conversationsOf,
  EVERYTHING,
  type OpenFixture,
  settle,
  someStates,
} from './fixture.ts';
import { aSight, namesIn } from './names.ts';

const MAX_USERS = 100;

/** Adds an app's user with a todo list, as a service does. */
async function join(tx: Transaction, user: User, id: AppUser): Promise<string> {
  const claim = await tx.appUsers.claim(user, id, MAX_USERS);
  if (claim !== 'claimed') return claim;
  await tx.users.insert(user);
  const project = aProject(user.workspace_id, { kind: 'personal', owner_id: user.id });
  await tx.projects.insert(project, someStates(project.id));
  return claim;
}

/** A workspace with an app that has a user called `ann`. */
async function settleApp(store: Store) {
  const home = await settle(store);
  const { workspace_id } = home;
  const id: AppUser = { app: 'shop', external_id: 'ann' };
  const ann = aUser(workspace_id, { app: 'shop', name: 'ann' });
  await store.transaction(async (tx) => {
    await tx.appUsers.openApp(workspace_id, 'shop');
    await join(tx, ann, id);
  });
  return { ...home, id, ann };
}

/** Users that live in apps. */
export function describeAppUsers(open: OpenFixture): void {
  it('[3.7] finds candidates for a name or the start of an id, in its workspace, and no user of an app', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user, ann } = await settleApp(store);
    const person = aUser(workspace_id, { name: 'Ann' });
    const [team, theirs] = [
      aProject(workspace_id, { name: 'Web', owner_id: null, kind: 'team' }),
      aProject(workspace_id, { name: 'Web', owner_id: person.id, kind: 'personal' }),
    ];
    await store.transaction(async (tx) => {
      await tx.users.insert(person);
      for (const project of [team, theirs]) await tx.projects.insert(project, someStates(project.id));
    });
    const other = await settle(store);
    const ids = async (kind: 'project' | 'user', text: string, workspace = workspace_id) =>
      namesIn(store, { ...aSight(user), workspace_id: workspace }, kind, text);

    expect(await ids('user', 'ANN')).toEqual([person.id]);
    expect(await ids('user', ann.id.slice(0, -1))).not.toContain(ann.id);
    expect(await ids('user', person.id.slice(0, -1))).toContain(person.id);
    expect(await ids('project', 'web')).toEqual([team.id]);
    expect(await ids('project', 'web', other.workspace_id)).toEqual([]);
    for (const kind of ['agent', 'repo'] as const) expect(await namesIn(store, aSight(user), kind, 'x')).toEqual([]);
  });

  it('[3.8] finds the user of an app by the exact id of that app, and no other user', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, id, ann, user } = await settleApp(store);
    const other = await settle(store);
    const { appUsers, users } = store.reads;

    expect(await appUsers.find(workspace_id, id)).toEqual(ann);
    expect(await users.find(workspace_id, ann.id)).toEqual(ann);
    expect(await users.find(workspace_id, user.id)).toEqual(user);
    const strangers = [{ app: 'bank' }, { external_id: 'Ann' }, { external_id: 'ann ' }, { external_id: ann.id }];
    for (const stranger of strangers) expect(await appUsers.find(workspace_id, { ...id, ...stranger })).toBeNull();
    expect(await appUsers.find(other.workspace_id, id)).toBeNull();
    expect(await appUsers.list(workspace_id, 'shop', EVERYTHING)).toEqual([ann]);
    expect(await users.list(workspace_id, EVERYTHING)).toEqual([user]);
    expect([await appUsers.hasApp(workspace_id, 'shop'), await appUsers.hasApp(workspace_id, 'bank')]).toEqual([
      true,
      false,
    ]);
  });

  it('[3.8] gives an id of an app to one of many users that are created at once', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id } = await settleApp(store);
    const id: AppUser = { app: 'shop', external_id: 'bob' };

    const claims = await Promise.all(
      Array.from({ length: 50 }, () => store.transaction((tx) => join(tx, aUser(workspace_id, { name: 'bob' }), id))),
    );

    expect(claims.toSorted()).toEqual(['claimed', ...Array(49).fill('taken')]);
    expect(await store.reads.appUsers.list(workspace_id, 'shop', EVERYTHING)).toHaveLength(2);
  });

  it('[3.8] gives an app no more users than its limit, and none to an unknown app', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id } = await settleApp(store);
    const claim = (app: string, external_id: string, most: number) =>
      store.transaction((tx) => tx.appUsers.claim(aUser(workspace_id), { app, external_id }, most));

    expect([await claim('shop', 'bob', 1), await claim('bank', 'bob', 1)]).toEqual(['full', 'full']);
  });

  it('[3.9] removes the user of an app with all their data, and nothing of others', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, id, ann, user, aTodo } = await settleApp(store);
    const list = await store.reads.projects.todoList(workspace_id, ann.id);
    if (list === null) throw new Error('Ann has no todo list.');
    const todo = { project_id: list.project_id, state_id: list.pending_state_id, owner_id: ann.id };
    const record = (principal_id: string) => ({ principal_id });
    await store.transaction(async (tx) => {
      await tx.workItems.insert(aTodo(todo));
      await tx.workItems.insert(aTodo());
      await tx.idempotency.put(aRecord(tx.now, record(appPrincipal(id))));
      await tx.idempotency.put(aRecord(tx.now, record('agent-1')));
      tx.say(anExchange(ann, 'hello'));
      tx.say(anExchange(user, 'hello'));
    });

    await store.transaction((tx) => tx.appUsers.remove(ann));

    const { reads } = store;
    const left = async (owner: User) => [
      await reads.users.find(workspace_id, owner.id),
      await reads.workItems.todos(owner.id, { completed: null, after: null, limit: 10 }),
      await conversationsOf(store, owner),
      await reads.projects.todoList(workspace_id, owner.id),
    ];
    expect(await left(ann)).toEqual([null, [], [], null]);
    expect(await left(user)).toMatchObject([user, [{}], [{}], {}]);
    expect(await reads.idempotency.find(appPrincipal(id), 'key-1')).toBeNull();
    expect(await reads.idempotency.find('agent-1', 'key-1')).not.toBeNull();
    expect(await reads.appUsers.find(workspace_id, id)).toBeNull();
    expect(await store.transaction((tx) => tx.appUsers.claim(aUser(workspace_id), id, 1))).toBe('claimed');
  });

  it('[8.3] drops messages of a deleted user, and keeps those of others', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, ann } = await settleApp(store);
    await store.transaction((tx) => tx.appUsers.remove(ann));

    await store.transaction(async (tx) => {
      tx.say(anExchange(ann, 'lost'));
      tx.say(anExchange(user, 'kept'));
    });

    expect(await conversationsOf(store, user)).toHaveLength(1);
  });

  it('[3.1] keeps the app of a token and the users that it may name', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user } = await settle(store);
    const tokens = [
      aToken(user, { kind: 'service', acts_for: [], app: { name: 'shop', user_ids: '*' } }),
      aToken(user, { kind: 'service', acts_for: [user.id], app: { name: 'shop', user_ids: ['auth0|5f7c', '🦜'] } }),
      aToken(user, { kind: 'service', acts_for: '*' }),
    ];
    await store.transaction(async (tx) => {
      for (const token of tokens) await tx.tokens.insert(token);
    });

    expect(await store.reads.tokens.list(workspace_id, EVERYTHING)).toEqual(tokens);
    for (const token of tokens) {
      expect((await store.reads.tokens.present(token.hash))?.known.token).toEqual(token);
    }
  });
}
