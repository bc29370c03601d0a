import type { Attempt, AttemptRepo, AttemptRepoRow, Session } from '#domain/attempt';
import { type BudgetsConfig, NO_BUDGETS } from '#domain/budget';
import type { CheckedRun } from '#domain/check';
import type { ProjectNames } from '#domain/project-names';
import type { QueuedRun } from '#domain/queued-run';
import type { RunEnding, RunEvent } from '#domain/run-machine';
import { LOCAL_OWNER } from '#services/local-owner';
import type { Ports } from '#services/ports';
import { issueAttemptToken } from '#services/tokens';
import type { Store, Transaction } from '#store/store';
import { applyRunEvent } from './apply-event.ts';
import { createCarriedComments } from './carried-comments.ts';
import { attemptOfRun } from './finish.ts';
import { deliverPrompt } from './given-messages.ts';
import { findHeld, type Hold, heldRun } from './held-run.ts';
import { usedUp } from './keep-budget.ts';
import { mayRun } from './may-run.ts';
import { projectNames } from './project-names.ts';
import { recapOf } from './recap.ts';
import { account, usedBy } from './spending.ts';

/** A run that a worker has claimed, with everything that it needs to do it. */
export interface ClaimedRun extends Hold {
  readonly entry: QueuedRun;
  readonly attempt: Attempt;
  readonly session: Session;
  readonly repos: readonly AttemptRepoRow[];
  readonly title: string;
  /** The names by which the operator's configuration may mean its project. */
  readonly project: ProjectNames;
  /** The name of the person who asked for it; null for the owner of the machine. */
  readonly author: string | null;
  /** The prompts and answers of the session so far. */
  readonly recap: string;
  /** The interrupted run before it: a sweep from another machine may have left its processes. Null for none. */
  readonly left: QueuedRun | null;
  /** The token of the run: only its hash is stored. */
  readonly secret: string;
}

export interface ClaimRequest {
  readonly worker_id: string;
  readonly host_id: string;
  readonly lease_ms: number;
  /** The ready executors, with the number of free places of each; null for any number. */
  readonly executors: ReadonlyMap<string, number | null>;
  readonly limit: number;
}

/** The token ends with its run; this bounds the token of a run whose end was never written. */
const TOKEN_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

async function leftBefore(tx: Transaction, attempt: Attempt, { execution_id }: QueuedRun): Promise<QueuedRun | null> {
  const before = (await tx.attempts.runs(attempt, 2)).find(({ id }) => id < execution_id);
  return before?.status === 'interrupted' ? tx.queue.find(before) : null;
}

async function authorOf(tx: Transaction, { run }: QueuedRun): Promise<string | null> {
  const { workspace_id, user_id } = run;
  if (user_id === (await tx.settings.get(LOCAL_OWNER))) return null;
  return (await tx.users.find(workspace_id, user_id))?.name ?? null;
}

/** A run that this worker has claimed, with everything that it needs to do it. */
async function withNeeds(tx: Transaction, entry: QueuedRun, secret: string): Promise<ClaimedRun> {
  const attempt = await attemptOfRun(tx, entry);
  const { workspace_id, project_id, work_item_id } = attempt;
  const item = await tx.workItems.find({ workspace_id, project_ids: [project_id] }, work_item_id);
  const session = (await tx.attempts.sessions(attempt)).find(({ id }) => id === entry.session_id);
  if (session === undefined) throw new Error(`Run ${entry.execution_id} has no session.`);
  return {
    execution_id: entry.execution_id,
    epoch: entry.epoch,
    entry,
    attempt,
    session,
    repos: await tx.attempts.repos(attempt),
    title: item?.title ?? attempt.branch,
    project: await projectNames(tx, attempt),
    author: await authorOf(tx, entry),
    recap: await recapOf(tx, attempt, entry),
    left: await leftBefore(tx, attempt, entry),
    secret,
  };
}

