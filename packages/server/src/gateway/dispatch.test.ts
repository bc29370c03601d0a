import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createWorld, type World } from '#testing/world';
import { catalog, type Tool } from '#tools/catalog';
import { defineTool } from '#tools/define';

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

  it('belong to their caller', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const asBob = await world.callerWith({ user_id: bob });
    const mine = await world.ask('todo_add_task', { ...add, idempotency_key: 'k1' });

    const his = await world.ask('todo_add_task', { ...add, idempotency_key: 'k1' }, asBob);

    expect(his.task_id).not.toBe(mine.task_id);
  });
});

describe('authorization', () => {
  it('lists exactly the tools that a call lets through', async () => {
    await using world = await createWorld();
    const reader = await world.callerWith({ scopes: ['todo:read'] });

    const listed = new Set(world.gateway.visible(reader, 'all').map(({ full_name }) => full_name));
    const denied: string[] = [];
    for (const tool of catalog) {
      const outcome = await world.gateway.dispatch({ caller: reader, tool, input: {}, transport: 'rest' });
      if (!outcome.ok && outcome.error.code === 'insufficient_scope') denied.push(tool.full_name);
    }

    expect(denied).toEqual(catalog.map(({ full_name }) => full_name).filter((name) => !listed.has(name)));
    expect(listed.has('todo_list_tasks')).toBe(true);
    expect(listed.has('todo_add_task')).toBe(false);
  });

  it('lets a personal token name its own user alone, and writes the attempt down', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const alice = await world.callerWith({ user_id: await world.addUser('Alice') });

    const error = await world.refuse('todo_add_task', { ...add, user_id: bob }, alice);

    expect(error.code).toBe('UNAUTHORIZED');
    expect(await world.ask('todo_list_tasks', { user_id: bob })).toEqual({ tasks: [] });
    expect((await trail(world)).at(-1)).toMatchObject({
      action: 'todo_add_task',
      outcome: 'denied',
      user_id: alice.user_id,
    });
  });

  it('lets a service token name the users that it lists, and nobody else', async () => {
    await using world = await createWorld();
    const [alice, bob] = [await world.addUser('Alice'), await world.addUser('Bob')];
    const scopes = ['todo:read', 'todo:write', 'todo:act_as'];
    const listed = await world.callerWith({ kind: 'service', user_ids: [alice], scopes });
    const everyone = await world.callerWith({ kind: 'service', user_ids: ['*'], scopes });
    const powerless = await world.callerWith({ kind: 'service', user_ids: ['*'], scopes: ['todo:write'] });

    const named = async (user_id: string, caller: typeof listed) =>
      (await world.call('todo_add_task', { ...add, user_id }, caller)).ok;

    expect([await named(alice, listed), await named(bob, listed), await named('me', listed)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([await named(alice, everyone), await named(bob, everyone), await named('nobody', everyone)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await named(alice, powerless)).toBe(false);
  });

  it('ends with the token: revoked, expired or its owner blocked', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const revoked = await world.token({ user_id: bob });
    const expiring = await world.token({ user_id: bob, expires_in: '1h' });
    const blocked = await world.token({ user_id: bob });
    const works = (token: Record<string, unknown>) =>
      world.gateway.authenticate(token.token as string).then(
        () => true,
        () => false,
      );

    const before = [await works(revoked), await works(expiring), await works(blocked)];
    await world.ask('admin_revoke_token', { token_id: revoked.token_id });
    const afterRevoke = await works(revoked);
    world.time.now += 3_600_001;
    const afterExpiry = await works(expiring);
    await world.ask('admin_block_user', { user_id: bob });
    const afterBlock = await works(blocked);
    await world.ask('admin_unblock_user', { user_id: bob });

    expect(before).toEqual([true, true, true]);
    expect([afterRevoke, afterExpiry, afterBlock]).toEqual([false, false, false]);
    expect(await works(blocked)).toBe(true);
  });

  it('knows no one without a token, unless anonymous access is on: then everything but administration', async () => {
    await using closed = await createWorld();
    await using open = await createWorld({ allowAnonymous: true });

    const anonymous = await open.gateway.authenticate(null);

    await expect(closed.gateway.authenticate(null)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(open.gateway.authenticate('errand_user_wrong')).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await open.call('todo_add_task', add, anonymous)).ok).toBe(true);
    expect((await open.refuse('admin_list_users', {}, anonymous)).code).toBe('insufficient_scope');
  });

  it('never lets a token hand out more than it holds, or for longer', async () => {
    await using world = await createWorld();
    const admin = await world.callerWith({ scopes: ['admin', 'todo:read'], expires_in: '30d' });
    const ask = { kind: 'user', name: 'child', scopes: ['todo:read'] };

    const wider = await world.refuse('admin_create_token', { ...ask, scopes: ['todo:write'] }, admin);
    const longer = await world.refuse('admin_create_token', { ...ask, expires_in: '31d' }, admin);
    const same = await world.ask('admin_create_token', ask, admin);

    expect([wider.code, longer.code]).toEqual(['insufficient_scope', 'validation_error']);
    expect(same.expires_at).toBe(new Date(world.time.now + 30 * 86_400_000).toISOString());
  });
});

