import { say, type Words } from '#advice';
import { ErrandError } from '#errors';
import { rowsMeantBy } from '#gateway/rows-meant-by';
import { Refused } from '#transports/cli/calls';
import type { AnswerOf, BoardCli } from './board-cli.ts';
import { nameOf } from './names.ts';
import { everyRow } from './pages.ts';
import { plainLine } from './plain.ts';

export type Project = AnswerOf<'list_projects'>['projects'][number];
export type Repo = AnswerOf<'list_repos'>['repos'][number];

/** The option of a command in one project: its name or id. */
export interface InProject {
  readonly project?: string;
}

const OLD_KEY = /^[a-z0-9]{2,10}$/i;

type Named = Pick<Project, 'project_id' | 'key' | 'name'>;

const listed = (projects: readonly Named[]): string =>
  projects.map(({ name, key, project_id }) => `${plainLine(name)} (${nameOf(key, project_id)})`).join(', ');

/** A project as every list names it: "Website (WEB)". */
export const projectWords = ({ name, key }: Pick<Project, 'name' | 'key'>): string =>
  key === null ? plainLine(name) : `${plainLine(name)} (${key})`;

const oneOf = (projects: readonly Named[]): Words =>
  projects.length === 0
    ? say`There is none that you may see. Add one: ${{ command: 'project add' }} NAME`
    : `Give --project with one of these: ${listed(projects)}.`;

/** Finds a project by its id, its key, its exact name, its name in any case, or the start of its id. */
export function projectNamed<Row extends Named>(projects: readonly Row[], typed: string): Row {
  const found = rowsMeantBy(typed, projects, ({ project_id }) => project_id);
  const [first, ...others] = found;
  if (first === undefined) {
    throw new ErrandError('not_found', `There is no project ${JSON.stringify(typed)}.`, { hint: oneOf(projects) });
  }
  if (others.length === 0) return first;
  throw new ErrandError('validation_error', `${JSON.stringify(typed)} can mean ${found.length} projects.`, {
    hint: `Give the key of one: ${listed(found)}.`,
  });
}

export const reposOf = (cli: BoardCli, project_id: string): Promise<readonly Repo[]> =>
  everyRow(
    (page) => cli.ask('list_repos', { project_id, ...page }),
    ({ repos }) => repos,
  );

async function withRepos(cli: BoardCli, projects: readonly Project[]): Promise<readonly Project[]> {
  const found: Project[] = [];
  for (const project of projects) {
    if (project.is_on_board && (await reposOf(cli, project.project_id)).length > 0) found.push(project);
  }
  return found;
}

/** Finds the project that had this key before: only the server knows it. Null for another text. */
async function formerlyCalled(cli: BoardCli, projects: readonly Project[], typed: string): Promise<Project | null> {
  if (!OLD_KEY.test(typed) || rowsMeantBy(typed, projects, ({ project_id }) => project_id).length > 0) return null;
  try {
    const { tasks } = await cli.ask('list_tasks', { project_id: typed, limit: 1 });
    const [first] = tasks;
    if (first === undefined) return null;
    const { project_id } = await cli.ask('get_task', { task_id: first.task_id });
    return projects.find((project) => project.project_id === project_id) ?? null;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** Returns the project to use: the one that was typed, or the only one in which agents can work, or the first. */
export async function projectOf(cli: BoardCli, typed: string | undefined): Promise<Project> {
  const projects = await everyRow(
    (page) => cli.ask('list_projects', page),
    (answer) => answer.projects,
  );
  if (typed !== undefined) return (await formerlyCalled(cli, projects, typed)) ?? projectNamed(projects, typed);
  const candidates = await withRepos(cli, projects);
  if (candidates.length > 1) {
    throw new ErrandError('validation_error', 'Several projects have repositories.', { hint: oneOf(candidates) });
  }
  const project = candidates[0] ?? projects.find(({ kind }) => kind === 'team') ?? projects[0];
  if (project === undefined) throw new ErrandError('not_found', 'There is no project yet.', { hint: oneOf([]) });
  return project;
}
