import { describe, expect, it } from 'vitest';
import { mayHear } from '#domain/audience';
import type { Caller } from '#domain/caller';
import type { TokenId } from '#domain/ids';
import type { Scope } from '#domain/scope';
import { hashSecret, mintSecret } from '#services/token-secret';
import { createWorld, type World } from '#testing/world';

const scopes = ['todo:read', 'todo:write', 'todo:act_as'];

/** A caller with a new token of an app. */
const appCaller = (world: World, app: string, fields: Record<string, unknown> = {}): Promise<Caller> =>
  world.callerWith({ kind: 'service', name: `token of ${app}`, app, user_ids: ['*'], scopes, ...fields });

const add = (world: World, caller: Caller, user_id: string, title: string) =>
  world.ask('todo_add_task', { user_id, title }, caller);

async function titles(world: World, caller: Caller, user_id: string): Promise<string[]> {
  const { tasks } = await world.ask('todo_list_tasks', { user_id }, caller);
  return (tasks as { title: string }[]).map(({ title }) => title);
}

async function usersOf(world: World, app: string): Promise<{ user_id: string; name: string }[]> {
  return (await world.ask('admin_list_users', { app })).users as { user_id: string; name: string }[];
}

describe('the users of an app', () => {
  it('[FR-014, FR-060] are created by the first call that names them, in any form of id', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');
    const ids = ['auth0|5f7c', 'ann@example.com', '🦜'.repeat(200), '../..', ' padded ', 'x', '007'];

    for (const id of ids) await add(world, shop, id, `of ${ids.indexOf(id)}`);

    for (const id of ids) expect(await titles(world, shop, id)).toEqual([`of ${ids.indexOf(id)}`]);
    expect((await usersOf(world, 'shop')).map(({ name }) => name)).toEqual(ids);
  });

  it('[FR-024] are created by a call that only reads, too', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');

    expect(await titles(world, shop, 'new')).toEqual([]);

    expect(await usersOf(world, 'shop')).toMatchObject([{ name: 'new' }]);
  });

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['more than 200 characters', '🦜'.repeat(201)],
    ['U+0000', 'a\0b'],
    ['half a surrogate pair', 'a\ud800'],
    ['a line break', 'a\nb'],
    ['a C1 control character', 'a\u0085b'],
  ])('[EDGE-5] are refused when their id is %s', async (_, user_id) => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');

    const error = await world.refuse('todo_add_task', { user_id, title: 'x' }, shop);

    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('user_id') });
    expect(await usersOf(world, 'shop')).toEqual([]);
  });

  it('are different users when their ids differ by case or by normal form', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');
    const ids = ['Ann', 'ann', 'Zoë', 'Zoe\u0308', 'ﬁn', 'fin', 'ann '];

    for (const id of ids) await add(world, shop, id, `of ${ids.indexOf(id)}`);

    for (const id of ids) expect(await titles(world, shop, id)).toEqual([`of ${ids.indexOf(id)}`]);
  });

  it('[FR-061] of two apps with the same id are never mixed up', async () => {
    await using world = await createWorld();
    const [shop, bank] = [await appCaller(world, 'shop'), await appCaller(world, 'bank')];
    const { task_id } = await add(world, shop, 'ann', 'Buy milk');

    const foreign = [
      await world.refuse('todo_complete_task', { user_id: 'ann', task_id }, bank),
      await world.refuse('todo_update_task', { user_id: 'ann', task_id, title: 'mine' }, bank),
      await world.refuse('todo_delete_task', { user_id: 'ann', task_id }, bank),
      await world.refuse('todo_complete_task', { user_id: 'ann', task_id: 'none' }, bank),
    ];

    expect(foreign.map(({ code }) => code)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED', 'TASK_NOT_FOUND']);
    expect(await titles(world, bank, 'ann')).toEqual([]);
    expect(await titles(world, shop, 'ann')).toEqual(['Buy milk']);
  });

  it('belong to the app that the token names, not to one that is called like a token', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop', { name: 'bank' });
    const bank = await appCaller(world, 'bank', { name: 'shop' });
    const unnamed = await world.callerWith({ kind: 'service', name: 'shop', user_ids: ['*'], scopes });

    await add(world, shop, 'ann', 'of the shop');

    expect(await titles(world, bank, 'ann')).toEqual([]);
    expect(await titles(world, unnamed, 'ann')).toEqual(['of the shop']);
  });

  it('stay the same when the token of their app is replaced, and so do their idempotency keys', async () => {
    await using world = await createWorld();
    const first = await world.token({ kind: 'service', name: 'one', app: 'shop', user_ids: ['*'], scopes });
    const call = { user_id: 'ann', title: 'Buy milk', idempotency_key: 'k1' };
    const added = await world.ask('todo_add_task', call, await world.gateway.authenticate(first.token as string));
    await world.ask('admin_revoke_token', { token_id: first.token_id });

    const second = await appCaller(world, 'shop', { name: 'two' });

    expect(await world.ask('todo_add_task', call, second)).toEqual(added);
    expect(await titles(world, second, 'ann')).toEqual(['Buy milk']);
  });

  it('have idempotency keys of their own', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');

    for (const user_id of ['ann', 'bob']) {
      await world.ask('todo_add_task', { user_id, title: user_id, idempotency_key: 'k1' }, shop);
    }

    expect([await titles(world, shop, 'ann'), await titles(world, shop, 'bob')]).toEqual([['ann'], ['bob']]);
  });

  it('[SC-004] can be named by a token only if it lists them', async () => {
    await using world = await createWorld();
    const listed = await appCaller(world, 'shop', { user_ids: ['ann', 'bob'] });
    const powerless = await appCaller(world, 'shop', { scopes: ['todo:write'] });

    await add(world, listed, 'ann', 'x');
    const codes = [
      await world.refuse('todo_add_task', { user_id: 'cid', title: 'x' }, listed),
      await world.refuse('todo_add_task', { user_id: 'Ann', title: 'x' }, listed),
      await world.refuse('todo_add_task', { user_id: 'me', title: 'x' }, listed),
      await world.refuse('todo_add_task', { user_id: 'ann', title: 'x' }, powerless),
    ].map(({ code }) => code);

    expect(codes).toEqual(Array(4).fill('UNAUTHORIZED'));
    expect((await usersOf(world, 'shop')).map(({ name }) => name)).toEqual(['ann']);
  });

  it('are distinct from a person with the same id, unless the token lists that person', async () => {
    await using world = await createWorld();
    const ann = await world.addUser('Ann');
    await world.ask('todo_add_task', { user_id: ann, title: 'private' });
    const [all, listing] = [await appCaller(world, 'shop'), await appCaller(world, 'desk', { user_ids: ['*', ann] })];

    expect(await titles(world, all, ann)).toEqual([]);
    expect(await titles(world, listing, ann)).toEqual(['private']);
    expect(await usersOf(world, 'shop')).toMatchObject([{ name: ann, user_id: expect.not.stringMatching(ann) }]);
    expect(await usersOf(world, 'desk')).toEqual([]);
  });

  it('cannot be reached by the id that Errand gives them', async () => {
    await using world = await createWorld();
    const [shop, bank] = [await appCaller(world, 'shop'), await appCaller(world, 'bank')];
    await add(world, shop, 'ann', 'Buy milk');
    const user_id = (await usersOf(world, 'shop'))[0]?.user_id ?? '';

    expect(await titles(world, bank, user_id)).toEqual([]);
    const refused = [
      await world.refuse('admin_create_token', { kind: 'user', name: 'x', user_id, scopes: ['todo:read'] }),
      await world.refuse('admin_create_agent', { name: 'x', owner_id: user_id, scopes: ['todo:read'] }),
    ];
    expect(refused.map(({ code }) => code)).toEqual(['validation_error', 'validation_error']);
    expect(refused[0]?.message).toContain('belongs to the app shop');
  });

  it('are one user when 50 first calls come at once', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');

    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        i % 2 === 0 ? add(world, shop, 'ann', `${i}`) : titles(world, shop, 'ann'),
      ),
    );

    expect(await usersOf(world, 'shop')).toHaveLength(1);
    expect(await titles(world, shop, 'ann')).toHaveLength(25);
  });

  it('are limited in number, and a removed user makes room', async () => {
    await using world = await createWorld({ limits: { max_app_users: 2 } });
    const [shop, bank] = [await appCaller(world, 'shop'), await appCaller(world, 'bank')];
    for (const id of ['ann', 'bob']) await add(world, shop, id, 'x');

    const full = await world.refuse('todo_list_tasks', { user_id: 'cid' }, shop);
    await add(world, bank, 'cid', 'x');
    await add(world, shop, 'ann', 'y');
    await world.ask('admin_remove_user', { user_id: 'ann', app: 'shop' });
    await add(world, shop, 'cid', 'x');

    expect(full.message).toContain('has 2 users');
    expect((await usersOf(world, 'shop')).map(({ name }) => name)).toEqual(['bob', 'cid']);
  });

  it('are distinct in lists and in the log, whatever their ids contain', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');
    for (const id of ['bob', 'b\u200Bob', 'b\\u{200B}ob', 'auth0|5f7c']) await add(world, shop, id, 'x');
    const logged = world.calls.filter(({ tool }) => tool === 'todo_add_task').map(({ user_id }) => user_id);

    const names = (await usersOf(world, 'shop')).map(({ name }) => name);

    expect(names).toEqual(['bob', 'b\\u{200B}ob', 'b\\u{5C}u{200B}ob', 'auth0|5f7c']);
    expect(logged).toEqual(names);
  });

  it('are no members of projects', async () => {
    await using world = await createWorld();
    await add(world, await appCaller(world, 'shop'), 'ann', 'x');
    const [ann] = await usersOf(world, 'shop');
    const { project_id } = await world.ask('admin_add_project', { name: 'Website' });

    const error = await world.refuse('admin_add_member', { project_id, user_id: ann?.user_id, role: 'member' });

    expect(error.code).toBe('not_found');
  });

  it('are not among the people, nor their lists among the projects', async () => {
    await using world = await createWorld();
    await add(world, await appCaller(world, 'shop'), 'ann', 'x');

    const { users } = await world.ask('admin_list_users', {});
    const { projects } = await world.ask('admin_list_projects', {});

    expect(users).toMatchObject([{ name: 'owner' }]);
    expect(projects).toHaveLength(1);
    expect((await world.refuse('admin_list_users', { app: 'none' })).code).toBe('not_found');
  });

  it('are in the audit trail when they are created', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');

    await add(world, shop, 'ann', 'x');
    await add(world, shop, 'ann', 'y');

    const [user] = await usersOf(world, 'shop');
    const { entries } = await world.ask('admin_list_audit', { entity_id: user?.user_id });
    expect(entries).toMatchObject([{ action: 'todo_add_task', entity: 'user', outcome: 'ok' }]);
  });
});

