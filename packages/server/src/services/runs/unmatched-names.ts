import { type ProjectNames, settingsOf } from '#domain/project-names';
import type { Reads } from '#store/store';
import { projectNames } from './project-names.ts';

const PAGE = 500;

interface Known {
  readonly project: ProjectNames;
  readonly repos: readonly string[];
}

async function knownProjects({
  projects,
  workspaces,
}: Pick<Reads, 'projects' | 'workspaces'>): Promise<readonly Known[]> {
  const workspace = await workspaces.first();
  const known: Known[] = [];
  for (let after: string | null = null; workspace !== null; ) {
    const page = await projects.list(workspace.id, { after, limit: PAGE });
    for (const { id } of page) {
      const repos = await projects.repos(workspace.id, id);
      const project = await projectNames({ projects }, { workspace_id: workspace.id, project_id: id });
      known.push({ project, repos: repos.map(({ name }) => name) });
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
  }
  return known;
}

/** The names of a configuration that mean no project and no repository of one. */
export async function unmatchedNames(
  reads: Pick<Reads, 'projects' | 'workspaces'>,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const known = await knownProjects(reads);
  const isKnown = (name: string): boolean =>
    known.some(({ project, repos }) =>
      ['', ...repos.map((repo) => `/${repo}`)].some((end) => settingsOf({ [name]: true }, project, end).length > 0),
    );
  return names.filter((name) => !isKnown(name));
}
