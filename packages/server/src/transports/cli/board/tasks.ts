import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli, InputOf } from './board-cli.ts';
import { claimedAmong, claimLines } from './claimed.ts';
import { nameOf } from './names.ts';
import { everyRow } from './pages.ts';
import { plain, plainLine } from './plain.ts';
import { type InProject, type Project, projectOf, projectWords } from './project.ts';
import { styleOfWord } from './states.ts';
import { cutTo, tableOf } from './table.ts';

export type Listing = Pick<InputOf<'list_tasks'>, 'status' | 'ready'> & InProject;

type Row = AnswerOf<'list_tasks'>['tasks'][number];

/** Longer remarks leave no room for the title. */
const MAX_NOTE = 24;

/** The remark of a task in the list. */
function noteOf(row: Row, claimed_by: string | undefined): string {
  const { attempt_state, verdict } = row;
  if (attempt_state === 'needs_you') return 'needs you';
  if (row.has_in_progress_attempt) return attempt_state === 'queued' ? 'queued' : 'running';
  if (claimed_by !== undefined) return `claimed by ${claimed_by}`;
  if (row.last_attempt_failed && attempt_state === 'failed') return 'failed';
  if (row.is_ready) return 'ready';
  if (row.status === 'inreview' && verdict !== null) return verdict;
  // A task in the first column that is not ready is blocked: a claim moves the task to another column.
  return row.status === 'todo' ? 'blocked' : '';
}

const listCommand = ({ name, key }: Project): string =>
  `errand task list --project ${key ?? JSON.stringify(plainLine(name))}`;

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

const named = ({ project_id, key, name }: Project) => ({ project: { project_id, key, name } });

const styleOf = (column: string, text: string) => (column === 'note' ? styleOfWord(text) : null);

export async function listTasks(cli: BoardCli, { project: typed, ...filter }: Listing): Promise<number> {
  const project = await projectOf(cli, typed);
  const tasks = await everyTask(cli, { project_id: project.project_id, ...filter });
  if (cli.json) {
    cli.print(JSON.stringify({ ...named(project), tasks }));
    return EXIT.ok;
  }
  const claimed = await claimedAmong(cli, tasks);
  const rows = tasks.map((row) => ({
    task: nameOf(row.key, row.task_id),
    status: row.status,
    note: cutTo(noteOf(row, claimed.get(row.task_id)?.claimed_by), MAX_NOTE),
    title: plainLine(row.title),
  }));
  if (rows.length > 0) cli.print(`Project ${projectWords(project)}`, '', ...tableOf(cli, rows, { styleOf }));
  else if (filter.ready) cli.print(...(await nothingReady(cli, project)));
  else cli.print(emptyNote(filter.status, project));
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
    const name = nameOf(task.key, task.task_id);
    cli.print(
      `${cli.paint(name, 'bold')}  ${plainLine(task.title)}`,
      `Project ${projectWords(project)}`,
      ...(task.description === null ? [] : ['', plain(task.description)]),
      '',
      `It is yours until ${claim.expires_at}. When you are done: errand task done ${name}`,
    );
  }
  return task === null ? EXIT.failed : EXIT.ok;
}
