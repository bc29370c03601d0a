import type { Attempt, AttemptRepo, AttemptRepoRow, Session } from '#domain/attempt';
import type { QueuedRun } from '#domain/queued-run';
import { tellAttempt } from '#services/attempts/attempt-events';
import { LOCAL_OWNER } from '#services/local-owner';
import type { Ports } from '#services/ports';
import { issueAttemptToken } from '#services/tokens';
import type { Store, Transaction } from '#store/store';
import { changeRun } from './change-run.ts';
import { attemptOfRun, finishRun, type RunEnding } from './finish.ts';
import { findHeld, type Hold, heldRun } from './held-run.ts';
import { mayRun } from './may-run.ts';
import { recapOf } from './recap.ts';

/** A run that was taken from the queue, with all that is needed to do it. */
export interface ClaimedRun extends Hold {
  readonly entry: QueuedRun;
  readonly attempt: Attempt;
  readonly session: Session;
  readonly repos: readonly AttemptRepoRow[];
  readonly title: string;
  /** The name of the person who asked for it; null for the owner of the machine. */
  readonly author: string | null;
  /** What happened in the session before. */
  readonly recap: string;
  /** The run before it, when that was given up on: perhaps from afar, where nobody could end its processes. */
  readonly left: QueuedRun | null;
  /** The token of the run: known here and now, and never again. */
  readonly secret: string;
}

export interface ClaimRequest {
  readonly worker_id: string;
  readonly host_id: string;
  readonly lease_ms: number;
  /** What can be run now, and how many of each; null for as many as there are. */
  readonly executors: ReadonlyMap<string, number | null>;
  readonly limit: number;
}

const NOT_ALLOWED: RunEnding = {
  status: 'killed',
  reason: 'whoever asked for it may not have agents run here any more',
};

/** Ends sooner when its run does; this is for a run whose end nobody noticed. */
const TOKEN_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

async function leftBefore(tx: Transaction, attempt: Attempt, { execution_id }: QueuedRun): Promise<QueuedRun | null> {
  const before = (await tx.attempts.runs(attempt, 2)).find(({ id }) => id < execution_id);
  return before?.status === 'interrupted' ? tx.queue.find(before.id) : null;
}

async function authorOf(tx: Transaction, { run }: QueuedRun): Promise<string | null> {
  const { workspace_id, user_id } = run;
  if (user_id === (await tx.settings.get(LOCAL_OWNER))) return null;
  return (await tx.users.find(workspace_id, user_id))?.name ?? null;
}

