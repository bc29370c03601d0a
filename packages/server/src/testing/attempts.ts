import type { NewId } from '#domain/ids';
import type { OfferedExecutor } from '#domain/worker';
import { type ClaimedRun, createRunQueue } from '#services/runs/queue';
import { createRunLog } from '#services/runs/run-log';
import { createWorkers } from '#services/runs/workers';
import { countedIds, type World } from '#testing/world';

export const anExecutor = (fields: Partial<OfferedExecutor> = {}): OfferedExecutor => ({
  executor: 'scripted',
  title: 'Scripted agent',
  kind: 'command',
  variants: ['fast'],
  version: null,
  is_ready: true,
  problem: null,
  ...fields,
});

/** A worker that runs nothing by itself: the tests decide how the runs go that it takes. */
export async function aWorker(world: World, executors: readonly OfferedExecutor[] = [anExecutor()], id = 'worker-1') {
  const next = countedIds();
  // As those of `countedIds`.
  const ids: NewId = <Id extends string>() => next().replace('00000000', (id.at(-1) ?? 'a').repeat(8)) as Id;
  const workers = createWorkers(world.store, { ids, budgets: world.budgets });
  const queue = createRunQueue(world.store, ids, world.budgets);
  const beat = (): Promise<unknown> =>
    workers.beat(
      {
        id,
        host_id: 'host-1',
        host_name: 'host',
        boot_id: 'boot-1',
        pid: 1,
        pid_started: '1',
        executors: JSON.stringify(executors),
        max_runs: 10,
        lease_ms: world.lease_ms,
      },
      [],
    );
  await beat();
  const take = async (): Promise<ClaimedRun> => {
    const [run] = await queue.claim({
      worker_id: id,
      host_id: 'host-1',
      lease_ms: world.lease_ms,
      executors: new Map(executors.map(({ executor }) => [executor, null])),
      limit: 1,
    });
    if (run === undefined) throw new Error('no run waits');
    return run;
  };

  return { ...workers, ...queue, beatAgain: beat, log: createRunLog(world.store, ids, world.budgets), take };
}

/** Makes a project with a repository and a task. */
export async function aBoard(world: World) {
  const { project_id } = await world.ask('admin_add_project', { name: 'Shop' });
  const { repo_id } = await world.ask('admin_add_repo', { project_id, path: '/repos/shop', target_branch: 'main' });
  const { task_id } = await world.ask('create_task', { project_id, title: 'Fix the login', description: 'It fails.' });
  const start = (fields: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
    world.ask('start_task_attempt', { task_id, executor: 'scripted', repos: [{ repo_id }], ...fields });
  return { project_id, repo_id, task_id, start };
}
