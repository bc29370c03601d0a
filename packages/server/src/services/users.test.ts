import { expect, it } from 'vitest';
import { createWorld } from '#testing/world';

it('warns who else has the name of a new user, and refuses the name from then on', async () => {
  await using world = await createWorld();

  const first = await world.ask('admin_add_user', { name: 'Ana' });
  const second = await world.ask('admin_add_user', { name: 'Ana' });
  const refused = await world.refuse('admin_block_user', { user_id: 'Ana' });

  expect(first).toEqual({ user_id: expect.any(String) });
  expect(second.warning).toBe(
    `Another user is called "Ana": ${first.user_id} (member, active). Name each of them by id.`,
  );
  expect(refused.code).toBe('ambiguous');
  for (const { user_id } of [first, second]) expect(refused.hint).toContain(user_id);
});

it('does not find the user of an app where a person is named', async () => {
  await using world = await createWorld();
  const user_id = await world.addUser('Ana');
  const scopes = ['todo:read', 'todo:act_as'];
  const shop = await world.callerWith({ kind: 'service', name: 'shop', user_ids: ['*'], scopes });
  for (const id of ['Ana', 'Bob']) await world.ask('todo_list_tasks', { user_id: id }, shop);

  expect((await world.refuse('admin_block_user', { user_id: 'Bob' })).code).toBe('not_found');
  expect(await world.ask('admin_block_user', { user_id: 'Ana' })).toEqual({ user_id, status: 'blocked' });
});
