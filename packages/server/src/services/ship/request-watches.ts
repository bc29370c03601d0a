import type { Attempt, AttemptRepoRow } from '#domain/attempt';
import { type JobCommit, MAX_JOBS, type PullRequest } from '#domain/git-job';
import { emitAttempt } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import type { Store, Transaction } from '#store/store';
import { completeShipped, recordFor } from './shipped.ts';

/** An attempt whose requests are to be asked for. */
export interface WatchedAttempt {
  /** The machine that asks for them. */
  readonly host_id: string;
  readonly attempt: Attempt;
  readonly requests: readonly PullRequest[];
  readonly repos: readonly (AttemptRepoRow & { readonly base_commit: string })[];
}

interface SeenRequest {
  readonly request: PullRequest;
  readonly merge_commit: string | null;
}

const MAX_DUE = 20;
const MINUTE_MS = 60_000;
export const FIRST_LOOK_MS = 30_000;
const MAX_PAUSE_MS = 10 * MINUTE_MS;
/** Requests that were closed this long ago are not asked for any more. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * MINUTE_MS;

/** Safe: only this folder writes them. */
export const requestsOf = ({ pull_request }: Attempt): readonly PullRequest[] =>
  pull_request === null ? [] : (JSON.parse(pull_request) as readonly PullRequest[]);

/** When a request is asked for again: the longer nothing has changed, the later. */
const nextLook = (now: number, changed_at: number): number =>
  now + Math.min(MAX_PAUSE_MS, Math.max(MINUTE_MS, Math.round((now - changed_at) / 10)));

const isBegun = (repo: AttemptRepoRow): repo is WatchedAttempt['repos'][number] => repo.base_commit !== null;

const isOver = ({ merged_at, archived_at }: Attempt): boolean => merged_at !== null || archived_at !== null;

/** Ends an attempt whose requests are all merged, as the person or agent who opened them. */
async function complete(tx: Transaction, ids: Ports['ids'], attempt: Attempt, seen: readonly SeenRequest[]) {
  const opened = (await tx.gitJobs.ofAttempt(attempt, MAX_JOBS)).find(({ kind }) => kind === 'pull_request');
  const { created_by_user_id: user_id, created_by_agent_id: agent_id } = attempt;
  const actor = opened ?? { workspace_id: attempt.workspace_id, user_id, agent_id };
  const commits = seen.flatMap(({ request: { repo_id }, merge_commit }): JobCommit[] =>
    merge_commit === null ? [] : [{ repo_id, commit: merge_commit }],
  );
  const merged = await completeShipped(tx, ids, { attempt, actor, commits });
  recordFor(tx, actor, { action: 'pull_request.merged', attempt: merged, correlation_id: opened?.id ?? attempt.id });
}

/** The pull requests of attempts, for the worker that asks a forge for their state. */
export function createRequestWatches(store: Pick<Store, 'reads' | 'transaction'>, ids: Ports['ids']) {
  return {
    /** The attempts whose requests this machine has to ask for now. */
    due: async (host_id: string): Promise<readonly WatchedAttempt[]> => {
      const watches = await store.reads.gitJobs.dueWatches({ host_id, limit: MAX_DUE });
      if (watches.length === 0) return [];
      return store.transaction(async (tx) => {
        const found: WatchedAttempt[] = [];
        for (const { attempt_id, workspace_id, project_id } of watches) {
          const attempt = await tx.attempts.find({ workspace_id, project_ids: [project_id] }, attempt_id);
          if (attempt === null) continue;
          if (isOver(attempt)) await tx.gitJobs.dropWatch(attempt);
          else
            found.push({
              host_id,
              attempt,
              requests: requestsOf(attempt),
              repos: (await tx.attempts.repos(attempt)).filter(isBegun),
            });
        }
        return found;
      });
    },

    /** Writes what the forges say. An attempt is merged when all of its requests are. */
    note: ({ attempt: watched, host_id }: WatchedAttempt, seen: readonly SeenRequest[]): Promise<void> =>
      store.transaction(async (tx) => {
        const { workspace_id, project_id, id } = watched;
        const attempt = await tx.attempts.find({ workspace_id, project_ids: [project_id] }, id);
        // Opened or pushed again meanwhile: what was seen may be older.
        if (attempt === null || attempt.pull_request !== watched.pull_request || isOver(attempt)) return;
        const states = requestsOf(attempt).map(({ state }) => state);
        const isNew = seen.some(({ request }, at) => request.state !== states[at]);
        const requests = seen.map(({ request }) => request);
        const noted: Attempt = {
          ...attempt,
          pull_request: JSON.stringify(requests),
          updated_at: isNew ? tx.now : attempt.updated_at,
        };
        await tx.attempts.update(noted);
        if (isNew) await emitAttempt(tx, 'updated', noted);
        if (requests.every(({ state }) => state === 'merged')) return complete(tx, ids, noted, seen);
        const isForgotten =
          requests.every(({ state }) => state === 'closed') && tx.now - noted.updated_at > FORGOTTEN_AFTER_MS;
        if (isForgotten) return tx.gitJobs.dropWatch(attempt);
        const next_at = nextLook(tx.now, noted.updated_at);
        await tx.gitJobs.putWatch({ attempt_id: id, host_id, next_at });
      }),
  };
}

export type RequestWatches = ReturnType<typeof createRequestWatches>;