describe('validation', () => {
  it.each([
    ['a missing field', { user_id: 'me' }, 'title: is required'],
    ['null where text is needed', { user_id: null, title: 'x' }, 'user_id: must be of type string'],
    ['an empty user', { user_id: '', title: 'x' }, 'user_id: must not be empty'],
    ['a wrong type', { user_id: 'me', title: 7 }, 'title: must be of type string'],
    ['a field that does not exist', { ...add, due: 'now' }, 'takes no field named due'],
    ['U+0000', { ...add, title: 'a\0b' }, 'title: holds U+0000'],
    ['half a surrogate pair', { ...add, title: '\ud800' }, 'title: holds U+0000 or half a surrogate'],
    ['a list for an object', [add], 'the arguments must be an object'],
    ['text for an object', 'add', 'the arguments must be an object'],
  ])('refuses %s, says so, and changes nothing', async (_, input, message) => {
    await using world = await createWorld();

    const error = await world.refuse('todo_add_task', input);

    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      retryable: false,
      message: expect.stringContaining(message),
    });
    expect(await count(world)).toBe(0);
  });

  it('refuses what is nested too deep, and numbers that are not exact', async () => {
    await using world = await createWorld();
    let deep: unknown = 'x';
    for (let i = 0; i < 70; i++) deep = [deep];

    const nested = await world.refuse('todo_add_task', { ...add, title: deep });
    const inexact = await world.refuse('todo_list_tasks', { user_id: 'me', limit: 2 ** 53 });

    expect(nested.message).toContain('nested deeper than 64');
    expect(inexact.message).toContain('too large to be exact');
  });

  it('names every field at fault, with the values it takes', async () => {
    await using world = await createWorld();

    const error = await world.refuse('todo_list_tasks', { status: 'open', limit: 0 });

    expect(error.details).toEqual({
      fields: [
        { field: 'user_id', problem: 'is required' },
        { field: 'status', problem: 'must be one of: all, pending, completed' },
        { field: 'limit', problem: 'must be at least 1' },
      ],
    });
  });

  it('refuses what cannot be stored inside JSON text too', async () => {
    await using world = await createWorld();

    const error = await world.refuse('todo_post_messages', {
      user_id: 'me',
      messages: '[{"role":"user","content":"a\\u0000b"}]',
    });

    expect(error.message).toContain('messages.0.content: holds U+0000');
    expect(await world.ask('todo_list_conversations', { user_id: 'me' })).toEqual({ conversations: [] });
  });

  it('says of an empty list that it needs items', async () => {
    await using world = await createWorld();

    const error = await world.refuse('todo_post_messages', { user_id: 'me', messages: [] });

    expect(error.message).toBe('messages: must have at least 1 item.');
  });

  it('takes null for what may be left out, and JSON text where a list is meant', async () => {
    await using world = await createWorld();

    const added = await world.call('todo_add_task', { ...add, description: null });
    const posted = await world.ask('todo_post_messages', {
      user_id: 'me',
      messages: '[{"role":"user","content":"hello"}]',
    });

    expect(added.ok).toBe(true);
    expect(posted).toEqual({ stored: 1 });
  });
});

