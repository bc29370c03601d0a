import { say, type Words } from '#advice';
import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import type { BoardCli, InputOf } from './board-cli.ts';
import { executorOf } from './executors.ts';
import { nameOf } from './names.ts';
import { plainLine } from './plain.ts';
import { type InProject, projectOf, projectWords, type Repo, reposOf } from './project.ts';
import { watch } from './watch.ts';

type Started = InputOf<'start_task_attempt'>;

/** An attempt at an existing task, or at a new one with this title. */
export interface RunOrder
  extends Partial<Pick<Started, 'task_id' | 'executor' | 'variant' | 'prompt'>>,
    Partial<Pick<InputOf<'create_task'>, 'title' | 'description'>>,
    InProject {
  readonly executors?: readonly string[];
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
    const project = await projectOf(cli, project_id);
    const typedName = project.key ?? JSON.stringify(plainLine(project.name));
    throw refuse(
      `The project ${projectWords(project)} has no repository to work in.`,
      project.kind === 'team'
        ? say`Add one: ${{ command: 'repo add' }} PATH --project ${typedName}`
        : say`Add a project: ${{ command: 'project add' }} NAME. Then its repository: ${{ command: 'repo add' }} PATH --project NAME`,
    );
  }
  return typed === undefined
    ? repos.map(({ repo_id }): WantedRepo => ({ repo_id }))
    : typed.map((text) => wantedRepo(repos, text));
}

/** Returns the project of the task. It is created only after everything else has been checked. */
async function projectIdOf(cli: BoardCli, { task_id, title, description, project }: RunOrder): Promise<string> {
  if ((task_id === undefined) === (title === undefined))
    throw refuse('Give the key of a task, or --title to make one.');
  if (task_id === undefined) return (await projectOf(cli, project)).project_id;
  if (project !== undefined || description !== undefined) {
    throw refuse('--project and --description are for a task that is made: give them with --title.');
  }
  return (await cli.ask('get_task', { task_id })).project_id;
}

/** Makes the task, and prints its name even if it cannot be started: so the person finds it again. */
async function newTask(cli: BoardCli, { title = '', description }: RunOrder, project_id: string): Promise<string> {
  const task = { project_id, title, ...(description !== undefined && { description }) };
  const { task_id, key } = await cli.ask('create_task', task);
  if (!cli.json) cli.print(`task     ${nameOf(key, task_id)}`);
  return task_id;
}

interface StartedAttempt {
  readonly attempt_id: string;
  readonly key: string | null;
  readonly executor: string;
}

/** The executors that were typed, as `name` or `name:variant`; one is chosen when none was. */
async function executorsOf(cli: BoardCli, { executor, executors, variant }: RunOrder): Promise<readonly string[]> {
  if (executors === undefined) return [await executorOf(cli, { executor, variant })];
  if (executor !== undefined || variant !== undefined) {
    throw refuse(
      '--executors names agents and variants itself, as claude,codex:fast: leave --executor and --variant out.',
    );
  }
  for (const typed of executors) {
    const [name = '', way] = typed.split(':', 2);
    await executorOf(cli, { executor: name, variant: way });
  }
  return executors;
}

/** Starts the attempts in one call: one with --executor, several with --executors. */
async function start(
  cli: BoardCli,
  order: RunOrder,
  input: Pick<Started, 'task_id' | 'repos'>,
  names: readonly string[],
) {
  const { variant, prompt, executors } = order;
  const [executor = ''] = names;
  const started = await cli.ask('start_task_attempt', {
    ...input,
    ...(executors === undefined ? { executor } : { executors: [...names] }),
    ...(variant !== undefined && { variant }),
    ...(prompt !== undefined && { prompt }),
  });
  const { attempt_id, key = null, attempts } = started;
  const made: readonly StartedAttempt[] = attempts ?? (attempt_id === undefined ? [] : [{ attempt_id, key, executor }]);
  return { started, made };
}

/** Watches the attempts one after another. The exit code is 0 when all of them completed. */
async function watchAll(cli: BoardCli, attempts: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  for (const attempt of attempts) {
    if (attempts.length > 1 && !cli.json) cli.print('', cli.paint(attempt, 'bold'));
    code = Math.max(code, await watch(cli, attempt));
  }
  return code;
}

/** Starts attempts at a task. Creates the task first when only a title is given. */
export async function runTask(cli: BoardCli, order: RunOrder): Promise<number> {
  const project_id = await projectIdOf(cli, order);
  const repos = await wantedRepos(cli, project_id, order.repo);
  const names = await executorsOf(cli, order);
  const task_id = order.task_id ?? (await newTask(cli, order, project_id));
  const { started, made } = await start(cli, order, { task_id, repos }, names);

  const attempts = made.map(({ key, attempt_id }) => nameOf(key, attempt_id));
  if (order.task_id !== undefined && !cli.json) cli.print(`task     ${taskNameIn(made, started.task_id)}`);
  const lineOf = ({ executor }: StartedAttempt, i: number): string =>
    `attempt  ${attempts[i]}${made.length > 1 ? `  ${plainLine(executor)}` : ''}`;
  cli.tell(started, ...made.map(lineOf));
  if (order.wait) return watchAll(cli, attempts);
  if (!cli.json) cli.print(nextLine(made, attempts));
  return EXIT.ok;
}

/** The key of an attempt begins with that of its task. */
const taskNameIn = ([first]: readonly StartedAttempt[], task_id: string): string =>
  first?.key?.replace(/\.\d+$/, '') ?? task_id;

const nextLine = (made: readonly StartedAttempt[], [attempt = '']: readonly string[]): string =>
  made.length > 1
    ? `Watch one: errand watch ${attempt}. Compare them: errand compare ${taskNameIn(made, '')}`
    : `Watch ${plainLine(made[0]?.executor ?? 'the agent')} at work: errand watch ${attempt}`;
