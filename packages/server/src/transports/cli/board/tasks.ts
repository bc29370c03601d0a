import { EXIT } from '#transports/cli/exit-code';
import { readable } from '#transports/cli/print';
import type { AnswerOf, BoardCli, InputOf } from './board-cli.ts';
import { claimedAmong, claimLines } from './claimed.ts';
import { endWord, hasBranch } from './ending.ts';
import { everyRow } from './pages.ts';
import { plain, plainLine } from './plain.ts';
import { type InProject, type Project, projectOf } from './project.ts';

export type Listing = Pick<InputOf<'list_tasks'>, 'status' | 'ready'> & InProject;

type Row = AnswerOf<'list_tasks'>['tasks'][number];
type Whole = AnswerOf<'get_task'>;
type Attempt = AnswerOf<'list_task_attempts'>['attempts'][number];

const MIN_TEXT = 12;

/** Formats a table. The last column is cut to the rest of the line. */
function tableOf({ width }: Pick<BoardCli, 'width'>, rows: readonly Readonly<Record<string, string>>[]): string {
  const fields = Object.keys(rows[0] ?? {});
  const last = fields.at(-1) ?? '';
  const widest = (field: string): number => Math.max(field.length, ...rows.map((row) => row[field]?.length ?? 0));
  const taken = fields.slice(0, -1).reduce((sum, field) => sum + widest(field) + 2, 0);
  const room = Math.max(MIN_TEXT, width - taken);
  const cut = (text: string): string => {
    const characters = [...text];
    return characters.length <= room ? text : `${characters.slice(0, room - 1).join('')}…`;
  };
  return readable({ rows: rows.map((row) => ({ ...row, [last]: cut(row[last] ?? '') })) }, Number.POSITIVE_INFINITY);
}

/** The remark of a task in the list. */
function noteOf(row: Row, claimed_by: string | undefined): string {
  if (row.has_in_progress_attempt) return 'running';
  if (claimed_by !== undefined) return `claimed by ${claimed_by}`;
  if (row.last_attempt_failed) return 'failed';
  if (row.is_ready) return 'ready';
  // A task in the first column that is not ready is blocked: a claim moves the task to another column.
  return row.status === 'todo' ? 'blocked' : '';
}

const listCommand = ({ name }: Project): string => `errand task list --project ${JSON.stringify(plainLine(name))}`;

const everyTask = (cli: BoardCli, filter: InputOf<'list_tasks'>): Promise<readonly Row[]> =>
  everyRow(
    (page) => cli.ask('list_tasks', { ...filter, ...page }),
    (answer) => answer.tasks,
  );

/** Prints that nothing is ready, and who has claimed the tasks that would be. */
async function nothingReady(cli: BoardCli, project: Project): Promise<readonly string[]> {
  const claimed = await claimedAmong(cli, await everyTask(cli, { project_id: project.project_id }));
  return [
    `No task of ${plainLine(project.name)} is ready. All of them, with what keeps them: ${listCommand(project)}`,
    ...claimLines(claimed),
  ];
}

function emptyNote(status: string | undefined, project: Project): string {
  const name = plainLine(project.name);
  if (status !== undefined)
    return `No task of ${name} is in ${plainLine(status)}. All of them: ${listCommand(project)}`;
  return `No tasks in ${name}. Add one: errand task add "What is to be done"`;
}

const named = ({ project_id, name }: Project) => ({ project: { project_id, name } });

export async function listTasks(cli: BoardCli, { project: typed, ...filter }: Listing): Promise<number> {
  const project = await projectOf(cli, typed);
  const tasks = await everyTask(cli, { project_id: project.project_id, ...filter });
  if (cli.json) {
    cli.print(JSON.stringify({ ...named(project), tasks }));
    return EXIT.ok;
  }
  const claimed = await claimedAmong(cli, tasks);
  const rows = tasks.map((row) => ({
    task: row.task_id,
    status: row.status,
    note: noteOf(row, claimed.get(row.task_id)?.claimed_by),
    title: plainLine(row.title),
  }));
  if (rows.length > 0) cli.print(`Project ${plainLine(project.name)}`, '', tableOf(cli, rows));
  else if (filter.ready) cli.print(...(await nothingReady(cli, project)));
  else cli.print(emptyNote(filter.status, project));
  return EXIT.ok;
}

const neighbours = (label: string, tasks: Whole['blocks']): readonly string[] =>
  tasks.map(({ task_id, title, status }) => `${label}  ${task_id}  ${plainLine(title)} (${status})`);

/** A dash for a branch that was removed because nothing was changed on it. */
async function branchOf(cli: BoardCli, { attempt_id, status, workspace_branch }: Attempt): Promise<string> {
  const isOver = status !== null && status !== 'queued' && status !== 'running';
  const isGone = isOver && !hasBranch(await cli.ask('get_attempt', { attempt_id }));
  return isGone ? '-' : plainLine(workspace_branch);
}

async function attemptLines(cli: BoardCli, attempts: readonly Attempt[], task_id: string): Promise<readonly string[]> {
  if (attempts.length === 0) return [`No attempts yet. Have an agent work on it: errand run ${task_id}`];
  const rows: Record<string, string>[] = [];
  for (const attempt of attempts) {
    const { attempt_id, status, latest_session_executor } = attempt;
    rows.push({
      attempt: attempt_id,
      status: status === null ? '-' : endWord(status),
      executor: plainLine(latest_session_executor ?? '-'),
      branch: await branchOf(cli, attempt),
    });
  }
  return [tableOf(cli, rows)];
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

export async function showTask(cli: BoardCli, task_id: string): Promise<number> {
  const task = await cli.ask('get_task', { task_id, include: ['description', 'blocked_by', 'blocks'] });
  const attempts = await everyRow(
    (page) => cli.ask('list_task_attempts', { task_id, ...page }),
    (answer) => answer.attempts,
  );
  const lines = cli.json ? [] : await attemptLines(cli, attempts, task_id);
  cli.tell({ ...task, attempts }, ...taskLines(task), '', ...lines);
  return EXIT.ok;
}

/**
 * Claims the first task that `task list --ready` shows for the same flags. Exit code 1 when none is ready, so that a
 * script can stop polling.
 */
export async function takeNext(cli: BoardCli, typed: string | undefined): Promise<number> {
  const project = await projectOf(cli, typed);
  const answer = await cli.ask('next_task', { project_id: project.project_id });
  const { task, claim } = answer;
  if (cli.json) cli.print(JSON.stringify({ ...named(project), ...answer }));
  else if (task === null || claim === null) cli.print(...(await nothingReady(cli, project)));
  else {
    cli.print(
      task.task_id,
      plainLine(task.title),
      `Project ${plainLine(project.name)}`,
      ...(task.description === null ? [] : ['', plain(task.description)]),
      '',
      `It is yours until ${claim.expires_at}. When you are done: errand task done ${task.task_id}`,
    );
  }
  return task === null ? EXIT.failed : EXIT.ok;
}