/** A caller with a service token from before apps were kept. */
async function oldCaller(world: World): Promise<Caller> {
  const secret = mintSecret('service');
  const { workspace_id, user_id } = world.owner;
  await world.store.transaction((tx) =>
    tx.tokens.insert({
      id: 'old' as TokenId,
      workspace_id,
      kind: 'service',
      name: 'shop',
      hash: hashSecret(secret),
      user_id,
      agent_id: null,
      scopes: ['todo:read', 'todo:write', 'todo:act_as'],
      acts_for: '*',
      app: null,
      attempt_id: null,
      project_id: null,
      created_at: 1,
      expires_at: null,
      revoked_at: null,
    }),
  );
  return world.gateway.authenticate(secret);
}

describe('a service token from before apps were kept', () => {
  it('still names every person, and no user of an app', async () => {
    await using world = await createWorld();
    const ann = await world.addUser('Ann');
    await add(world, await appCaller(world, 'shop'), 'bob', 'of the app');
    const bob = (await usersOf(world, 'shop'))[0]?.user_id ?? '';
    const old = await oldCaller(world);

    await add(world, old, ann, 'as ever');
    const codes = [
      await world.refuse('todo_list_tasks', { user_id: bob }, old),
      await world.refuse('todo_list_tasks', { user_id: 'bob' }, old),
    ].map(({ code }) => code);

    expect(await titles(world, old, ann)).toEqual(['as ever']);
    expect(codes).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
  });
});

