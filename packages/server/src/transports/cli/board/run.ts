import { say, type Words } from '#advice';
import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import type { BoardCli, InputOf } from './board-cli.ts';
import { executorOf } from './executors.ts';
import { plainLine } from './plain.ts';
import { type InProject, projectOf, type Repo, reposOf } from './project.ts';
import { watch } from './watch.ts';

type Started = InputOf<'start_task_attempt'>;

/** An attempt at an existing task, or at a new one with this title. */
export interface RunOrder
  extends Partial<Pick<Started, 'task_id' | 'executor' | 'variant' | 'prompt'>>,
    Partial<Pick<InputOf<'create_task'>, 'title' | 'description'>>,
    InProject {
  readonly repo?: readonly string[];
  readonly wait?: boolean;
}

type WantedRepo = Started['repos'][number];

const refuse = (message: string, hint?: Words): ErrandError =>
  new ErrandError('validation_error', message, hint === undefined ? {} : { hint });

/** Parses a typed repository: a name or an id, and after a colon the branch to start from. */
function wantedRepo(repos: readonly Repo[], typed: string): WantedRepo {
  const find = (text: string): Repo | undefined =>
    repos.find(({ repo_id, repo_name }) => repo_id === text || repo_name === text);
  const whole = find(typed);
  if (whole !== undefined) return { repo_id: whole.repo_id };
  const at = typed.lastIndexOf(':');
  const named = at === -1 ? undefined : find(typed.slice(0, at));
  if (named !== undefined) return { repo_id: named.repo_id, target_branch: typed.slice(at + 1) };
  const names = repos.map(({ repo_name }) => plainLine(repo_name)).join(', ');
  throw refuse(`--repo ${JSON.stringify(typed)} is no repository of this project.`, `Give one of these: ${names}.`);
}

async function wantedRepos(cli: BoardCli, project_id: string, typed: readonly string[] | undefined) {
  const repos = await reposOf(cli, project_id);
  if (repos.length === 0) {
    throw refuse(
      'The project of this task has no repository to work in.',
      say`Add one: ${{ command: 'repo add' }} PATH --project ${project_id}`,
    );
  }
  return typed === undefined
    ? repos.map(({ repo_id }): WantedRepo => ({ repo_id }))
    : typed.map((text) => wantedRepo(repos, text));
}

/** Returns the project of the task. It is created only after everything else has been checked. */
async function projectIdOf(cli: BoardCli, { task_id, title, description, project }: RunOrder): Promise<string> {
  if ((task_id === undefined) === (title === undefined)) throw refuse('Give the id of a task, or --title to make one.');
  if (task_id === undefined) return (await projectOf(cli, project)).project_id;
  if (project !== undefined || description !== undefined) {
    throw refuse('--project and --description are for a task that is made: give them with --title.');
  }
  return (await cli.ask('get_task', { task_id })).project_id;
}

async function taskIdOf(cli: BoardCli, { task_id, title = '', description }: RunOrder, project_id: string) {
  if (task_id !== undefined) return task_id;
  const task = { project_id, title, ...(description !== undefined && { description }) };
  return (await cli.ask('create_task', task)).task_id;
}

/** Starts an attempt at a task. Creates the task first when only a title is given. */
export async function runTask(cli: BoardCli, order: RunOrder): Promise<number> {
  const project_id = await projectIdOf(cli, order);
  const repos = await wantedRepos(cli, project_id, order.repo);
  const executor = await executorOf(cli, order);
  const task_id = await taskIdOf(cli, order, project_id);
  const tellTask = (): void => (cli.json ? undefined : cli.print(`task     ${task_id}`));
  // Print a new task's id even if it cannot be started, so that the person finds the task again.
  if (order.task_id === undefined) tellTask();
  const { variant, prompt } = order;
  const started = await cli.ask('start_task_attempt', {
    task_id,
    executor,
    repos,
    ...(variant !== undefined && { variant }),
    ...(prompt !== undefined && { prompt }),
  });

  if (order.task_id !== undefined) tellTask();
  // With one executor the answer names its attempt.
  const attempt_id = started.attempt_id as string;
  cli.tell(started, `attempt  ${attempt_id}`);
  if (order.wait) return watch(cli, attempt_id);
  if (!cli.json) cli.print(`Watch ${plainLine(executor)} at work: errand watch ${attempt_id}`);
  return EXIT.ok;
}
