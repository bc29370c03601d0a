import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  compareAttempts,
  type GetAttemptAnswer,
  type GetTaskAnswer,
  getAttempt,
  getTask,
  type ListTaskAttemptsAnswer,
  type ListTaskStoryAnswer,
  listExecutors,
  listRepos,
  listRuns,
  listTaskAttempts,
  listTaskStory,
  showBoard,
  type TaskerGetIssueAnswer,
  taskerGetIssue,
  taskerGetProjectContext,
} from 'errand/client';
import { answerOf, CallError } from 'errand/client/answer';
import type { Board, Card, Column } from './board.ts';

export type Task = GetTaskAnswer;
export type Issue = TaskerGetIssueAnswer['issue'];
export type Block = NonNullable<Issue['detail_layout']>['nodedc_structured_blocks']['blocks'][number];
export type Comment = Issue['comments']['latest'][number];
export type AttemptRow = ListTaskAttemptsAnswer['attempts'][number];
export type Attempt = GetAttemptAnswer;
export type StoryRow = ListTaskStoryAnswer['entries'][number];

/** A task as its page shows it: what agents read of it, and what people add to it. */
export interface SeenTask {
  readonly task_id: string;
  readonly project_id: string;
  readonly task: Task;
  readonly issue: Issue;
}

/** What a caller who may not read cards knows of one: what the task says. */
const issueWithout = ({ task_id, project_id, title, priority, created_at, updated_at, ...task }: Task): Issue => ({
  id: task_id,
  ...(task.key !== null && { key: task.key }),
  project_id,
  name: title,
  state: { id: '', name: task.status, group: 'unstarted' },
  priority,
  created_at,
  updated_at,
  sort_order: 0,
  labels: [],
  assignees: [],
  description_html: null,
  detail_layout: null,
  comments: { count: 0, latest: [] },
});

/** A caller who may read tasks, but no cards, sees the task without what only cards have. */
function unlessRefused(error: unknown): null {
  if (error instanceof CallError && error.status === 403) return null;
  throw error;
}

/** A task by its key or id. */
export const taskQuery = (name: string) =>
  queryOptions({
    queryKey: ['task', name],
    queryFn: async ({ signal }): Promise<SeenTask> => {
      const [task, read] = await Promise.all([
        answerOf(getTask(name, { include: ['description', 'blocked_by', 'blocks', 'ticks'] }, { signal })),
        answerOf(
          taskerGetIssue(name, { include: ['description', 'blocks', 'comments', 'labels', 'assignees'] }, { signal }),
        ).catch(unlessRefused),
      ]);
      return { task_id: task.task_id, project_id: task.project_id, task, issue: read?.issue ?? issueWithout(task) };
    },
  });

/** A task's card, with the states of its project. Its key is that of a board: steps of agents change it. */
export interface SeenCard {
  readonly project_id: string;
  readonly project_key: string | null;
  readonly project_name: string;
  readonly columns: readonly Omit<Column, 'cards'>[];
  readonly card: Card | null;
}

const seenCard = ({ project_id, key, name, columns }: Board): SeenCard => ({
  project_id,
  project_key: key,
  project_name: name,
  columns,
  card: columns.flatMap(({ cards }) => cards)[0] ?? null,
});

export const cardQuery = (project_id: string, task_id: string) =>
  queryOptions({
    queryKey: ['board', project_id, 'card', task_id],
    queryFn: async ({ signal }) => seenCard(await answerOf(showBoard(project_id, { taskIds: [task_id] }, { signal }))),
  });

/** The sub-tasks of a task, those that are left first. */
export const subtasksQuery = (project_id: string, task_id: string) =>
  queryOptions({
    queryKey: ['board', project_id, 'subtasks', task_id],
    queryFn: async ({ signal }) => {
      const { columns } = await answerOf(showBoard(project_id, { parentId: task_id }, { signal }));
      return { project_id, columns };
    },
  });

const STORY_PAGE = 50;

/** What happened to a task, newest first, page by page. */
export const storyQuery = (task_id: string) =>
  infiniteQueryOptions({
    queryKey: ['task', task_id, 'story'],
    queryFn: ({ signal, pageParam }) =>
      answerOf(
        listTaskStory(task_id, { limit: STORY_PAGE, ...(pageParam !== '' && { cursor: pageParam }) }, { signal }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

const MAX_STORY = 100;

/** The questions among what happened last to a task, with their answers. */
export const questionsQuery = (task_id: string) =>
  queryOptions({
    queryKey: ['task', task_id, 'story', 'questions'],
    queryFn: async ({ signal }) => {
      const { entries } = await answerOf(listTaskStory(task_id, { limit: MAX_STORY }, { signal }));
      return entries.filter(({ kind }) => kind === 'question');
    },
  });

const MAX_ATTEMPTS = 50;

/** The attempts of a task, newest first, each with what it changed. */
export const attemptsQuery = (task_id: string) =>
  queryOptions({
    queryKey: ['task', task_id, 'attempts'],
    queryFn: async ({ signal }) => {
      const [{ attempts }, compared] = await Promise.all([
        answerOf(listTaskAttempts(task_id, { limit: MAX_ATTEMPTS }, { signal })),
        answerOf(compareAttempts(task_id, { signal })),
      ]);
      return { task_id, attempts, compared: compared.attempts };
    },
  });

/** The runs of a task, newest first: who worked in which attempt, and how far they came. */
export const taskRunsQuery = (task_id: string) =>
  queryOptions({
    queryKey: ['runs', 'task', task_id],
    queryFn: async ({ signal }) =>
      (await answerOf(listRuns({ taskId: task_id, limit: MAX_ATTEMPTS }, { signal }))).runs,
  });

/** The newest attempt: its questions, and what was said to its agent. */
export const talkQuery = (attempt_id: string) =>
  queryOptions({
    queryKey: ['attempt', attempt_id, 'talk'],
    queryFn: ({ signal }) => answerOf(getAttempt(attempt_id, { include: ['whole'] }, { signal })),
  });

/** The labels and members of a project, for those who choose among them. */
export const contextQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['settings', project_id, 'context'],
    queryFn: async ({ signal }) => {
      const { labels = [], members = [] } = await answerOf(taskerGetProjectContext(project_id, {}, { signal }));
      return { labels, members };
    },
  });

export const executorsQuery = queryOptions({
  queryKey: ['agents', 'executors'],
  queryFn: ({ signal }) => answerOf(listExecutors({ signal })),
});

export const reposQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['settings', project_id, 'repos'],
    queryFn: ({ signal }) => answerOf(listRepos(project_id, { limit: 100 }, { signal })),
  });
