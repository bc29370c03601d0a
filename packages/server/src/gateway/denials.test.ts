import { describe, expect, it } from 'vitest';
import type { Caller } from '#domain/caller';
import { createWorld, type World } from '#testing/world';
import { DENIAL_WINDOW_MS } from './denials.ts';

const denied = async (world: World) =>
  (await world.store.reads.audit.page(0, 10_000)).filter(({ outcome }) => outcome === 'denied');

const reachFor = async (world: World, caller: Caller, times: number): Promise<void> => {
  for (let i = 0; i < times; i++) await world.refuse('todo_list_tasks', { user_id: `someone ${i}` }, caller);
};

describe('refusals of one kind', () => {
  it('leave one entry, and another with their number when the window is over', async () => {
    await using world = await createWorld();
    const asAnn = await world.callerWith({ user_id: await world.addUser('Ann') });

    await reachFor(world, asAnn, 1_000);
    expect(await denied(world)).toMatchObject([
      { action: 'todo_list_tasks', user_id: asAnn.user_id, reason: 'unauthorized', repeats: null },
    ]);

    world.time.now += DENIAL_WINDOW_MS;
    await reachFor(world, asAnn, 1);

    const entries = await denied(world);
    expect(entries.map(({ repeats }) => repeats)).toEqual([null, 999, null]);
    expect(entries[1]).toMatchObject({ action: 'todo_list_tasks', reason: 'unauthorized', token_id: asAnn.token_id });
    expect(await world.ask('admin_verify_audit', {})).toMatchObject({ intact: true });
  });

  it('are counted apart by caller, tool and reason', async () => {
    await using world = await createWorld();
    const ann = await world.addUser('Ann');
    const [first, second] = [await world.callerWith({ user_id: ann }), await world.callerWith({ user_id: ann })];
    const reader = await world.callerWith({ user_id: ann, scopes: ['todo:read'] });

    for (const caller of [first, second]) await reachFor(world, caller, 2);
    await world.refuse('todo_add_task', { user_id: 'someone', title: 'x' }, first);
    await world.refuse('todo_add_task', { user_id: 'me', title: 'x' }, reader);

    expect((await denied(world)).map(({ action, reason }) => `${action} ${reason}`)).toEqual([
      'todo_list_tasks unauthorized',
      'todo_list_tasks unauthorized',
      'todo_add_task unauthorized',
      'todo_add_task insufficient_scope',
    ]);
  });

  it('are counted until the process ends', async () => {
    await using world = await createWorld();
    const asAnn = await world.callerWith({ user_id: await world.addUser('Ann') });
    await reachFor(world, asAnn, 5);

    await world.gateway.close();

    expect((await denied(world)).map(({ repeats }) => repeats)).toEqual([null, 4]);
  });
});
