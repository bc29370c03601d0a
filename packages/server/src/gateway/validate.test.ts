import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '#testing/world';
import { catalog } from '#tools/catalog';
import { inputSchema, outputSchema } from '#tools/schema';

const add = { user_id: 'me', title: 'Buy milk' };

const count = async (world: World): Promise<number> =>
  ((await world.ask('todo_list_tasks', { user_id: 'me', limit: 200 })).tasks as unknown[]).length;

describe('validation', () => {
  it.each([
    ['a missing field', { user_id: 'me' }, 'title: is required'],
    ['null where text is needed', { user_id: null, title: 'x' }, 'user_id: must be of type string'],
    ['an empty user', { user_id: '', title: 'x' }, 'user_id: must not be empty'],
    ['a wrong type', { user_id: 'me', title: 7 }, 'title: must be of type string'],
    ['a field that does not exist', { ...add, due: 'now' }, 'takes no field named due'],
    ['a field that every object has', { ...add, toString: null }, 'takes no field named toString'],
    ['the maker of every object', { ...add, constructor: '[1]' }, 'takes no field named constructor'],
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

  it('refuses far too many names without checking each value', async () => {
    await using world = await createWorld();
    let reads = 0;
    const input = { ...add, ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i])) };
    // The message that is kept of a refused call shows the first fields.
    Object.defineProperty(input, 'k100', { enumerable: true, get: () => (reads += 1) });

    const error = await world.refuse('todo_add_task', input);

    expect(error.message).toBe('takes no field named k0, k1, k2, k3, k4, 195 others.');
    expect(reads).toBe(0);
  });

  it('refuses lists and objects of too many entries, also as JSON text, without checking each', async () => {
    await using world = await createWorld();
    const refuse = (scopes: unknown) => world.refuse('admin_create_token', { kind: 'user', name: 'x', scopes });
    const many = Array.from({ length: 2_000 }, () => 1);

    const errors = [await refuse(many), await refuse(JSON.stringify(many)), await refuse({ ...many })];
    const unparsed = await refuse(JSON.stringify(Array.from({ length: 120_002 }, () => 1)));

    expect(errors.map(({ message }) => message)).toEqual(Array(3).fill('scopes: has more than 1000 entries.'));
    expect(unparsed.message).toBe('scopes: must be of type array.');
  });

  it('names every field at fault, with the values it takes', async () => {
    await using world = await createWorld();

    const error = await world.refuse('todo_list_tasks', { status: 'open', limit: 0 });

    expect(error.details).toEqual({
      fields: [
        { field: 'user_id', problem: expect.stringContaining('use "me"') },
        { field: 'status', problem: 'must be one of: all, pending, completed, not "open"' },
        { field: 'limit', problem: 'must be at least 1' },
      ],
    });
  });

  it.each([
    ['a long text, cut', 'x'.repeat(100), `, not "${'x'.repeat(60)}…"`],
    ['text cut before half a pair', `${'x'.repeat(59)}😀y`, `, not "${'x'.repeat(59)}…"`],
    ['a number', 7, ', not 7'],
    ['an object, which it leaves out', { a: 1 }, ''],
  ])('says which value is wrong: %s', async (_, status, ending) => {
    await using world = await createWorld();

    const { message } = await world.refuse('todo_list_tasks', { user_id: 'me', status });

    expect(message).toBe(`status: must be one of: all, pending, completed${ending}.`);
  });

  it('says what a missing idempotency key is', async () => {
    await using world = await createWorld();

    const error = await world.refuse('tasker_append_comment', { issue_id: 'x', comment_html: 'x' });

    expect(error.message).toBe(
      'idempotency_key: is required: any text that names this one operation; repeat it only to retry the very same call.',
    );
  });

  it('names each unknown field, and the closest known one', async () => {
    await using world = await createWorld();

    const error = await world.refuse('todo_add_task', { ...add, userId: 'me', due: 'now' });

    expect(error).toMatchObject({
      message: 'takes no field named userId (did you mean user_id?), due.',
      details: {
        fields: [
          { field: 'userId', problem: 'takes no field named userId (did you mean user_id?)' },
          { field: 'due', problem: 'takes no field named due' },
        ],
      },
    });
  });

  it('gives the path of an unknown field inside of another', async () => {
    await using world = await createWorld();

    const error = await world.refuse('tasker_update_structured_blocks', {
      ...{ issue_id: 'x', idempotency_key: 'k', action: 'append_checker' },
      items: [{ text: 'Fuel', mood: 'good' }],
    });

    expect(error).toMatchObject({
      message: 'items.0: takes no field named mood.',
      details: { fields: [{ field: 'items.0.mood' }] },
    });
  });

  it('reports a flood of unknown fields in one line', async () => {
    await using world = await createWorld();
    const flood = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`titl${i}`, 1]));

    const error = await world.refuse('todo_add_task', { ...add, ...flood });

    expect(error.details).toEqual({
      fields: [{ field: '', problem: `takes no field named ${Object.keys(flood).slice(0, 5).join(', ')}, 2 others` }],
    });
  });

  it('refuses text that cannot be stored inside JSON text too', async () => {
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

  it('accepts null for an optional field, and JSON text for a list', async () => {
    await using world = await createWorld();

    const added = await world.call('todo_add_task', { ...add, description: null });
    const posted = await world.ask('todo_post_messages', {
      user_id: 'me',
      messages: '[{"role":"user","content":"hello"}]',
    });

    expect(added.ok).toBe(true);
    expect(posted).toEqual({ stored: 1 });
  });

  it('answers briefly, however many arguments are wrong', async () => {
    await using world = await createWorld();
    const long = 'x'.repeat(50_000);
    const item = { text: 5, checked: 'x', foo: 1, [long]: 1 };
    const blocks = Array.from({ length: 100 }, () => ({ type: 'checker', items: Array(200).fill(item) }));
    const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`name ${i}`, i]));
    const unknown = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`field${i}`.repeat(12), 1]));
    const call = { project_id: 'p', name: 'x', idempotency_key: 'k' };

    const errors = [
      await world.refuse('tasker_create_issue', {
        ...call,
        detail_layout: { nodedc_structured_blocks: { version: 1, blocks } },
      }),
      await world.refuse('tasker_create_issue', { ...call, ...names }),
      await world.refuse('tasker_create_issue', { ...call, [long]: 1 }),
      await world.refuse('tasker_create_issue', { ...call, [long]: '\0' }),
      await world.refuse('tasker_create_issue', { ...call, priority: long }),
      await world.refuse('tasker_update_structured_blocks', {
        issue_id: 'i',
        action: 'append_checker',
        items: Array(20).fill({ text: 't', ...unknown }),
        idempotency_key: 'k',
      }),
      await world.refuse('admin_grant_agent', {
        agent_id: 'a',
        project_id: 'p',
        scopes: Array(20).fill('\u0001"\\'.repeat(40)),
      }),
    ];

    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['validation_error']));
    for (const error of errors) expect(JSON.stringify(error).length).toBeLessThan(4_000);
    expect(errors[0]?.message).toMatch(/; \d+ more like these\.$/);
  });
});

