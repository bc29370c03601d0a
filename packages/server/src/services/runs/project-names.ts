import type { Attempt } from '#domain/attempt';
import type { ProjectNames } from '#domain/project-names';
import type { Reads } from '#store/store';

/** The names of the project of an attempt or run. */
export async function projectNames(
  { projects }: Pick<Reads, 'projects'>,
  { workspace_id, project_id }: Pick<Attempt, 'workspace_id' | 'project_id'>,
): Promise<ProjectNames> {
  const project = await projects.find(workspace_id, project_id);
  return { id: project_id, name: project?.name ?? '', keys: await projects.keys(workspace_id, project_id) };
}
