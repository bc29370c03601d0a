import { describe, expect, it } from 'vitest';
import type { Caller } from '#domain/caller';
import { createWorld, type World } from '#testing/world';

const scopes = ['todo:read', 'todo:write', 'todo:act_as'];

/** What the log says of the last call. */
const lastCall = ({ calls }: World) => calls.at(-1);

/** The messages of a user, once those that follow a call have been written. */
async function messagesOf(world: World, user_id: string, caller?: Caller): Promise<readonly string[]> {
  const { conversations } = await world.ask('todo_list_conversations', { user_id }, caller);
  const [newest] = conversations as { conversation_id: string }[];
  if (newest === undefined) return [];
  const { messages } = await world.ask(
    'todo_list_messages',
    { user_id, conversation_id: newest.conversation_id, limit: 200 },
    caller,
  );
  return (messages as { content: string }[]).map(({ content }) => content);
}

describe('the log of a call that is refused for its arguments', () => {
  it('[FR-066] names the given user, where the token may name the user', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const shop = await world.callerWith({ kind: 'service', name: 'shop', user_ids: ['*', bob], scopes });

    await world.refuse('todo_add_task', { user_id: bob, title: '' }, shop);
    expect(lastCall(world)).toMatchObject({ outcome: 'VALIDATION_ERROR', user_id: bob });

    await world.refuse('todo_add_task', { user_id: 'auth0|5f7c', title: '' }, shop);
    expect(lastCall(world)).toMatchObject({ user_id: 'auth0|5f7c', app: 'shop' });

    await world.refuse('todo_add_task', { user_id: 'me', title: '' });
    expect(lastCall(world)).toMatchObject({ user_id: world.owner.user_id });
    expect(lastCall(world)).not.toHaveProperty('named_user_id');
  });

  it('[FR-066] names both users where the token may not name the given one', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const asAnn = await world.callerWith({ user_id: await world.addUser('Ann') });

    await world.refuse('todo_add_task', { user_id: bob, title: '' }, asAnn);
    expect(lastCall(world)).toMatchObject({ user_id: asAnn.user_id, named_user_id: bob });

    await world.refuse('todo_list_tasks', { user_id: bob }, asAnn);
    expect(lastCall(world)).toMatchObject({ outcome: 'UNAUTHORIZED', user_id: asAnn.user_id, named_user_id: bob });

    await world.refuse('todo_list_tasks', { user_id: `${'x'.repeat(5_000)}` }, asAnn);
    expect(lastCall(world)?.named_user_id).toHaveLength(200);
  });
});

describe('a call that is refused for its arguments', () => {
  it('[FR-070, FR-071] keeps question and answer in the conversation of the user that it names', async () => {
    await using world = await createWorld();
    const shop = await world.callerWith({ kind: 'service', name: 'shop', user_ids: ['*'], scopes });
    const long = { title: 'x'.repeat(5_000), description: { nested: 'secret' }, more: '\0\ud800' };

    await world.refuse('todo_add_task', { user_id: 'ann', title: '' }, shop);
    await world.refuse('todo_add_task', { user_id: 'ann', ...long }, shop);
    await world.ask('todo_add_task', { user_id: 'ann', title: 'writes what waits' }, shop);

    const [asked, answered, ...others] = await messagesOf(world, 'ann', shop);
    expect([asked, answered]).toEqual([
      'add_task {"title":""}',
      'error validation_error: title: must have 1 to 200 characters, not 0.',
    ]);
    expect(others[0]).toMatch(/^add_task \{"title":"x+/);
    expect(others.join()).not.toContain('secret');
  });

  it('keeps nothing for a user whom the caller may not name, and nothing without the scope', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const asAnn = await world.callerWith({ user_id: await world.addUser('Ann') });
    const reader = await world.callerWith({ user_id: bob, scopes: ['todo:read'] });

    await world.refuse('todo_add_task', { user_id: bob, title: '' }, asAnn);
    await world.refuse('todo_add_task', { user_id: 'me', title: '' }, reader);
    await world.ask('todo_add_task', { user_id: bob, title: 'writes what waits' });

    expect((await messagesOf(world, bob)).filter((text) => text.startsWith('error'))).toEqual([]);
  });
});