describe('another name of a field', () => {
  const other = '00000000-0000-7000-8000-00000000dead';
  const cancel = { action: 'cancel' };

  it('[B-FOLLOW-3] is accepted for the field itself', async () => {
    await using world = await createWorld();

    const named = await world.refuse('follow_up', { ...cancel, workspace_id: other });
    const itself = await world.refuse('follow_up', { ...cancel, attempt_id: other });

    expect(named).toMatchObject({ code: 'not_found', message: itself.message });
  });

  it('is refused beside the field, and is ignored when it is null', async () => {
    await using world = await createWorld();

    const both = await world.refuse('follow_up', { ...cancel, workspace_id: other, attempt_id: other });
    const empty = await world.refuse('follow_up', { ...cancel, workspace_id: null, attempt_id: other });

    expect(both).toMatchObject({
      code: 'validation_error',
      message: 'workspace_id: is another name for attempt_id: give one of them.',
    });
    expect(empty.code).toBe('not_found');
  });

  it('[B-ATTEMPT-S2] is never shown', () => {
    const schemas = catalog
      .filter(({ profile }) => profile === 'board')
      .map((tool) => JSON.stringify([inputSchema(tool), outputSchema(tool)]));

    expect(schemas.length).toBeGreaterThan(10);
    expect(schemas.filter((schema) => schema.includes('workspace_id'))).toEqual([]);
  });
});
