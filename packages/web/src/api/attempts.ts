import { queryOptions } from '@tanstack/react-query';
import {
  type Execution,
  type GetAttemptAnswer,
  getAttempt,
  getExecution,
  listExecutions,
  showBoard,
} from 'errand/client';
import { answerOf } from 'errand/client/answer';

export type Attempt = GetAttemptAnswer;
export type Run = Execution;
export type ChangedFile = NonNullable<Attempt['files']>[number];
export type ReviewComment = NonNullable<Attempt['comments']>[number];
export type Check = NonNullable<Attempt['checks']>[number];

/** An attempt with everything about it but its diff, by its key or id. */
export const attemptQuery = (attempt: string) =>
  queryOptions({
    queryKey: ['attempt', attempt],
    queryFn: ({ signal }) =>
      answerOf(getAttempt(attempt, { include: ['files', 'checks', 'comments', 'whole'] }, { signal })),
  });

const DIFF_PART = 100_000;
/** Longer diffs of one file are read in a program made for it: the browser would only be slow. */
const MAX_PARTS = 20;

export interface FileDiff {
  readonly text: string;
  /** Whether the patch is cut: the rest is on the branch only. */
  readonly isCut: boolean;
}

async function readDiff(attempt: string, path: string, signal: AbortSignal): Promise<FileDiff> {
  let text = '';
  let offset: number | undefined = 0;
  let isCut = false;
  for (let part = 0; offset !== undefined && part < MAX_PARTS; part += 1) {
    const { diff }: Attempt = await answerOf(
      getAttempt(attempt, { path, diffLimit: DIFF_PART, diffOffset: offset }, { signal }),
    );
    text += diff?.text ?? '';
    isCut ||= diff?.is_cut ?? false;
    offset = diff?.next_offset;
  }
  return { text, isCut: isCut || offset !== undefined };
}

/** The diff of one file. `version` names the commit: the diff is read again only when the branch has moved. */
export const diffQuery = (attempt: string, path: string, version: string) =>
  queryOptions({
    queryKey: ['diff', attempt, path, version],
    queryFn: ({ signal }) => readDiff(attempt, path, signal),
  });

/** What the diffs of an attempt depend on. */
export const versionOf = ({ repos, updated_at, run }: Attempt): string =>
  repos.some(({ head_commit }) => head_commit !== null)
    ? repos.map(({ base_commit, head_commit }) => `${base_commit}-${head_commit}`).join()
    : `${run?.execution_id ?? ''}${updated_at}`;

/** A run, with its agent. */
export const runQuery = (execution: string) =>
  queryOptions({
    queryKey: ['run', execution],
    queryFn: ({ signal }) => answerOf(getExecution(execution, { signal })),
  });

const MAX_RUNS = 200;

/** The runs of an attempt, the oldest first. */
export const runsQuery = ({ attempt_id, key, task }: Attempt) =>
  queryOptions({
    queryKey: ['runs', attempt_id],
    queryFn: async ({ signal }) => {
      const { executions } = await answerOf(listExecutions({ workItemId: task.task_id, limit: MAX_RUNS }, { signal }));
      return executions.filter(({ attempt_key }) => attempt_key === key).toReversed();
    },
  });

/** The card of the task: who has claimed it and until when. */
export const claimQuery = ({ task }: Attempt) =>
  queryOptions({
    queryKey: ['board', task.key?.replace(/-\d+$/, '') ?? null, 'card', task.task_id],
    enabled: task.key !== null,
    queryFn: async ({ signal }) => {
      const project = task.key?.replace(/-\d+$/, '') ?? '';
      const { project_id, columns } = await answerOf(showBoard(project, { taskIds: [task.task_id] }, { signal }));
      return { project_id, card: columns.flatMap(({ cards }) => cards)[0] ?? null };
    },
  });