/** The runs that wait, and those that workers have. */
export function createRunQueue(store: Pick<Store, 'reads' | 'transaction'>, ids: Ports['ids']) {
  async function claim(tx: Transaction, entry: QueuedRun, request: ClaimRequest): Promise<ClaimedRun> {
    const { worker_id, host_id, lease_ms } = request;
    const attempt = await attemptOfRun(tx, entry);
    const { token, secret } = await issueAttemptToken(tx, ids, {
      run: entry.run,
      attempt,
      expires_at: tx.now + TOKEN_LIFE_MS,
    });
    const taken: QueuedRun = {
      ...entry,
      worker_id,
      host_id,
      lease_until: tx.now + lease_ms,
      epoch: entry.epoch + 1,
      token_id: token.id,
    };
    await tx.queue.update(taken);
    const run = { ...entry.run, status: 'running', seen_at: tx.now } as const;
    await changeRun({ tx, caller: null }, entry.run, run);
    const running: Attempt = { ...attempt, removal: null, run_status: 'running', host_id, updated_at: tx.now };
    await tx.attempts.update(running);
    await tellAttempt(tx, 'updated', running);

    const { workspace_id, project_id, work_item_id } = attempt;
    const item = await tx.workItems.find({ workspace_id, project_ids: [project_id] }, work_item_id);
    const sessions = await tx.attempts.sessions(attempt);
    const session = sessions.find(({ id }) => id === entry.session_id);
    if (session === undefined) throw new Error(`Run ${entry.execution_id} has no session.`);
    return {
      execution_id: entry.execution_id,
      epoch: taken.epoch,
      entry: { ...taken, run },
      attempt: running,
      session,
      repos: await tx.attempts.repos(attempt),
      title: item?.title ?? attempt.branch,
      author: await authorOf(tx, entry),
      recap: await recapOf(tx, attempt, entry),
      left: await leftBefore(tx, attempt, entry),
      secret,
    };
  }

  /** Puts a run back that was never started. */
  async function requeue(tx: Transaction, entry: QueuedRun): Promise<void> {
    const { workspace_id } = entry.run;
    if (entry.token_id !== null) await tx.tokens.revoke(workspace_id, entry.token_id, tx.now);
    await tx.queue.update({
      ...entry,
      worker_id: null,
      lease_until: null,
      host_id: null,
      token_id: null,
      epoch: entry.epoch + 1,
    });
    await changeRun({ tx, caller: null }, entry.run, { ...entry.run, status: 'queued', liveness: 'live' });
    const attempt: Attempt = { ...(await attemptOfRun(tx, entry)), run_status: 'queued', updated_at: tx.now };
    await tx.attempts.update(attempt);
    await tellAttempt(tx, 'updated', attempt);
  }

  return {
    /** Takes as many as there is room for, oldest first. */
    claim: (request: ClaimRequest): Promise<readonly ClaimedRun[]> =>
      store.transaction(async (tx) => {
        const room = new Map(request.executors);
        const waiting = await tx.queue.waiting({
          executors: [...room.keys()],
          host_id: request.host_id,
          limit: 4 * request.limit,
        });
        const claimed: ClaimedRun[] = [];
        for (const entry of waiting) {
          const left = room.get(entry.executor);
          if (claimed.length === request.limit || left === 0) continue;
          if (!(await mayRun(tx, await attemptOfRun(tx, entry), entry.run))) {
            await finishRun(tx, ids, entry, NOT_ALLOWED);
            continue;
          }
          if (typeof left === 'number') room.set(entry.executor, left - 1);
          claimed.push(await claim(tx, entry, request));
        }
        return claimed;
      }),

    /** Whether there may be something to claim: asked without making writers wait. */
    hasWaiting: async ({ executors, host_id }: Pick<ClaimRequest, 'executors' | 'host_id'>): Promise<boolean> =>
      executors.size > 0 &&
      (await store.reads.queue.waiting({ executors: [...executors.keys()], host_id, limit: 1 })).length > 0,

    /** Says that its process is about to start: from here on it is never started again. False when it is to stop. */
    beginSpawn: (hold: Hold): Promise<boolean> =>
      store.transaction(async (tx) => {
        const entry = await heldRun(tx, hold);
        if (entry.stop_requested_at !== null) return false;
        await tx.queue.update({ ...entry, spawned_at: entry.spawned_at ?? tx.now });
        return true;
      }),

    noteProcess: (hold: Hold, process: Pick<QueuedRun, 'pid' | 'pid_started' | 'boot_id'>): Promise<void> =>
      store.transaction(async (tx) => {
        await tx.queue.update({ ...(await heldRun(tx, hold)), ...process });
      }),

    /** What is known of the repositories, as soon as it is. */
    noteRepos: (hold: Hold, repos: readonly AttemptRepo[]): Promise<void> =>
      store.transaction(async (tx) => {
        await heldRun(tx, hold);
        for (const repo of repos) await tx.attempts.updateRepo(repo);
      }),

    /** Ends a run for whoever holds it. Rejects with `RunLost` for whoever does not. */
    finish: (hold: Hold, ending: RunEnding, repos: readonly AttemptRepo[]): Promise<void> =>
      store.transaction(async (tx) => {
        const entry = await heldRun(tx, hold);
        for (const repo of repos) await tx.attempts.updateRepo(repo);
        await finishRun(tx, ids, entry, ending);
      }),

    /** Whether the run is still theirs: asked before something is done that no transaction takes back. */
    isHeld: async (hold: Hold): Promise<boolean> => (await findHeld(store.reads, hold)) !== null,

    /** Runs of these workers, and those whose lease is over. */
    lost: (dead_workers: readonly string[]): Promise<readonly QueuedRun[]> => store.reads.queue.lost(dead_workers),

    /** What there is to salvage of a run that was lost. */
    remains: async (
      entry: QueuedRun,
    ): Promise<{ readonly attempt: Attempt; readonly repos: readonly AttemptRepoRow[] }> =>
      store.transaction(async (tx) => {
        const attempt = await attemptOfRun(tx, entry);
        return { attempt, repos: await tx.attempts.repos(attempt) };
      }),

    /** Takes a lost run over from its worker, to clear up after it. Null when its worker is back, or another was faster. */
    takeOver: (
      lost: QueuedRun,
      dead_workers: readonly string[],
      by: Pick<ClaimRequest, 'worker_id' | 'lease_ms'>,
    ): Promise<QueuedRun | null> =>
      store.transaction(async (tx) => {
        const runs = await tx.queue.lost(dead_workers);
        const entry = runs.find(
          ({ execution_id, epoch }) => execution_id === lost.execution_id && epoch === lost.epoch,
        );
        if (entry === undefined) return null;
        const { worker_id, lease_ms } = by;
        const taken: QueuedRun = { ...entry, worker_id, lease_until: tx.now + lease_ms, epoch: entry.epoch + 1 };
        await tx.queue.update(taken);
        return taken;
      }),

    /** Gives a run that was taken over back to the queue, or ends it when its process may have begun. */
    giveUp: (hold: Hold, repos: readonly AttemptRepo[], reason: string): Promise<void> =>
      store.transaction(async (tx) => {
        const entry = await heldRun(tx, hold);
        for (const repo of repos) await tx.attempts.updateRepo(repo);
        if (entry.spawned_at === null && entry.stop_requested_at === null) await requeue(tx, entry);
        else if (entry.stop_requested_at !== null)
          await finishRun(tx, ids, entry, { status: 'killed', reason: 'stopped' });
        else await finishRun(tx, ids, entry, { status: 'interrupted', reason });
      }),
  };
}

export type RunQueue = ReturnType<typeof createRunQueue>;
