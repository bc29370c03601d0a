import { fitting, shortText } from '#domain/answer-size';
import type { Approval } from '#domain/approval';
import { type ChangedFile, MAX_CHANGED_FILES, type QueuedPrompt } from '#domain/attempt';
import type { Caller } from '#domain/caller';
import type { ApprovalId, QueuedPromptId, RunId, SessionId } from '#domain/ids';
import type { Within } from '#domain/reach';
import type { Run } from '#domain/run';
import { readableRuns } from '#domain/run-visibility';
import { ErrandError } from '#errors';
import { changedIn } from '#services/attempts/changed-files';
import type { Reads } from '#store/store';
import { type Progress, progressOf } from './progress.ts';

/** A run, or the follow-up that will become one, and its caller. */
export interface FollowedRun {
  readonly caller: Caller;
  /** The projects in which the caller may call the tool that began the run. */
  readonly within: Within;
  readonly followed:
    | { readonly execution_id: string }
    | { readonly queued_id: string; readonly session_id: string }
    | { readonly approval_id: string };
}

export type RunView =
  | { readonly kind: 'waiting'; readonly prompt: QueuedPrompt }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'question'; readonly question: Approval }
  | {
      readonly kind: 'run';
      readonly run: Run;
      readonly progress: Progress;
      /** The questions without an answer. */
      readonly questions: readonly Approval[];
    };

const outOfReach = (): ErrandError =>
  new ErrandError('not_found', 'What this call has set going was deleted, or is out of your reach by now.');

async function runView(reads: Reads, caller: Caller, id: RunId): Promise<RunView> {
  const run = await reads.runs.seen(readableRuns(caller), id);
  if (run === null) throw outOfReach();
  const asked = run.ended_at === null ? await reads.approvals.ofRun(run) : [];
  return {
    kind: 'run',
    run,
    progress: await progressOf(reads, run),
    questions: asked.filter(({ status }) => status === 'pending'),
  };
}

/** The present state of the run that a call has begun. */
export async function viewRun(reads: Reads, { caller, within, followed }: FollowedRun): Promise<RunView> {
  // Safe: the ids come from an answer of ours.
  if ('approval_id' in followed) {
    const found = await reads.approvals.find(within, followed.approval_id as ApprovalId);
    if (found === null) throw outOfReach();
    return { kind: 'question', question: found.approval };
  }
  if ('execution_id' in followed) return runView(reads, caller, followed.execution_id as RunId);
  const session_id = followed.session_id as SessionId;
  const found = await reads.attempts.session(within, session_id);
  const prompt =
    found && (await reads.attempts.prompt(found.attempt, session_id, followed.queued_id as QueuedPromptId));
  if (prompt === null) throw outOfReach();
  if (prompt.execution_id !== null) return runView(reads, caller, prompt.execution_id);
  return prompt.status === 'cancelled' ? { kind: 'cancelled' } : { kind: 'waiting', prompt };
}

/** Limits in characters: the ids need room in the answer too. */
const MAX_CHARACTERS = { summary: 1_500, files: 1_500, brief: 150 };

const someOf = (files: readonly ChangedFile[]): readonly ChangedFile[] =>
  files.slice(0, Math.min(MAX_CHANGED_FILES, fitting(files, MAX_CHARACTERS.files)));

/** The end of one of several runs, so short that all fit into one answer. */
export const briefResult = ({ status, reason, summary }: Run) => ({
  run_status: status,
  ...(reason !== null && { reason: shortText(reason, MAX_CHARACTERS.brief) }),
  ...(summary !== null && { summary: shortText(summary, MAX_CHARACTERS.brief) }),
});

/** The result of a run that has ended: its commits, its changed files and its cost. */
export async function runResult(reads: Reads, within: Within, run: Run) {
  const { status, reason, summary, branch, usage, attempt_id } = run;
  const attempt = attempt_id === null ? null : await reads.attempts.find(within, attempt_id);
  const repos = attempt === null ? [] : await reads.attempts.repos(attempt);
  return {
    run_status: status,
    ...(reason !== null && { reason }),
    ...(summary !== null && { summary: shortText(summary, MAX_CHARACTERS.summary) }),
    ...(branch !== null && { branch }),
    commits: repos.flatMap(({ repo_id, head_commit }) =>
      head_commit === null ? [] : [{ repo_id, commit: head_commit }],
    ),
    changed_files: someOf(repos.flatMap(changedIn)),
    ...(usage !== null && { usage: JSON.parse(usage) }),
  };
}
