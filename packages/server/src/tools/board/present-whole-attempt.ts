import { ROOM } from '#domain/answer-size';
import { OutsideFiles } from '#domain/attempt';
import { patchOf, textPart } from '#domain/patch';
import { storedUsage } from '#domain/usage';
import { visible } from '#domain/visible-text';
import type { Services } from '#services/services';
import { rfc3339, rfc3339OrNull } from '#tools/time';
import { type AnswerRoom, createAnswerRoom } from './answer-room.ts';
import { approvalOf, queuedOf, stepRowOf } from './present-attempt.ts';
import { checkOf, commentOf, messageOf, planOf, pullRequestsOf } from './present-parts.ts';

type View = Awaited<ReturnType<Services['board']['attempts']['get']>>;

export const INCLUDES = ['diff', 'files', 'prompt', 'checks', 'comments', 'whole'] as const;

interface Selection {
  readonly include: readonly (typeof INCLUDES)[number][];
  readonly path?: string | undefined;
  readonly diff_offset: number;
  readonly diff_limit: number;
}

/** Room for the names of the lists, and of each part that was shortened. */
const MAX_NAMES_CHARACTERS = 200;
const MAX_SHOWN = {
  title: 200,
  reason: 240,
  summary: 900,
  details: 400,
  approvals: 1_600,
  repos: 800,
  outputs: 2_000,
  files: ROOM.page,
} as const;

const sum = (values: readonly (number | null)[]): number => values.reduce<number>((all, one) => all + (one ?? 0), 0);

const runOf = ({ run, progress }: View, room: AnswerRoom) =>
  run === null
    ? null
    : {
        execution_id: run.id,
        session_id: run.session_id,
        status: run.status,
        reason: room.text('run', run.reason, MAX_SHOWN.reason),
        summary: room.text('run', run.summary, MAX_SHOWN.summary),
        plan: planOf(run.plan),
        usage: storedUsage(run.usage),
        started_at: rfc3339(run.started_at),
        ended_at: rfc3339OrNull(run.ended_at),
        current_step: progress === null || progress.current === null ? null : stepRowOf(progress.current),
        steps_done: progress?.done ?? 0,
        steps_total: progress?.total ?? 0,
      };

const changesOf = ({ repos }: View) => {
  const files = repos.flatMap(({ changed }) => changed);
  return {
    files: files.length,
    insertions: sum(files.map(({ insertions }) => insertions)),
    deletions: sum(files.map(({ deletions }) => deletions)),
    commits: repos.every(({ commits }) => commits === null) ? null : sum(repos.map(({ commits }) => commits)),
  };
};

/** Patches that cannot be sent as text. The gateway also removes invisible characters: git would then write a different file. */
const LEFT_OUT = /^Binary files .* differ$|\uFFFD/m;

function diffOf({ repos }: View, { path, diff_offset, diff_limit }: Selection) {
  const patches = repos.flatMap(({ repo_name, patch }) => {
    const part = path === undefined ? (patch ?? '') : patchOf(patch ?? '', path);
    if (part === '') return [];
    return repos.length === 1 ? [part] : [`# ${repo_name}\n${part}`];
  });
  const whole = patches.join('\n');
  const { text, next } = textPart(whole, diff_offset, diff_limit);
  return {
    text,
    ...(next !== null && { next_offset: next }),
    is_cut: repos.some(({ is_patch_cut }) => is_patch_cut),
    is_exact: visible(whole) === whole && !LEFT_OUT.test(whole),
  };
}

function foldersOf({ host_id, removal }: View['attempt']): 'none' | 'kept' | 'removal_requested' | 'removal_refused' {
  if (host_id === null) return 'none';
  if (removal === null) return 'kept';
  return removal === 'refused' ? 'removal_refused' : 'removal_requested';
}

/** The lists of an attempt, in the order of how urgent they are. */
const listsOf = (view: View, room: AnswerRoom) => ({
  approvals: room.rows(
    'approvals',
    view.approvals.map(approvalOf).map((approval) => ({
      ...approval,
      details: room.text('approvals', approval.details, MAX_SHOWN.details),
    })),
    MAX_SHOWN.approvals,
  ),
  repos: room.rows(
    'repos',
    view.repos.map(({ repo_id, repo_name, target_branch, base_commit, head_commit }) => ({
      repo_id,
      repo_name,
      target_branch,
      base_commit,
      head_commit,
    })),
    MAX_SHOWN.repos,
  ),
  sessions: room.rows(
    'sessions',
    view.sessions.map(({ id, executor, variant, created_at }) => ({
      session_id: id,
      executor,
      variant,
      created_at: rfc3339(created_at),
    })),
    ROOM.answer,
  ),
  messages: room.rows('messages', view.messages.map(messageOf), ROOM.answer),
  queue: room.rows('queue', view.queue.map(queuedOf), ROOM.answer),
});

/** The checks, each with an equal share of the room for their output. */
function checksOf({ checks }: View, room: AnswerRoom) {
  const share = MAX_SHOWN.outputs / Math.max(1, checks.length);
  const rows = checks.map(checkOf).map((check) => ({ ...check, output: room.end('checks', check.output, share) }));
  return room.rows('checks', rows, MAX_SHOWN.files);
}

/** The attempt as one answer: short, unless the caller asks for more. */
export function wholeAttempt(view: View, selection: Selection) {
  const { attempt, task, run } = view;
  const include = new Set(selection.include);
  const room = createAnswerRoom(ROOM.answer - MAX_NAMES_CHARACTERS, include.has('whole'));
  const base = room.spend({
    attempt_id: attempt.id,
    key: attempt.key,
    state: attempt.state,
    verdict: attempt.verdict,
    task: {
      task_id: task.id,
      key: task.key,
      title: room.text('task', task.title, MAX_SHOWN.title),
      status: task.status,
    },
    workspace_branch: attempt.branch,
    created_at: rfc3339(attempt.created_at),
    updated_at: rfc3339(attempt.updated_at),
    folders: foldersOf(attempt),
    run: runOf(view, room),
    pending_approvals: view.approvals.length,
    queued: view.queue.length,
    pull_requests: pullRequestsOf(attempt),
    changes: changesOf(view),
    outside: attempt.outside === null ? null : OutsideFiles.parse(JSON.parse(attempt.outside)),
  });
  const lists = listsOf(view, room);
  const files = view.repos.flatMap(({ repo_id, changed }) => changed.map((file) => ({ repo_id, ...file })));
  const beside = createAnswerRoom(ROOM.page, include.has('whole'));
  const shown = {
    ...(include.has('files') && { files: beside.rows('files', files, MAX_SHOWN.files) }),
    ...(include.has('checks') && { checks: checksOf(view, beside) }),
    ...(include.has('comments') && {
      comments: beside.rows(
        'comments',
        view.comments.map((comment) => commentOf(comment, attempt.key)),
        MAX_SHOWN.files,
      ),
    }),
  };
  const truncated = [...room.truncated, ...beside.truncated];
  return {
    ...base,
    ...(base.run !== null && include.has('prompt') && { run: { ...base.run, prompt: run?.prompt ?? '' } }),
    ...lists,
    ...shown,
    ...((include.has('diff') || selection.path !== undefined) && { diff: diffOf(view, selection) }),
    ...(truncated.length > 0 && { truncated }),
  };
}
