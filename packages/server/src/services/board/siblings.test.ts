import { describe, expect, it } from 'vitest';
import type { Attempt } from '#domain/attempt';
import type { AttemptId } from '#domain/ids';
import { aBoard, aWorker } from '#testing/attempts';
import { countedIds, createWorld, type World } from '#testing/world';
import { archiveOthers } from './siblings.ts';

const DONE = { status: 'completed', reason: null } as const;

/** A task with an attempt that has ended, one that runs, and one that waits for a worker. */
async function threeAttempts(world: World) {
  const { task_id, start } = await aBoard(world);
  const worker = await aWorker(world);
  const begin = async () => (await start()).attempt_id as AttemptId;
  const chosen = await begin();
  const first = await worker.take();
  await worker.beginSpawn(first);
  await worker.finish(first, DONE, []);
  const running = await begin();
  const run = await worker.take();
  await worker.beginSpawn(run);
  await world.ask('follow_up', { attempt_id: running, action: 'queue', prompt: 'More of it.' });
  const queued = await begin();
  const { workspace_id } = world.owner;
  const find = async (id: AttemptId): Promise<Attempt> =>
    (await world.store.reads.attempts.find({ workspace_id, project_ids: 'all' }, id)) as Attempt;
  const choose = async (id: AttemptId) => {
    const attempt = await find(id);
    return world.store.transaction((tx) => archiveOthers(tx, countedIds(), attempt, world.owner));
  };
  return { task_id, worker, chosen, running, run, queued, find, choose };
}

describe('archiveOthers', () => {
  it('ends the runs of all other attempts at the task, takes their follow-ups back and asks for their folders', async () => {
    await using world = await createWorld();
    const { task_id, worker, chosen, running, run, queued, choose } = await threeAttempts(world);

    const archived = await choose(chosen);

    expect(new Set(archived.map(({ id }) => id))).toEqual(new Set([queued, running]));
    expect(await world.ask('get_attempt', { attempt_id: queued })).toMatchObject({
      state: 'archived',
      run: { status: 'killed' },
      folders: 'none',
    });
    expect(await world.ask('get_attempt', { attempt_id: running })).toMatchObject({
      state: 'archived',
      queue: [],
      folders: 'removal_requested',
    });
    expect((await worker.toStop('worker-1')).map(({ execution_id }) => execution_id)).toEqual([run.entry.execution_id]);
    expect(await world.ask('list_tasks', { project_id: run.attempt.project_id })).toMatchObject({
      tasks: [{ task_id, latest_attempt_id: chosen, attempt_state: 'review' }],
    });
  });

  it('leaves the chosen attempt, and those that are merged or archived already', async () => {
    await using world = await createWorld();
    const { chosen, running, queued, find, choose } = await threeAttempts(world);
    const before = await find(chosen);
    const merged = await find(queued);
    await world.store.transaction((tx) => tx.attempts.update({ ...merged, merged_at: 7 }));

    await choose(chosen);
    const again = await choose(chosen);

    expect(again).toEqual([]);
    expect(await find(chosen)).toEqual(before);
    expect(await find(queued)).toMatchObject({ merged_at: 7, archived_at: null });
    expect(await find(running)).toMatchObject({ archived_at: world.time.now });
  });

  it('moves the task to review when the run that it ended was the last one', async () => {
    await using world = await createWorld();
    const { task_id, worker, chosen, running, run, choose } = await threeAttempts(world);

    await choose(chosen);
    await worker.finish(run, { status: 'killed', reason: 'stopped' }, []);

    expect(await world.ask('get_task', { task_id })).toMatchObject({ status: 'inreview', latest_attempt_id: chosen });
    expect(await world.ask('get_attempt', { attempt_id: running })).toMatchObject({ folders: 'removal_requested' });
    await expect(worker.take()).rejects.toThrow('no run waits');
  });
});
