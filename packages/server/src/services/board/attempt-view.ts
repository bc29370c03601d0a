import type { Approval } from '#domain/approval';
import type { AttemptRepoRow, AttemptRow, ChangedFile, QueuedPrompt, Session } from '#domain/attempt';
import type { AttemptId } from '#domain/ids';
import type { Run } from '#domain/run';
import type { WorkItem } from '#domain/work-item';
import { changedIn } from '#services/attempts/changed-files';
import { type Progress, progressOf } from '#services/runs/progress';
import type { ReadWork } from '#services/work';
import { ATTEMPT_PARTS, type AttemptParts } from './attempt-parts.ts';
import { attemptOf } from './lookup.ts';

type Part<Name extends keyof AttemptParts> = Awaited<ReturnType<AttemptParts[Name]>>;

export interface AttemptView {
  readonly attempt: AttemptRow;
  readonly task: Pick<WorkItem, 'id' | 'title'> & { readonly key: string | null; readonly status: string };
  readonly repos: readonly (AttemptRepoRow & { readonly changed: readonly ChangedFile[] })[];
  /** The newest first. */
  readonly sessions: readonly Session[];
  /** Its latest run; null before there is one. */
  readonly run: (Run & { readonly prompt: string | null }) | null;
  readonly progress: Progress | null;
  readonly approvals: readonly Approval[];
  readonly queue: readonly QueuedPrompt[];
  readonly checks: Part<'checks'>;
  readonly comments: Part<'comments'>;
  readonly messages: Part<'messages'>;
  readonly jobs: Part<'jobs'>;
}

/** Reads an attempt with all its parts. */
export async function readAttempt(work: ReadWork, id: AttemptId): Promise<AttemptView> {
  const { tx, within } = work;
  const attempt = await attemptOf(work, id);
  const task = await tx.board.task(within, attempt.work_item_id);
  const repos = await tx.attempts.repos(attempt);
  const sessions = await tx.attempts.sessions(attempt);
  const [latest] = await tx.attempts.runs(attempt, 1);
  const run = latest === undefined ? null : { ...latest, prompt: (await tx.queue.find(latest))?.prompt ?? null };
  const queues = await Promise.all(sessions.map((session) => tx.attempts.queued(attempt, session.id)));
  return {
    attempt,
    // The task may be deleted between two of these reads: the next call answers not_found.
    task: {
      id: attempt.work_item_id,
      key: task?.key ?? null,
      title: task?.title ?? '',
      status: task?.state_slug ?? '',
    },
    repos: repos.map((repo) => ({ ...repo, changed: changedIn(repo) })),
    sessions,
    run,
    progress: run === null ? null : await progressOf(tx, run),
    approvals: await tx.approvals.pending(attempt),
    queue: queues.flat().toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)),
    checks: await ATTEMPT_PARTS.checks(work, attempt),
    comments: await ATTEMPT_PARTS.comments(work, attempt),
    messages: await ATTEMPT_PARTS.messages(work, attempt),
    jobs: await ATTEMPT_PARTS.jobs(work, attempt),
  };
}