describe('an event of an app’s user', () => {
  it('goes to tokens of the app that may name the user, and to no other service', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');
    await add(world, shop, 'ann', 'x');
    const events = await world.store.reads.events.page({ after: 0, limit: 100 });
    const change = events.find(({ kind }) => kind === 'work_item.created');
    if (change === undefined) throw new Error('No event was sent.');

    const hears = (caller: Caller): boolean => mayHear(caller, change);

    expect([hears(shop), hears(await appCaller(world, 'shop', { user_ids: ['ann'] }))]).toEqual([true, true]);
    const others = [
      await appCaller(world, 'bank'),
      await appCaller(world, 'shop', { user_ids: ['bob'] }),
      await oldCaller(world),
      { ...shop, scopes: new Set<Scope>(['todo:read']) },
    ];
    expect(others.map(hears)).toEqual([false, false, false, false]);
  });
});

describe('a user of an app who is blocked', () => {
  it('is refused until the block is lifted', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');
    await add(world, shop, 'ann', 'x');
    const [ann] = await usersOf(world, 'shop');

    await world.ask('admin_block_user', { user_id: ann?.user_id });
    const codes = [
      await world.refuse('todo_list_tasks', { user_id: 'ann' }, shop),
      await world.refuse('todo_add_task', { user_id: 'ann', title: 'x' }, shop),
    ].map(({ code }) => code);
    await world.ask('admin_unblock_user', { user_id: ann?.user_id });

    expect(codes).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
    expect(await titles(world, shop, 'ann')).toEqual(['x']);
  });
});