describe('the trail', () => {
  it('holds one entry for every write, chained to the one before', async () => {
    await using world = await createWorld();
    await world.ask('todo_add_task', add);
    await world.ask('todo_list_tasks', { user_id: 'me' });
    await world.ask('todo_add_task', add);

    const entries = await trail(world);

    expect(entries.map(({ action, entity }) => [action, entity])).toEqual([
      ['todo_add_task', 'work_item'],
      ['todo_add_task', 'work_item'],
    ]);
    expect(entries[1]?.prev_hash).toBe(entries[0]?.hash);
    expect(await world.ask('admin_verify_audit', {})).toEqual({
      intact: true,
      entries: 2,
      first_bad_seq: null,
      problem: null,
    });
  });

  it('[FR-071] keeps each call as two messages, without credentials', async () => {
    await using world = await createWorld();
    const { token } = await world.token({});

    await world.ask('todo_add_task', { ...add, title: `use ${token as string}` });
    const [conversation] = (await world.ask('todo_list_conversations', { user_id: 'me' })).conversations as {
      conversation_id: string;
    }[];
    const { messages } = await world.ask('todo_list_messages', {
      user_id: 'me',
      conversation_id: conversation?.conversation_id,
    });

    expect((messages as { role: string }[]).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(JSON.stringify(messages)).toContain('add_task {\\"title\\":\\"use [redacted]\\"}');
    expect(JSON.stringify(messages)).not.toContain(token);
  });

  it('opens a new conversation after 30 quiet minutes', async () => {
    await using world = await createWorld();
    const conversations = async () =>
      ((await world.ask('todo_list_conversations', { user_id: 'me' })).conversations as unknown[]).length;

    await world.ask('todo_add_task', add);
    world.time.now += 29 * 60_000;
    await world.ask('todo_add_task', add);
    const within = await conversations();
    world.time.now += 31 * 60_000;
    await world.ask('todo_add_task', add);

    expect([within, await conversations()]).toEqual([1, 2]);
  });
});

describe('a fault of ours', () => {
  const faulty = (run: () => Promise<{ text: string }>): Tool => ({
    ...defineTool({
      name: 'break',
      title: 'Break',
      description: 'Breaks.',
      scope: 'todo:write',
      effect: 'create',
      route: 'POST /break',
      input: z.object({}),
      output: z.object({ text: z.string() }),
      run: async ({ work }) => {
        await work.tx.settings.put('broken', 'yes');
        return run();
      },
    }),
    profile: 'todo',
    full_name: 'todo_break',
  });

  it.each([
    ['that throws', () => Promise.reject(new Error('connect ECONNREFUSED at /srv/secret.ts:1'))],
    ['that answers what it did not declare', () => Promise.resolve({ text: 7 as unknown as string })],
  ])('%s leaks nothing, changes nothing and is logged under its number', async (_, run) => {
    await using world = await createWorld({ tools: [faulty(run)] });

    const error = await world.refuse('todo_break', {});

    expect(error).toMatchObject({ code: 'internal', retryable: false });
    expect(error.message).toContain(error.correlation_id);
    expect(JSON.stringify(error)).not.toMatch(/ECONNREFUSED|secret|expected/);
    expect(await world.store.reads.settings.get('broken')).toBeNull();
    expect(world.calls.at(-1)).toMatchObject({
      outcome: 'internal',
      correlation_id: error.correlation_id,
      error: expect.any(Error),
    });
  });
});

describe('a refused call', () => {
  it('is kept in the conversation of a user that is there, and leaves none for one that is not', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const { task_id } = await world.ask('todo_add_task', { user_id: bob, title: 'Secret' });

    await world.refuse('todo_complete_task', { user_id: 'me', task_id });
    await world.refuse('todo_complete_task', { user_id: 'nobody', task_id });
    await world.ask('todo_add_task', add);
    const { conversations } = await world.ask('todo_list_conversations', { user_id: 'me' });
    const [{ conversation_id }] = conversations as [{ conversation_id: string }];
    const { messages } = await world.ask('todo_list_messages', { user_id: 'me', conversation_id });

    expect((messages as { content: string }[])[1]?.content).toBe(
      'error unauthorized: This task belongs to another user.',
    );
    expect(messages).toHaveLength(4);
  });

  it('of a user who is blocked meanwhile changes nothing', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    await world.ask('admin_block_user', { user_id: bob });

    const codes = [
      await world.refuse('todo_add_task', { ...add, user_id: bob }),
      await world.refuse('todo_list_tasks', { user_id: bob }),
    ].map(({ code }) => code);

    expect(codes).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
  });
});

describe('while the database is away', () => {
  it('every call of whoever brings a token fails in the words of its tool, and no list is given', async () => {
    await using world = await createWorld();
    const { token } = await world.token({});
    await world.store.close();

    const caller = await world.gateway.authenticate(token as string);
    const error = await world.refuse('todo_list_tasks', { user_id: 'me' }, caller);

    expect(caller.kind).toBe('stranger');
    expect(error).toMatchObject({ code: 'DATABASE_ERROR', retryable: true });
    expect(() => world.gateway.visible(caller, 'all')).toThrow();
  });
});

describe('what is told of a call', () => {
  it('[FR-066] names tool, user, latency and outcome, and nothing that was said', async () => {
    await using world = await createWorld();

    await world.ask('todo_add_task', add);
    await world.refuse('todo_add_task', { user_id: 'me' });

    expect(world.calls).toEqual([
      expect.objectContaining({
        tool: 'todo_add_task',
        user_id: world.owner.user_id,
        latency_ms: expect.any(Number),
        outcome: 'ok',
      }),
      expect.objectContaining({
        tool: 'todo_add_task',
        outcome: 'VALIDATION_ERROR',
        correlation_id: expect.any(String),
      }),
    ]);
    expect(JSON.stringify(world.calls)).not.toContain('Buy milk');
  });
});
