import type { AttemptRepo } from '#domain/attempt';
import type { RunId } from '#domain/ids';
import type { Worker } from '#domain/worker';
import type { Hold } from '#services/runs/held-run';
import type { RunQueue } from '#services/runs/queue';
import type { Workers } from '#services/runs/workers';
import { prepareRepos } from './attempt-repos.ts';
import { commitRepos } from './commit-repos.ts';
import type { AttemptFolders } from './git/attempt-folders.ts';
import type { Machine } from './process/machine.ts';
import { startTimeOf } from './process/process-table.ts';
import type { Processes } from './process/processes.ts';

type LostRun = Awaited<ReturnType<RunQueue['lost']>>[number];

interface Needs {
  readonly worker_id: string;
  readonly queue: RunQueue;
  readonly workers: Workers;
  readonly processes: Processes;
  readonly attemptFolders: AttemptFolders;
  readonly machine: Machine;
  readonly lease_ms: number;
  /** Whether this worker holds the run itself. */
  readonly isActive: (execution_id: RunId) => boolean;
  readonly report: (error: unknown) => void;
}

/** A lost run is left this long to workers on its own machine, which can end its processes. They may hang, too. */
const HOME_HAS_MS = 60_000;

/** Ends the runs of workers that are gone, after the processes of these runs on this machine. */
export function createReaper({ worker_id, queue, workers, processes, attemptFolders, machine, ...needs }: Needs) {
  const { lease_ms, isActive, report } = needs;
  const taken = new Map<RunId, Hold>();
  /** Whether the process of a worker is certainly gone. For one in another container only its lease shows that. */
  function isDead({ id, boot_id, pid, pid_started }: Worker): boolean {
    if (id === worker_id) return false;
    if (boot_id !== machine.boot_id) return true;
    const [started, namespace] = pid_started.split(' ');
    return namespace === machine.pid_namespace && startTimeOf(pid) !== started;
  }

  /** Commits what a lost run left in folders of this machine, before the run is given up. */
  async function salvage(run: LostRun): Promise<readonly AttemptRepo[]> {
    const { attempt, repos } = await queue.remains(run);
    if (run.spawned_at === null || repos.some(({ base_commit }) => base_commit === null)) return [];
    const isOurs = (): Promise<boolean> => queue.isHeld(run);
    const placed = await prepareRepos(attemptFolders, { attempt, repos }, isOurs);
    const message = `Work that was interrupted\n\nErrand-Attempt: ${attempt.id}`;
    const tell = (): void => undefined;
    return (await commitRepos(attemptFolders, attempt, placed, { message, author: null, tell, isOurs, report })).repos;
  }

  async function clearUp(run: LostRun): Promise<void> {
    const isHere = run.host_id === machine.host_id;
    if (isHere) await processes.sweep(run);
    const repos = isHere
      ? await salvage(run).catch((error: unknown) => {
          report(error);
          return [];
        })
      : [];
    await queue.giveUp(run, repos, 'the worker that ran it is gone');
  }

  // Take the run over first: two workers that clear up after it would work in folders of the next run.
  async function giveUp(lost: LostRun, dead: readonly string[]): Promise<void> {
    const run = await queue.takeOver(lost, dead, { worker_id, lease_ms });
    if (run === null) return;
    taken.set(run.execution_id, run);
    await clearUp(run).finally(() => taken.delete(run.execution_id));
  }

  const isLeftTo =
    (live: readonly Worker[]) =>
    ({ host_id, worker_id: holder, lease_until }: LostRun): boolean =>
      host_id !== machine.host_id &&
      live.some(
        (worker) =>
          worker.host_id === host_id &&
          worker.id !== holder &&
          worker.lease_until - (lease_until ?? worker.lease_until) < HOME_HAS_MS,
      );

  const deadWorkers = async (): Promise<readonly string[]> =>
    (await workers.onHost(machine.host_id)).filter(isDead).map(({ id }) => id);

  return {
    /** The workers of this machine whose process is certainly gone. */
    deadWorkers,

    /** The runs of lost workers that this worker is ending. */
    holds: (): readonly Hold[] => [...taken.values()],

    reap: async (): Promise<void> => {
      const dead = await deadWorkers();
      const lost = await queue.lost(dead);
      const isOthers = isLeftTo(lost.length === 0 ? [] : await workers.live());
      for (const run of lost) {
        // A run that is active here lost its lease while the machine slept: the next beat renews it.
        if (!isActive(run.execution_id) && !isOthers(run)) await giveUp(run, dead).catch(report);
      }
    },
  };
}
