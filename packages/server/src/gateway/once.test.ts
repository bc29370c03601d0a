import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '#testing/world';

const add = { user_id: 'me', title: 'Buy milk' };

const count = async (world: World): Promise<number> =>
  ((await world.ask('todo_list_tasks', { user_id: 'me', limit: 200 })).tasks as unknown[]).length;

const trail = (world: World) => world.store.reads.audit.page(0, 1000);

describe('idempotency keys', () => {
  it('return the first answer for a repeated call, and leave one effect and one entry', async () => {
    await using world = await createWorld();

    const first = await world.ask('todo_add_task', { ...add, idempotency_key: 'k1' });
    const again = await world.ask('todo_add_task', { title: 'Buy milk', idempotency_key: 'k1', user_id: 'me' });

    expect(again).toEqual(first);
    expect(await count(world)).toBe(1);
    expect((await trail(world)).filter(({ action }) => action === 'todo_add_task')).toHaveLength(1);
  });

  it('leave one effect for many calls at once', async () => {
    await using world = await createWorld();

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.ask('todo_add_task', { ...add, idempotency_key: 'k1' })),
    );

    expect(new Set(answers.map(({ task_id }) => task_id)).size).toBe(1);
    expect(await count(world)).toBe(1);
  });

  it('refuse other arguments, and another tool', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { ...add, idempotency_key: 'k1' });

    const other = await world.refuse('todo_add_task', { ...add, title: 'Buy bread', idempotency_key: 'k1' });
    const elsewhere = await world.refuse('todo_delete_task', { user_id: 'me', task_id, idempotency_key: 'k1' });

    expect([other.code, elsewhere.code]).toEqual(['idempotency_key_conflict', 'idempotency_key_conflict']);
    expect(await count(world)).toBe(1);
  });

  it('are forgotten after 24 hours', async () => {
    await using world = await createWorld();
    await world.ask('todo_add_task', { ...add, idempotency_key: 'k1' });

    world.time.now += 24 * 3_600_000 - 1_000;
    await world.ask('todo_add_task', { ...add, idempotency_key: 'k1' });
    const before = await count(world);
    world.time.now += 2_000;
    await world.ask('todo_add_task', { ...add, idempotency_key: 'k1' });

    expect([before, await count(world)]).toEqual([1, 2]);
  });

  it('are released by a call that failed', async () => {
    await using world = await createWorld();
    await world.refuse('todo_complete_task', { user_id: 'me', task_id: 'none', idempotency_key: 'k1' });

    const answer = await world.call('todo_add_task', { ...add, idempotency_key: 'k1' });

    expect(answer.ok).toBe(true);
  });

  it('of two services of one maker are separate', async () => {
    await using world = await createWorld();
    const user_id = await world.addUser('Bob');
    const fields = { kind: 'service', user_ids: [user_id], scopes: ['todo:write', 'todo:act_as'] };
    const [one, two] = [await world.callerWith(fields), await world.callerWith(fields)];

    const first = await world.ask('todo_add_task', { ...add, user_id, idempotency_key: 'k1' }, one);
    const second = await world.ask('todo_add_task', { ...add, user_id, idempotency_key: 'k1' }, two);

    expect(second.task_id).not.toBe(first.task_id);
  });

  it('belong to their caller', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const asBob = await world.callerWith({ user_id: bob });
    const mine = await world.ask('todo_add_task', { ...add, idempotency_key: 'k1' });

    const his = await world.ask('todo_add_task', { ...add, idempotency_key: 'k1' }, asBob);

    expect(his.task_id).not.toBe(mine.task_id);
  });
});

describe('a withdrawn call', () => {
  const callOf = async (world: World, input: object) => {
    const tool = world.gateway.find('add_task', 'todo');
    if (tool === undefined) throw new Error('no tool');
    return { caller: world.owner, tool, input, transport: 'rest' } as const;
  };

  it('is refused when it arrives later', async () => {
    await using world = await createWorld();
    const call = await callOf(world, { ...add, idempotency_key: 'k1' });

    const withdrawn = await world.gateway.withdraw(call);
    const outcome = await world.gateway.dispatch(call);

    expect(withdrawn).toBeNull();
    expect(outcome).toMatchObject({ ok: false, error: { code: 'idempotency_key_in_progress' } });
    expect(await count(world)).toBe(0);
  });

  it('that was already answered returns its answer', async () => {
    await using world = await createWorld();
    const call = await callOf(world, { ...add, idempotency_key: 'k1' });
    const answered = await world.gateway.dispatch(call);

    expect(await world.gateway.withdraw(call)).toEqual(answered);
    expect(await count(world)).toBe(1);
  });
});
