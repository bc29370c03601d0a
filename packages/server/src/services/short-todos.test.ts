import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '#testing/world';

const MAX_DEFAULT_CHARACTERS = 4_000;
const MAX_SIZED_CHARACTERS = 12_000;

interface Page {
  readonly tasks: readonly {
    readonly id: string;
    readonly title: string;
    readonly description: string | null;
    readonly completed: boolean;
  }[];
  readonly total?: number;
  readonly remaining?: number;
  readonly next_cursor?: string;
  readonly hint?: string;
}

async function fill(world: World, count: number, description?: string, title = 'Task'): Promise<void> {
  for (let i = 0; i < count; i++) {
    await world.ask('todo_add_task', { user_id: 'me', title: `${title} ${i}`, description });
  }
}

// Safe: the tool's schema has checked these fields.
const list = async (world: World, fields: object = {}): Promise<Page> =>
  (await world.ask('todo_list_tasks', { user_id: 'me', ...fields })) as unknown as Page;

const length = (page: Page): number => JSON.stringify(page).length;

describe('a todo list', () => {
  it('[US2-1, FR-021] shows every task when descriptions are long: it shortens and marks the descriptions', async () => {
    await using world = await createWorld();
    await fill(world, 8, 'x'.repeat(990));
    for (const { id: task_id } of (await list(world, { limit: 3 })).tasks) {
      await world.ask('todo_complete_task', { user_id: 'me', task_id });
    }

    const page = await list(world);
    const all = await list(world, { status: 'all' });

    expect(page.tasks.map(({ completed }) => completed)).toEqual([true, true, true, ...Array(5).fill(false)]);
    expect(all).toEqual(page);
    expect(length(page)).toBeLessThan(MAX_DEFAULT_CHARACTERS);
    for (const { description } of page.tasks) expect(description).toMatch(/^x{200,}…$/);
    expect(page).toMatchObject({ hint: expect.stringContaining('task_id') });
    expect(page.next_cursor).toBeUndefined();
  });

  it('shortens only the long descriptions', async () => {
    await using world = await createWorld();
    await world.ask('todo_add_task', { user_id: 'me', title: 'Short', description: 'As it was' });
    await world.ask('todo_add_task', { user_id: 'me', title: 'None' });
    await fill(world, 6, '🦜'.repeat(900));

    const { tasks } = await list(world);

    expect(tasks.slice(0, 2).map(({ description }) => description)).toEqual(['As it was', null]);
    for (const { description } of tasks.slice(2)) {
      expect(description).toMatch(/^🦜+…$/u);
      expect(description?.isWellFormed()).toBe(true);
    }
  });

  it('says in words and numbers how many tasks are left', async () => {
    await using world = await createWorld();
    await fill(world, 120, 'y'.repeat(500));

    const first = await list(world);
    const second = await list(world, { cursor: first.next_cursor });

    expect(first.total).toBe(120);
    expect(first.remaining).toBe(120 - first.tasks.length);
    expect(first.hint).toContain(`${first.remaining} more: pass next_cursor as cursor.`);
    expect(second.total).toBe(120);
    expect(second.remaining).toBe((first.remaining ?? 0) - second.tasks.length);
    expect(length(first)).toBeLessThan(MAX_DEFAULT_CHARACTERS);
  });

  it('counts only tasks that match the filter', async () => {
    await using world = await createWorld();
    await fill(world, 5);
    const { tasks } = await list(world, { limit: 2 });
    for (const { id: task_id } of tasks) await world.ask('todo_complete_task', { user_id: 'me', task_id });

    expect(await list(world, { status: 'pending', limit: 1 })).toMatchObject({ total: 3, remaining: 2 });
    expect(await list(world, { status: 'completed', limit: 1 })).toMatchObject({ total: 2, remaining: 1 });
  });

  it('holds as many tasks as a limit asks for, within what most clients show', async () => {
    await using world = await createWorld();
    await fill(world, 60, '"'.repeat(1_000));

    const fifty = await list(world, { limit: 50 });
    const all = await list(world, { limit: 200 });

    expect(fifty.tasks).toHaveLength(50);
    expect(all.tasks).toHaveLength(60);
    for (const page of [fifty, all]) expect(length(page)).toBeLessThan(MAX_SIZED_CHARACTERS);
  });

  it('is limited also when titles alone fill the answer', async () => {
    await using world = await createWorld();
    await fill(world, 100, undefined, '"'.repeat(190));

    const page = await list(world, { limit: 200 });

    expect(length(page)).toBeLessThan(MAX_SIZED_CHARACTERS);
    expect(page.remaining).toBe(100 - page.tasks.length);
  });

  it('shows one task whole, and only to its owner', async () => {
    await using world = await createWorld();
    await fill(world, 8, 'x'.repeat(1_000));
    const task_id = (await list(world)).tasks[7]?.id;
    const asBob = await world.callerWith({ user_id: await world.addUser('Bob') });

    const { tasks } = await list(world, { task_id });
    const foreign = await world.refuse('todo_list_tasks', { user_id: 'me', task_id }, asBob);
    const unknown = await world.refuse('todo_list_tasks', { user_id: 'me', task_id: 'none' });

    expect(tasks).toMatchObject([{ id: task_id, description: 'x'.repeat(1_000) }]);
    expect([foreign.code, unknown.code]).toEqual(['UNAUTHORIZED', 'TASK_NOT_FOUND']);
  });
});

describe('lists of other profiles', () => {
  it('say how many rows are left at least', async () => {
    await using world = await createWorld();
    for (let i = 0; i < 4; i++) await world.addUser(`User ${i}`);

    const first = await world.ask('admin_list_users', { limit: 2 });
    const last = await world.ask('admin_list_users', { limit: 2, cursor: first.next_cursor });

    expect(first).toMatchObject({ remaining: 1, hint: 'At least 1 more: pass next_cursor as cursor.' });
    expect(last).toMatchObject({ remaining: 1 });
  });

  it('count the rows that were left out for their size', async () => {
    await using world = await createWorld();
    const { projects } = await world.ask('list_projects', {});
    const [{ project_id }] = projects as [{ project_id: string }];
    for (let i = 0; i < 30; i++) await world.ask('create_task', { project_id, title: `${i} ${'t'.repeat(150)}` });

    const page = await world.ask('list_tasks', { project_id });

    const shown = (page.tasks as unknown[]).length;
    expect(shown).toBeLessThan(30);
    expect(page).toMatchObject({ remaining: 30 - shown, hint: `${30 - shown} more: pass next_cursor as cursor.` });
  });
});
