import type { AttemptRow } from '#domain/attempt';
import type { WorkItemId } from '#domain/ids';
import { microUsd, storedUsage, usdOf } from '#domain/usage';
import type { WorkItem } from '#domain/work-item';
import { attemptsOfItem } from '#services/attempts/attempts-of-item';
import { changedIn } from '#services/attempts/changed-files';
import type { Ports } from '#services/ports';
import type { ReadWork } from '#services/work';
import type { Reads, RunTime } from '#store/store';
import { boundAttempt, taskOf } from './lookup.ts';

/** At most this many attempts, the newest ones, are compared. */
const MAX_COMPARED = 20;
/** Runs of one attempt whose time and cost are added up. */
const MAX_RUNS = 1_000;

export interface ComparedAttempt {
  readonly attempt: AttemptRow;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** How long agents were at work on it, in whole seconds. */
  readonly seconds: number;
  /** Null when no run tells its cost. */
  readonly cost_usd: number | null;
}

interface Comparison {
  readonly task: WorkItem;
  /** By number. */
  readonly attempts: readonly ComparedAttempt[];
  /** How many older ones are not shown. */
  readonly left_out: number;
}

function costOf(runs: readonly RunTime[]): number | null {
  const costs = runs.flatMap(({ usage }) => {
    const cost = storedUsage(usage)?.cost_usd;
    return cost === undefined ? [] : [cost];
  });
  return costs.length === 0 ? null : usdOf(microUsd(costs.reduce((sum, cost) => sum + cost, 0)));
}

function secondsOf(runs: readonly RunTime[], now: number): number {
  const ms = runs.reduce(
    (sum, { spawned_at, ended_at }) => sum + (spawned_at === null ? 0 : Math.max(0, (ended_at ?? now) - spawned_at)),
    0,
  );
  return Math.round(ms / 1_000);
}

async function compared(tx: Reads, attempt: AttemptRow, now: number): Promise<ComparedAttempt> {
  const [repos, runs] = await Promise.all([tx.attempts.repos(attempt), tx.attempts.runTimes(attempt, MAX_RUNS)]);
  const files = repos.flatMap(changedIn);
  return {
    attempt,
    files: files.length,
    added: files.reduce((sum, { insertions }) => sum + (insertions ?? 0), 0),
    removed: files.reduce((sum, { deletions }) => sum + (deletions ?? 0), 0),
    seconds: secondsOf(runs, now),
    cost_usd: costOf(runs),
  };
}

/** Shows the attempts at a task side by side: those that are not archived, or all when every one is. */
export const createCompare =
  ({ clock }: Pick<Ports, 'clock'>) =>
  async (work: ReadWork, task_id: WorkItemId): Promise<Comparison> => {
    const task = await taskOf(work, task_id);
    const own = await boundAttempt(work);
    // A caller within an attempt sees no other attempts.
    const all = own === null ? await attemptsOfItem(work.tx, task) : [own];
    const live = all.filter(({ archived_at }) => archived_at === null);
    const meant = live.length > 0 ? live : all;
    const shown = meant.toSorted((a, b) => (b.number ?? 0) - (a.number ?? 0)).slice(0, MAX_COMPARED);
    const now = clock();
    return {
      task,
      attempts: await Promise.all(shown.toReversed().map((attempt) => compared(work.tx, attempt, now))),
      left_out: meant.length - shown.length,
    };
  };