describe('a user of an app who is removed', () => {
  it('loses all data, and is a new user when the app names the id again', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');
    const call = { user_id: 'ann', title: 'x', idempotency_key: 'k1' };
    const { task_id } = await world.ask('todo_add_task', call, shop);
    await add(world, shop, 'bob', 'stays');

    const answer = await world.ask('admin_remove_user', { user_id: 'ann', app: 'shop' });
    const again = await world.ask('todo_add_task', call, shop);

    expect(answer).toMatchObject({ app: 'shop', status: 'removed' });
    expect(again.task_id).not.toBe(task_id);
    expect((await world.refuse('todo_complete_task', { user_id: 'ann', task_id }, shop)).code).toBe('TASK_NOT_FOUND');
    const { conversations } = await world.ask('todo_list_conversations', { user_id: 'ann' }, shop);
    expect(conversations).toHaveLength(1);
    expect(await titles(world, shop, 'bob')).toEqual(['stays']);
    const { entries } = await world.ask('admin_list_audit', { entity_id: answer.user_id });
    expect(entries).toMatchObject([{ action: 'admin_remove_user' }, { action: 'todo_add_task' }]);
  });

  it('is also named by Errand’s id; a person is not removed', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');
    await add(world, shop, 'ann', 'x');
    const [ann] = await usersOf(world, 'shop');

    const codes = [
      await world.refuse('admin_remove_user', { user_id: world.owner.user_id }),
      await world.refuse('admin_remove_user', { user_id: 'bob', app: 'shop' }),
      await world.refuse('admin_remove_user', { user_id: 'ann', app: 'none' }),
      await world.refuse('admin_remove_user', { user_id: 'ann' }),
    ].map(({ code }) => code);
    await world.ask('admin_remove_user', { user_id: ann?.user_id });

    expect(codes).toEqual(['validation_error', 'not_found', 'not_found', 'not_found']);
    expect(await usersOf(world, 'shop')).toEqual([]);
  });

  it('may be removed while calls for them run: the other calls are answered', async () => {
    await using world = await createWorld();
    const shop = await appCaller(world, 'shop');
    await add(world, shop, 'ann', 'x');

    const calls = [
      ...Array.from({ length: 20 }, () => world.call('todo_list_tasks', { user_id: 'ann' }, shop)),
      world.call('admin_remove_user', { user_id: 'ann', app: 'shop' }),
      ...Array.from({ length: 20 }, (_, i) => world.call('todo_add_task', { user_id: 'bob', title: `${i}` }, shop)),
    ];
    const answers = await Promise.all(calls);

    expect(answers.filter(({ ok }) => !ok)).toEqual([]);
    expect(await titles(world, shop, 'bob')).toHaveLength(20);
    const { conversations } = await world.ask('todo_list_conversations', { user_id: 'bob' }, shop);
    expect(conversations).toHaveLength(1);
  });
});
