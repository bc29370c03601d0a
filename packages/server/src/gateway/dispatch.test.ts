import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { databaseAway } from '#store/sql/database-error';
import { createWorld, type World } from '#testing/world';
import { catalog, type Tool } from '#tools/catalog';
import { defineTool } from '#tools/define';

const add = { user_id: 'me', title: 'Buy milk' };

const trail = (world: World) => world.store.reads.audit.page(0, 1000);

describe('authorization', () => {
  it('lists exactly the tools that can be called', async () => {
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

  it('lets a personal token name only its own user, and audits the attempt', async () => {
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

  it('lets a service token name the users that it lists, and no others', async () => {
    await using world = await createWorld();
    const [alice, bob] = [await world.addUser('Alice'), await world.addUser('Bob')];
    const scopes = ['todo:read', 'todo:write', 'todo:act_as'];
    const listed = await world.callerWith({ kind: 'service', user_ids: [alice], scopes });
    const powerless = await world.callerWith({ kind: 'service', user_ids: ['*'], scopes: ['todo:write'] });

    const named = async (user_id: string, caller: typeof listed) =>
      (await world.call('todo_add_task', { ...add, user_id }, caller)).ok;

    expect([await named(alice, listed), await named(bob, listed), await named('me', listed)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await named(alice, powerless)).toBe(false);
  });

  it('ends when the token is revoked, expires or its owner is blocked', async () => {
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

  it('refuses callers without a token; with anonymous access, allows them everything but administration', async () => {
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
      head: `2:${entries[1]?.hash}`,
    });
  });

  it('keeps a digest of the changed thing, before and after', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', add);
    const update = (title: string) => world.ask('todo_update_task', { user_id: 'me', task_id, title });
    await update('Buy bread');
    await update('Buy milk');
    await world.ask('todo_delete_task', { user_id: 'me', task_id });

    const [added, renamed, again, deleted] = await trail(world);

    expect(added).toMatchObject({ before_digest: null, after_digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(renamed?.before_digest).toBe(added?.after_digest);
    expect(again?.before_digest).toBe(renamed?.after_digest);
    expect(again?.after_digest).not.toBe(added?.after_digest);
    expect(deleted).toMatchObject({ before_digest: again?.after_digest, after_digest: null });
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

  it('keeps no credential of a dialogue', async () => {
    await using world = await createWorld();
    const { token } = await world.token({});
    const messages = [{ role: 'user', content: `${'x'.repeat(300)} my token is ${token as string}, bearer abc` }];

    await world.ask('todo_post_messages', { user_id: 'me', messages });
    const { conversations } = await world.ask('todo_list_conversations', { user_id: 'me' });
    const [{ conversation_id }] = conversations as [{ conversation_id: string }];
    const kept = await world.ask('todo_list_messages', { user_id: 'me', conversation_id });

    expect((kept.messages as { content: string }[])[0]?.content).toBe(
      `${'x'.repeat(300)} my token is [redacted], [redacted]`,
    );
  });

  it('[CL-1] opens a new conversation after 30 quiet minutes', async () => {
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

describe('a fault of ours', () => {
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
  it('is kept in the conversation of an existing user, and in none for an unknown one', async () => {
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
    const { task_id } = await world.ask('todo_add_task', { ...add, user_id: bob });
    await world.ask('admin_block_user', { user_id: bob });

    const codes = [
      await world.refuse('todo_add_task', { ...add, user_id: bob }),
      await world.refuse('todo_list_tasks', { user_id: bob }),
      await world.refuse('todo_update_task', { user_id: bob, task_id, title: 'Changed' }),
      await world.refuse('todo_delete_task', { user_id: bob, task_id }),
    ].map(({ code }) => code);
    await world.ask('admin_unblock_user', { user_id: bob });
    // A call that is kept flushes what was to be kept before it.
    const { tasks } = await world.ask('todo_list_tasks', { user_id: bob });
    await world.ask('todo_add_task', add);
    const { conversations } = await world.ask('todo_list_conversations', { user_id: bob });
    const [{ conversation_id }] = conversations as [{ conversation_id: string }];
    const { messages } = await world.ask('todo_list_messages', { user_id: bob, conversation_id });

    expect(codes).toEqual(Array(4).fill('UNAUTHORIZED'));
    expect(tasks).toEqual([{ id: task_id, title: 'Buy milk', description: null, completed: false }]);
    expect(JSON.stringify(messages)).not.toContain('error unauthorized');
  });
});

describe('while the database is away', () => {
  it('every call with a token fails in the words of its tool, and no list is returned', async () => {
    await using world = await createWorld();
    const { token } = await world.token({});
    await world.store.close();

    const caller = await world.gateway.authenticate(token as string);
    const error = await world.refuse('todo_list_tasks', { user_id: 'me' }, caller);

    expect(caller.kind).toBe('stranger');
    expect(error).toMatchObject({ code: 'DATABASE_ERROR', retryable: true });
    expect(() => world.gateway.visible(caller, 'all')).toThrow();
  });

  it('a call is logged with its outcome, without the stack of the driver', async () => {
    const away = () => Promise.reject(databaseAway(new Error('connect ECONNREFUSED')));
    await using world = await createWorld({ tools: [faulty(away)] });

    const error = await world.refuse('todo_break', {});

    expect(world.calls).toMatchObject([{ tool: 'todo_break', outcome: error.code }]);
    expect(error.retryable).toBe(true);
    expect(world.calls[0]).not.toHaveProperty('error');
  });
});

describe('the log line of a call', () => {
  it('[FR-066] names tool, user, latency and outcome, and no content', async () => {
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
