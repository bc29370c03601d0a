import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type MyProject, meQuery } from '../api/me.ts';

const LAST = 'project';

function remembered(): string | null {
  try {
    // Each tab goes on where it was; a new one begins where the person was last.
    return sessionStorage.getItem(LAST) ?? localStorage.getItem(LAST);
  } catch {
    // Storage may be forbidden, for example in a frame of another site.
    return null;
  }
}

/** The project to begin with: the one that was looked at last, or the first of a team. */
export function firstProject(projects: readonly MyProject[]): MyProject | null {
  const last = remembered();
  return (
    projects.find(({ key }) => key !== null && key === last) ??
    projects.find(({ kind }) => kind === 'team') ??
    projects[0] ??
    null
  );
}

/** The project of this page, or else the one to begin with. Null while none is known. */
export function useProject(): MyProject | null {
  const { key } = useParams({ strict: false });
  const { data } = useQuery(meQuery);
  const projects = data?.projects ?? [];
  return projects.find((project) => project.key === key) ?? firstProject(projects);
}

interface Named {
  readonly project_id: string;
  readonly name: string;
}

/** The name of a project as pages show it: that of `meQuery`, where the reader has the project. */
export function useProjectName(project: Named | undefined): string | undefined {
  const { data } = useQuery(meQuery);
  return data?.projects.find(({ project_id }) => project_id === project?.project_id)?.name ?? project?.name;
}

/** Pages without a project of their own lead back to this one. */
export function rememberProject(key: string): void {
  try {
    sessionStorage.setItem(LAST, key);
    localStorage.setItem(LAST, key);
  } catch {
    // It is forgotten with the page.
  }
}
