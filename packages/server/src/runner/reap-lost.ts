import type { AttemptRepo } from '#domain/attempt';
import type { Worker } from '#domain/worker';
import type { RunQueue } from '#services/runs/queue';
import type { Workers } from '#services/runs/workers';
import type { Workspaces } from './git/workspaces.ts';
import { collectRepos, placeRepos } from './prepare-run.ts';
import type { Machine } from './process/machine.ts';
import { startTimeOf } from './process/process-table.ts';
import type { Processes } from './process/processes.ts';

type LostRun = Awaited<ReturnType<RunQueue['lost']>>[number];

interface Needs {
  readonly worker_id: string;
  readonly queue: RunQueue;
  readonly workers: Workers;
  readonly processes: Processes;
  readonly workspaces: Workspaces;
  readonly machine: Machine;
  readonly report: (error: unknown) => void;
}

/** Ends the runs of workers that are gone: what still runs of them on this machine is ended first. */
export function createReaper({ worker_id, queue, workers, processes, workspaces, machine, report }: Needs) {
  const isDead = ({ id, boot_id, pid, pid_started }: Worker): boolean =>
    id !== worker_id && (boot_id !== machine.boot_id || startTimeOf(pid) !== pid_started);

  /** What a run left in folders of this machine is committed before the run is given up. */
  async function salvage(run: LostRun): Promise<readonly AttemptRepo[]> {
    const { attempt, repos } = await queue.remains(run);
    if (run.spawned_at === null || repos.some(({ base_commit }) => base_commit === null)) return [];
    const placed = await placeRepos(workspaces, { attempt, repos });
    const message = `Work that was interrupted\n\nErrand-Attempt: ${attempt.id}`;
    return collectRepos(workspaces, attempt, placed, { message, tell: () => undefined });
  }

  async function giveUp(run: LostRun, dead: readonly string[]): Promise<void> {
    const isHere = run.host_id === machine.host_id;
    if (isHere) await processes.sweep(run);
    const repos = isHere
      ? await salvage(run).catch((error: unknown) => {
          report(error);
          return [];
        })
      : [];
    await queue.giveUp(run, dead, repos, 'the worker that ran it is gone');
  }

  return {
    reap: async (): Promise<void> => {
      const dead = (await workers.onHost(machine.host_id)).filter(isDead).map(({ id }) => id);
      for (const run of await queue.lost(dead)) {
        // Its own run whose lease ran out while the machine slept is renewed by the beat before.
        if (run.worker_id !== worker_id) await giveUp(run, dead).catch(report);
      }
    },
  };
}
