import { expect, it } from 'vitest';
import type { UserId } from '#domain/ids';
import { createWorld, type World } from '#testing/world';
import { messageChores } from './message-chores.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 3;

/** Does the chores once, as housekeeping does. Returns how many transactions it took. */
async function tidy(world: World, limits: { messages_kept_ms: number; max_messages_per_user: number }) {
  let parts = 0;
  for (const { isDue, part } of messageChores({ limits, batch: BATCH })) {
    if (!(await isDue(world.store.reads))) continue;
    do parts += 1;
    while (await world.store.transaction(part));
  }
  return parts;
}

async function say(world: World, ...contents: readonly string[]): Promise<void> {
  const messages = contents.map((content) => ({ role: 'user', content }));
  await world.ask('todo_post_messages', { user_id: 'me', messages });
}

async function said(world: World): Promise<readonly string[]> {
  const { conversations } = world.store.reads;
  const user = world.owner.user_id as UserId;
  const kept = await conversations.list(user, { after: null, limit: 100 });
  const messages = await Promise.all(
    kept.toReversed().map(({ id }) => conversations.messages(user, id, { after: null, limit: 100 })),
  );
  return messages.flat().map(({ content }) => content);
}

it('deletes conversations that ended long ago, a few messages at a time', async () => {
  await using world = await createWorld();
  await say(world, ...'abcdefg');
  world.time.now += 90 * DAY_MS;
  await say(world, 'new');
  const limits = { messages_kept_ms: 90 * DAY_MS, max_messages_per_user: 100 };

  expect(await tidy(world, limits)).toBe(0);
  world.time.now += 1;
  expect(await tidy(world, limits)).toBe(3);

  expect(await said(world)).toEqual(['new']);
  expect(await world.store.reads.conversations.list(world.owner.user_id, { after: null, limit: 9 })).toHaveLength(1);
});

it('deletes the oldest messages of a user who has too many', async () => {
  await using world = await createWorld();
  await say(world, ...'ab');
  world.time.now += 60 * 60_000;
  await say(world, ...'cdefghij');
  const limits = { messages_kept_ms: 90 * DAY_MS, max_messages_per_user: 3 };

  expect(await tidy(world, limits)).toBe(3);

  expect(await said(world)).toEqual(['h', 'i', 'j']);
  expect(await tidy(world, limits)).toBe(0);
});
