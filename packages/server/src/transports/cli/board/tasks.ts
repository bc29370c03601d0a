import { EXIT } from '#transports/cli/exit-code';
import { readable } from '#transports/cli/print';
import type { AnswerOf, Desk } from './desk.ts';
import { everyRow } from './pages.ts';
import { plain, plainLine } from './plain.ts';
import { projectOf } from './project.ts';

interface NewTask {
  readonly title: string;
  readonly project?: string | undefined;
  readonly description?: string | undefined;
  readonly blockedBy?: readonly string[] | undefined;
}

interface Listing {
  readonly project?: string | undefined;
  readonly status?: string | undefined;
  readonly ready?: boolean | undefined;
}

type Row = AnswerOf<'list_tasks'>['tasks'][number];
type Whole = AnswerOf<'get_task'>;
type Attempt = AnswerOf<'list_task_attempts'>['attempts'][number];

/** A list is a table however narrow the terminal: its lines are easier to tell apart than blocks. */
const tableOf = (rows: readonly object[]): string => readable({ rows }, Number.POSITIVE_INFINITY);

export async function addTask(desk: Desk, { title, project, description, blockedBy }: NewTask): Promise<number> {
  const { project_id } = await projectOf(desk, project);
  const made = await desk.ask('create_task', {
    project_id,
    title,
    ...(description !== undefined && { description }),
    ...(blockedBy !== undefined && { blocked_by: [...blockedBy] }),
  });
  if (desk.json) desk.print(JSON.stringify(made));
  else desk.print(made.task_id);
  return EXIT.ok;
}

/** What people want to know of a task at a glance. */
function noteOf(row: Row): string {
  if (row.has_in_progress_attempt) return 'agent at work';
  if (row.last_attempt_failed) return 'last attempt failed';
  if (row.is_ready) return 'ready';
  // Nobody has claimed what stands in the first column, and no agent is at it.
  return row.status === 'todo' ? 'blocked' : '';
}

function emptyNote({ status, ready }: Listing): string {
  if (ready) return 'No task is ready. All tasks, with what keeps them: errand task list';
  if (status !== undefined) return `No task is in ${plainLine(status)}. All tasks: errand task list`;
  return 'No tasks. Add one: errand task add "What is to be done"';
}

export async function listTasks(desk: Desk, listing: Listing): Promise<number> {
  const { project, status, ready } = listing;
  const { project_id } = await projectOf(desk, project);
  const filter = { project_id, ...(status !== undefined && { status }), ...(ready !== undefined && { ready }) };
  const tasks = await everyRow(
    (page) => desk.ask('list_tasks', { ...filter, ...page }),
    (answer) => answer.tasks,
  );
  const rows = tasks.map((row) => ({
    task: row.task_id,
    status: row.status,
    note: noteOf(row),
    title: plainLine(row.title),
  }));
  if (desk.json) desk.print(JSON.stringify({ tasks }));
  else desk.print(rows.length === 0 ? emptyNote(listing) : tableOf(rows));
  return EXIT.ok;
}

const neighbours = (label: string, tasks: Whole['blocks']): readonly string[] =>
  tasks.map(({ task_id, title, status }) => `${label}  ${task_id}  ${plainLine(title)} (${status})`);

function attemptLines(attempts: readonly Attempt[], task_id: string): readonly string[] {
  if (attempts.length === 0) return [`No attempts yet. Have an agent work on it: errand run ${task_id}`];
  const rows = attempts.map(({ attempt_id, workspace_branch, latest_session_executor, created_at }) => ({
    attempt: attempt_id,
    executor: latest_session_executor,
    branch: workspace_branch,
    made_at: created_at,
  }));
  return [tableOf(rows)];
}

function taskLines(task: Whole): readonly string[] {
  const { claim, last_failure } = task;
  return [
    plainLine(task.title),
    `${task.status}, priority ${task.priority}${task.is_ready ? ', ready' : ''}`,
    ...(claim === null ? [] : [`claimed by ${plainLine(claim.claimed_by.name)} until ${claim.expires_at}`]),
    ...(last_failure === null ? [] : [`last attempt failed: ${plainLine(last_failure.reason ?? 'nobody knows why')}`]),
    ...neighbours('waits for', task.blocked_by),
    ...neighbours('blocks   ', task.blocks),
    ...(task.description === null ? [] : ['', plain(task.description)]),
  ];
}

export async function showTask(desk: Desk, task_id: string): Promise<number> {
  const task = await desk.ask('get_task', { task_id, include: ['description', 'blocked_by', 'blocks'] });
  const attempts = await everyRow(
    (page) => desk.ask('list_task_attempts', { task_id, ...page }),
    (answer) => answer.attempts,
  );
  if (desk.json) desk.print(JSON.stringify({ ...task, attempts }));
  else desk.print(...taskLines(task), '', ...attemptLines(attempts, task_id));
  return EXIT.ok;
}

/** Exit code 1 when nothing is ready, so that a script can stop asking. */
export async function takeNext(desk: Desk, typed: string | undefined): Promise<number> {
  const project_id = typed === undefined ? undefined : (await projectOf(desk, typed)).project_id;
  const answer = await desk.ask('next_task', project_id === undefined ? {} : { project_id });
  const { task, claim } = answer;
  if (desk.json) desk.print(JSON.stringify(answer));
  else if (task === null || claim === null) desk.print('Nothing is ready. All tasks: errand task list');
  else {
    desk.print(
      task.task_id,
      plainLine(task.title),
      ...(task.description === null ? [] : ['', plain(task.description)]),
      '',
      `It is yours until ${claim.expires_at}. When you are done: errand task done ${task.task_id}`,
    );
  }
  return task === null ? EXIT.failed : EXIT.ok;
}

export async function finishTask(desk: Desk, task_id: string): Promise<number> {
  const task = await desk.ask('update_task', { task_id, status: 'done' });
  if (desk.json) desk.print(JSON.stringify(task));
  else desk.print(`Done: ${plainLine(task.title)}`);
  return EXIT.ok;
}
