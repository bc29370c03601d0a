import { describe, expect, it } from 'vitest';
import type { RunId } from '#domain/ids';
import { readableRuns } from '#domain/run-visibility';
import { aBoard, aWorker } from '#testing/attempts';
import { createWorld, type World } from '#testing/world';
import { createLeftovers } from './leftover-folders.ts';

/** A task of a project, with its ids. */
async function onBoard(world: World) {
  const { task_id, start } = await aBoard(world);
  return { start, target: { task_id } };
}

/** A task of the owner's todo list, with its ids. */
async function onTodoList(world: World) {
  const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Fix the login' });
  const { project_id } = await world.ask('get_task', { task_id });
  const { repo_id } = await world.ask('admin_add_repo', { project_id, path: '/repos/shop', target_branch: 'main' });
  const start = () => world.ask('start_task_attempt', { task_id, executor: 'scripted', repos: [{ repo_id }] });
  return { start, target: { user_id: 'me', task_id } };
}

/** Runs whose attempt is gone, which no call can end any more. */
async function orphans({ store: { reads }, owner }: World): Promise<readonly RunId[]> {
  const runs = await reads.runs.list(readableRuns(owner), { before: null, limit: 100 });
  const open = runs.filter(({ attempt_id, ended_at }) => attempt_id !== null && ended_at === null);
  const known = await Promise.all(open.map(async ({ id }) => ({ id, run: await reads.queue.findForWorker(id) })));
  return known.filter(({ run }) => run === null).map(({ id }) => id);
}

describe.each([
  ['delete_task', onBoard],
  ['todo_delete_task', onTodoList],
])('%s', (tool, settle) => {
  it('is refused while a run of the task is queued or running, so that every open run can end', async () => {
    await using world = await createWorld();
    const { start, target } = await settle(world);
    const worker = await aWorker(world);
    const { execution_id } = await start();

    const queued = await world.refuse(tool, target);
    const run = await worker.take();
    const running = await world.refuse(tool, target);

    expect([queued, running]).toMatchObject([
      { code: 'run_in_progress', message: expect.stringMatching(/attempt [A-Z]{3}-1\.1 is queued/) },
      { code: 'run_in_progress', hint: expect.stringContaining('stop_attempt') },
    ]);
    expect(await orphans(world)).toEqual([]);
    expect(await world.store.reads.queue.findForWorker(execution_id as RunId)).not.toBeNull();
    await worker.finish(run, { status: 'completed', reason: null }, []);
    await world.ask(tool, target);
    expect(await orphans(world)).toEqual([]);
  });

  it('records the folders of its attempts for the machine that has them', async () => {
    await using world = await createWorld();
    const { start, target } = await settle(world);
    const worker = await aWorker(world);
    const { attempt_id } = await start();
    const run = await worker.take();
    await worker.finish(run, { status: 'completed', reason: null }, []);
    const { attempt_id: never } = await start();
    await world.ask('stop_attempt', { attempt_id: never });
    const leftovers = createLeftovers(world.store);
    const before = await leftovers.of('host-1');

    await world.ask(tool, target);

    expect(before).toEqual([]);
    const [left, ...others] = await leftovers.of('host-1');
    expect(left).toEqual({
      attempt_id,
      host_id: 'host-1',
      branch: run.attempt.branch,
      repos: [{ repo_name: 'shop', repo_path: '/repos/shop', base_commit: null }],
    });
    expect(others).toEqual([]);
    await leftovers.done({ attempt_id: run.attempt.id, host_id: 'host-1' });
    expect(await leftovers.of('host-1')).toEqual([]);
  });
});