/** The queue of runs, for workers. Each call that changes a run is one event of domain/run-machine.ts. */
export function createRunQueue(
  store: Pick<Store, 'reads' | 'transaction'>,
  ids: Ports['ids'],
  budgets: BudgetsConfig = NO_BUDGETS,
) {
  /** Applies an event to a run that the worker still holds. Rejects with `RunLost` when it does not. */
  const applyHeld = async (tx: Transaction, hold: Hold, event: RunEvent): Promise<QueuedRun | null> =>
    applyRunEvent({ tx, ids }, await heldRun(tx, hold), event);

  async function claim(tx: Transaction, entry: QueuedRun, request: ClaimRequest): Promise<ClaimedRun> {
    const { worker_id, host_id, lease_ms } = request;
    const { token, secret } = await issueAttemptToken(tx, ids, {
      run: entry.run,
      attempt: await attemptOfRun(tx, entry),
      expires_at: tx.now + TOKEN_LIFE_MS,
    });
    const event = { type: 'claim', worker_id, host_id, lease_until: tx.now + lease_ms, token_id: token.id } as const;
    const claimed = await applyRunEvent({ tx, ids }, entry, event);
    if (claimed === null) throw new Error(`Run ${entry.execution_id} waits for no worker.`);
    return withNeeds(tx, claimed, secret);
  }

  return {
    ...createCarriedComments(store),

    /** Claims as many runs as the worker has room for, oldest first. */
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
            await applyRunEvent({ tx, ids }, entry, { type: 'deny' });
            continue;
          }
          const budget = await usedUp(tx, budgets, entry);
          if (budget !== null) {
            await applyRunEvent({ tx, ids }, entry, { type: 'deny', budget });
            continue;
          }
          if (typeof left === 'number') room.set(entry.executor, left - 1);
          claimed.push(await claim(tx, entry, request));
        }
        return claimed;
      }),

    /** Whether a run may wait for this worker. A read: a claim would make every writer wait. */
    hasWaiting: async ({ executors, host_id }: Pick<ClaimRequest, 'executors' | 'host_id'>): Promise<boolean> =>
      executors.size > 0 &&
      (await store.reads.queue.waiting({ executors: [...executors.keys()], host_id, limit: 1 })).length > 0,

    /** Notes that a process is about to start: from here on the run is never started again. False when it is to stop. */
    beginSpawn: (hold: Hold): Promise<boolean> =>
      store.transaction(async (tx) => {
        const begun = await applyHeld(tx, hold, { type: 'begin_process' });
        if (begun !== null) await deliverPrompt(tx, begun);
        return begun !== null;
      }),

    noteProcess: (hold: Hold, process: Pick<QueuedRun, 'pid' | 'pid_started' | 'boot_id'>): Promise<void> =>
      store.transaction(async (tx) => {
        await applyHeld(tx, hold, { type: 'note_process', process });
      }),

    /** Writes what is known of the attempt's repositories, as soon as it is known. */
    noteRepos: (hold: Hold, repos: readonly AttemptRepo[]): Promise<void> =>
      store.transaction(async (tx) => {
        await heldRun(tx, hold);
        for (const repo of repos) await tx.attempts.updateRepo(repo);
      }),

    /** Ends a run for the worker that holds it. Rejects with `RunLost` for any other. */
    finish: (hold: Hold, ending: RunEnding, repos: readonly AttemptRepo[], checked?: CheckedRun): Promise<void> =>
      store.transaction(async (tx) => {
        const entry = await heldRun(tx, hold);
        for (const repo of repos) await tx.attempts.updateRepo(repo);
        await account(tx, entry, usedBy(entry, tx.now));
        await applyRunEvent({ tx, ids }, entry, { type: 'finish', ending, checked });
      }),

    /** Whether the worker still holds the run: asked before it does something that no transaction can undo. */
    isHeld: async (hold: Hold): Promise<boolean> => (await findHeld(store.reads, hold)) !== null,

    /** Runs of these workers, and runs whose lease is over. */
    lost: (dead_workers: readonly string[]): Promise<readonly QueuedRun[]> => store.reads.queue.lost(dead_workers),

    /** The attempt of a lost run and its repositories: the sweep commits what the run left in them. */
    remains: async (
      entry: QueuedRun,
    ): Promise<{ readonly attempt: Attempt; readonly repos: readonly AttemptRepoRow[] }> =>
      store.transaction(async (tx) => {
        const attempt = await attemptOfRun(tx, entry);
        return { attempt, repos: await tx.attempts.repos(attempt) };
      }),

    /** Takes a lost run over from its worker. Null when its worker is back, or another worker was faster. */
    takeOver: (
      lost: QueuedRun,
      dead_workers: readonly string[],
      { worker_id, lease_ms }: Pick<ClaimRequest, 'worker_id' | 'lease_ms'>,
    ): Promise<QueuedRun | null> =>
      store.transaction(async (tx) => {
        const runs = await tx.queue.lost(dead_workers);
        const entry = runs.find(
          ({ execution_id, epoch }) => execution_id === lost.execution_id && epoch === lost.epoch,
        );
        if (entry === undefined) return null;
        return applyRunEvent({ tx, ids }, entry, { type: 'take_over', worker_id, lease_until: tx.now + lease_ms });
      }),

    /** Gives a run that was taken over back to the queue, or ends it when a process of it may have begun. */
    giveUp: (hold: Hold, repos: readonly AttemptRepo[], reason: string): Promise<void> =>
      store.transaction(async (tx) => {
        const entry = await heldRun(tx, hold);
        for (const repo of repos) await tx.attempts.updateRepo(repo);
        await account(tx, entry, usedBy(entry, tx.now));
        await applyRunEvent({ tx, ids }, entry, { type: 'give_up', reason });
      }),
  };
}

export type RunQueue = ReturnType<typeof createRunQueue>;
