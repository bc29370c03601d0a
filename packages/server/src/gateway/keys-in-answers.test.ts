import { describe, expect, it } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createBoardOf } from '#testing/board';
import { createTrackerWorld } from '#testing/tracker';
import { createWorld } from '#testing/world';

describe('answers', () => {
  it('[L-KEY] name issues, their parents and their projects by key', async () => {
    await using at = await createTrackerWorld();
    const { project_id, robot } = at;
    const parent_id = await at.issue(robot, { project_id, name: 'Launch' });
    const child = await at.ask(robot, 'tasker_create_issue', { project_id: 'ROC', name: 'Engine', parent_id: 'ROC-1' });

    const found = await at.ask(robot, 'tasker_search_issues', { query: 'Engine' });
    const read = await at.ask(robot, 'tasker_get_issue', { issue_id: 'ROC-2' });
    const { projects } = await at.ask(robot, 'tasker_list_projects', {});

    expect(child).toMatchObject({ issue: { key: 'ROC-2' } });
    expect(found).toMatchObject({ issues: [{ key: 'ROC-2', name: 'Engine' }] });
    expect(read).toMatchObject({ issue: { key: 'ROC-2', parent_id, parent_key: 'ROC-1' } });
    expect(projects).toMatchObject([{ key: 'ROC' }]);
  });

  it('[L-KEY] name a task, its parent and its neighbours by key', async () => {
    await using world = await createWorld();
    await world.ask('admin_add_project', { name: 'Website', key: 'WEB' });
    for (const title of ['One', 'Two']) await world.ask('create_task', { project_id: 'WEB', title });
    await world.ask('update_task', { task_id: 'WEB-2', blocked_by: ['WEB-1'] });
    await world.ask('tasker_update_issue', { issue_id: 'WEB-2', parent_id: 'WEB-1', idempotency_key: 'k' });

    const blocked = await world.ask('get_task', { task_id: 'WEB-2' });
    const blocker = await world.ask('get_task', { task_id: 'WEB-1' });
    const { projects } = (await world.ask('admin_list_projects', {})) as { projects: { key: string }[] };

    expect(blocked).toMatchObject({ key: 'WEB-2', parent_key: 'WEB-1', blocked_by: [{ key: 'WEB-1' }] });
    expect(blocker).toMatchObject({ key: 'WEB-1', parent_id: null, parent_key: null, blocks: [{ key: 'WEB-2' }] });
    expect(projects.map(({ key }) => key)).toContain('WEB');
  });

  it('[L-KEY] name the task and the attempt of a run by key', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    await aWorker(world);

    const { key: attempt_key, execution_id } = await start({});
    const task_key = 'SHO-1';
    const run = await world.ask('get_execution', { execution_id });
    const { executions } = await world.ask('list_executions', {});
    const foreign = await world.ask('create_execution', { name: 'Elsewhere' });
    const reported = await world.ask('create_execution', { name: 'Reported', work_item_id: task_key });

    expect(attempt_key).toBe(`${task_key}.1`);
    expect(run).toMatchObject({ task_key, attempt_key });
    expect(executions).toMatchObject([{ task_key, attempt_key }]);
    expect(foreign).toMatchObject({ task_key: null, attempt_key: null });
    expect(reported).toMatchObject({ task_key, attempt_key: null });
  });

  it('[L-KEY] do not name the parent of a task to the agent of an attempt, which sees its own task alone', async () => {
    await using world = await createWorld();
    const { project_id, task_id } = await aBoard(world);
    await world.ask('create_task', { project_id, title: 'Parent' });
    await world.ask('tasker_update_issue', { issue_id: task_id, parent_id: 'SHO-2', idempotency_key: 'k' });
    const board = createBoardOf(world, String(project_id));
    const agent = await board.within(await board.attempt(String(task_id)));

    expect(await world.ask('get_task', { task_id })).toMatchObject({ parent_key: 'SHO-2' });
    expect(await world.ask('get_task', { task_id }, agent)).toMatchObject({ parent_id: null, parent_key: null });
  });

  it('[L-KEY] of the todo profile keep the fields of their contract', async () => {
    await using world = await createWorld();

    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Milk' });
    const { tasks } = (await world.ask('todo_list_tasks', { user_id: 'me' })) as { tasks: object[] };

    expect(Object.keys(tasks[0] ?? {})).toEqual(['id', 'title', 'description', 'completed']);
    expect(task_id).toEqual(expect.any(String));
  });
});
