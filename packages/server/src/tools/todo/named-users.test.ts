import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible } from '#domain/visible-text';
import { createWorld } from '#testing/world';
import { times } from '../../../../../test/e2e/counts.ts';

/** Titles of many scripts, with emoji and their joiners, and those that look like commands. */
const SAMPLES = [
  'Ærø naïve ﷽ ½',
  '東京 한국어 ไทย',
  'שלום مرحبا می‌خواهم',
  'नमस्ते क्‍ष',
  '👩‍👩‍👧 🏳️‍🌈 ❤️ 🇳🇴 👍🏽',
  '𝒜 𠮷',
  "Robert'); DROP TABLE work_items;--",
  '$(rm -rf /) `id` ; && | > $HOME %s',
];

/** Arguments with which each of the five tools would go on to its task. */
const REST: Readonly<Record<string, object>> = {
  todo_add_task: { title: 'x' },
  todo_list_tasks: {},
  todo_complete_task: { task_id: '00000000-0000-7000-8000-000000000000' },
  todo_delete_task: { task_id: '00000000-0000-7000-8000-000000000000' },
  todo_update_task: { task_id: '00000000-0000-7000-8000-000000000000', title: 'y' },
};

describe.each(Object.entries(REST))('%s', (tool, rest) => {
  it.each([
    ['null', { user_id: null }],
    ['empty', { user_id: '' }],
    ['missing', {}],
  ])('[EDGE-5, FR-060] refuses a user id that is %s', async (_, named) => {
    await using world = await createWorld();

    const error = await world.refuse(tool, { ...rest, ...named });

    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('user_id') });
  });

  it('[FR-060, SC-004] refuses a user whom the token may not name', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const alice = await world.callerWith({ user_id: await world.addUser('Alice') });

    expect(await world.refuse(tool, { ...rest, user_id: bob }, alice)).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a title', () => {
  it('[EDGE-2] that is too long is refused without the database', async () => {
    await using world = await createWorld();
    await world.store.close();

    const long = await world.refuse('todo_add_task', { user_id: 'me', title: 'x'.repeat(201) });
    const fitting = await world.refuse('todo_add_task', { user_id: 'me', title: 'x'.repeat(200) });

    expect([long.code, fitting.code]).toEqual(['VALIDATION_ERROR', 'DATABASE_ERROR']);
  });

  it('[EDGE-4, FR-062] of any visible Unicode text comes back unchanged, and is no command', async () => {
    await using world = await createWorld();
    await world.ask('todo_add_task', { user_id: 'me', title: 'first' });
    const titles = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 60 })
      .filter((text) => text.trim() === text && visible(text) === text && !text.includes('\0'));

    await fc.assert(
      fc.asyncProperty(titles, async (title) => {
        const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title, description: title });
        const { tasks } = await world.ask('todo_list_tasks', { user_id: 'me' });
        await world.ask('todo_delete_task', { user_id: 'me', task_id });

        expect(tasks).toMatchObject([{ title: 'first' }, { id: task_id, title, description: title }]);
      }),
      { numRuns: times({ whole: 300, part: 100 }), examples: SAMPLES.map((title) => [title]) },
    );
  });
});
