import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { projectsQuery } from '../api/projects.ts';

const LAST = 'project';

function remembered(): string | null {
  try {
    return sessionStorage.getItem(LAST);
  } catch {
    // Storage may be forbidden, for example in a frame of another site.
    return null;
  }
}

/** The project of this page, or else the one that was looked at last, or the first. Null while none is known. */
export function useProject() {
  const { key } = useParams({ strict: false });
  const { data: projects = [] } = useQuery(projectsQuery);
  const named = (wanted: string | null | undefined) => projects.find((project) => project.key === wanted);
  const first = projects.find(({ kind }) => kind === 'team') ?? projects[0];
  return named(key) ?? named(remembered()) ?? first ?? null;
}

/** Pages without a project of their own lead back to this one. */
export function rememberProject(key: string): void {
  try {
    sessionStorage.setItem(LAST, key);
  } catch {
    // It is forgotten with the page.
  }
}
