import { describe, expect, it } from 'vitest';
import { createWorld } from '#testing/world';

describe('the todo tools', () => {
  it('[FR-013] add a task and return its id', async () => {
    await using world = await createWorld();

    const answer = await world.ask('todo_add_task', { user_id: 'me', title: 'Buy groceries' });

    expect(answer).toEqual({ task_id: expect.any(String), status: 'created', title: 'Buy groceries' });
  });

  it('[FR-023] list tasks oldest first, with their fields', async () => {
    await using world = await createWorld();
    const first = await world.ask('todo_add_task', { user_id: 'me', title: 'Meeting prep', description: 'Q1 slides' });
    const second = await world.ask('todo_add_task', { user_id: 'me', title: 'Call home' });

    const answer = await world.ask('todo_list_tasks', { user_id: 'me' });

    expect(answer).toEqual({
      tasks: [
        { id: first.task_id, title: 'Meeting prep', description: 'Q1 slides', completed: false },
        { id: second.task_id, title: 'Call home', description: null, completed: false },
      ],
    });
  });

  it('[FR-024] answer a user without tasks with an empty list', async () => {
    await using world = await createWorld();

    const answer = await world.ask('todo_list_tasks', { user_id: 'me', status: 'completed' });

    expect(answer).toEqual({ tasks: [] });
  });

  it('[FR-031] toggle a task, or set it to the given value', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Toggle' });
    const target = { user_id: 'me', task_id };

    const states = [
      await world.ask('todo_complete_task', target),
      await world.ask('todo_complete_task', target),
      await world.ask('todo_complete_task', { ...target, completed: true }),
      await world.ask('todo_complete_task', { ...target, completed: true }),
    ].map(({ status, completed }) => [status, completed]);

    expect(states).toEqual([
      ['completed', true],
      ['pending', false],
      ['completed', true],
      ['completed', true],
    ]);
  });

  it('[FR-020] list only tasks that match the filter', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Done' });
    await world.ask('todo_add_task', { user_id: 'me', title: 'Open' });
    await world.ask('todo_complete_task', { user_id: 'me', task_id });

    const titles = async (status: string) =>
      ((await world.ask('todo_list_tasks', { user_id: 'me', status })).tasks as { title: string }[]).map(
        ({ title }) => title,
      );

    expect(await titles('pending')).toEqual(['Open']);
    expect(await titles('completed')).toEqual(['Done']);
    expect(await titles('all')).toEqual(['Done', 'Open']);
  });

  it('[FR-054] update the given fields and keep the rest', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Meeting', description: 'Agenda' });

    const renamed = await world.ask('todo_update_task', { user_id: 'me', task_id, title: 'Team Meeting' });
    const cleared = await world.ask('todo_update_task', { user_id: 'me', task_id, description: '' });

    expect(renamed).toEqual({
      task_id,
      status: 'updated',
      title: 'Team Meeting',
      description: 'Agenda',
      completed: false,
    });
    expect(cleared).toMatchObject({ title: 'Team Meeting', description: null });
  });

  it('[FR-051] refuse an update without changes', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Meeting' });

    const error = await world.refuse('todo_update_task', { user_id: 'me', task_id });

    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('No changes') });
  });

  it('[FR-041] delete a task permanently', async () => {
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Gone' });

    const answer = await world.ask('todo_delete_task', { user_id: 'me', task_id });
    const again = await world.refuse('todo_delete_task', { user_id: 'me', task_id });

    expect(answer).toEqual({ task_id, title: 'Gone', status: 'deleted' });
    expect(again.code).toBe('TASK_NOT_FOUND');
  });

  it('[FR-061] distinguish another user’s task from an unknown one, and change neither', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const asAlice = await world.callerWith({ user_id: await world.addUser('Alice') });
    const { task_id } = await world.ask('todo_add_task', { user_id: bob, title: 'Secret' });

    const codes = [];
    for (const tool of ['complete', 'update', 'delete']) {
      const fields = { user_id: 'me', ...(tool === 'update' && { title: 'Mine' }) };
      codes.push((await world.refuse(`todo_${tool}_task`, { ...fields, task_id }, asAlice)).code);
      codes.push((await world.refuse(`todo_${tool}_task`, { ...fields, task_id: 'nothing' }, asAlice)).code);
    }

    expect(codes).toEqual(Array.from({ length: 3 }, () => ['UNAUTHORIZED', 'TASK_NOT_FOUND']).flat());
    expect(await world.ask('todo_list_tasks', { user_id: bob })).toEqual({
      tasks: [{ id: task_id, title: 'Secret', description: null, completed: false }],
    });
  });

  it('page through a long list, without gap or repeat', async () => {
    await using world = await createWorld();
    for (let i = 0; i < 120; i++) await world.ask('todo_add_task', { user_id: 'me', title: `Task ${i}` });

    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await world.ask('todo_list_tasks', { user_id: 'me', ...(cursor !== undefined && { cursor }) });
      expect(JSON.stringify(page).length).toBeLessThan(4_000);
      seen.push(...(page.tasks as { title: string }[]).map(({ title }) => title));
      cursor = page.next_cursor;
    } while (cursor !== undefined);

    expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => `Task ${i}`));
  });

  it('refuse a cursor that was changed, or came from another list', async () => {
    await using world = await createWorld();
    for (const title of ['a', 'b', 'c']) await world.ask('todo_add_task', { user_id: 'me', title });
    const { next_cursor } = await world.ask('todo_list_tasks', { user_id: 'me', limit: 1 });
    const cursor = next_cursor as string;

    const flipped = cursor.startsWith('A') ? `B${cursor.slice(1)}` : `A${cursor.slice(1)}`;
    const codes = [
      await world.refuse('todo_list_tasks', { user_id: 'me', cursor: flipped }),
      await world.refuse('todo_list_tasks', { user_id: 'me', cursor: 'x' }),
      await world.refuse('todo_list_tasks', { user_id: 'me', status: 'pending', cursor }),
    ].map(({ code }) => code);

    expect(codes).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR']);
  });

  it('[FR-011] count characters as people do', async () => {
    await using world = await createWorld();

    const fits = await world.call('todo_add_task', { user_id: 'me', title: '🦜'.repeat(200) });
    const codes = [
      await world.refuse('todo_add_task', { user_id: 'me', title: '🦜'.repeat(201) }),
      await world.refuse('todo_add_task', { user_id: 'me', title: 'x'.repeat(201) }),
      await world.refuse('todo_add_task', { user_id: 'me', title: '   ' }),
      await world.refuse('todo_add_task', { user_id: 'me', title: 'ok', description: 'x'.repeat(1001) }),
    ].map(({ code }) => code);

    expect(fits.ok).toBe(true);
    expect(codes).toEqual(Array(4).fill('VALIDATION_ERROR'));
  });

  it('give short answers also when every character is escaped', async () => {
    await using world = await createWorld();
    for (let i = 0; i < 20; i++) {
      await world.ask('todo_add_task', { user_id: 'me', title: '"'.repeat(200), description: '\\'.repeat(800) });
    }

    const first = await world.ask('todo_list_tasks', { user_id: 'me' });

    expect(JSON.stringify(first).length).toBeLessThan(4_000);
    expect(first.tasks).not.toEqual([]);
  });

  it('show the beginning of a card that is far longer than a todo', async () => {
    await using world = await createWorld();
    const { projects } = await world.ask('tasker_list_projects', {});
    const [{ id: project_id }] = projects as [{ id: string }];
    const { issue } = await world.ask('tasker_create_issue', {
      project_id,
      name: 'Long',
      description_html: `<p>${'🦜'.repeat(600)}</p><p>${'word '.repeat(5_000)}</p>`,
      idempotency_key: 'k1',
    });

    const { tasks } = await world.ask('todo_list_tasks', { user_id: 'me' });
    const task_id = (issue as { id: string }).id;
    const updated = await world.ask('todo_update_task', { user_id: 'me', task_id, title: 'Longer' });

    for (const { description } of [...(tasks as { description: string }[]), updated as { description: string }]) {
      expect(description.length).toBeLessThanOrEqual(1_000);
      expect(description.isWellFormed()).toBe(true);
      expect(description).toMatch(/^🦜.*…$/u);
    }
  });
});
