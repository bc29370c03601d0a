import { fitting, ROOM } from '#domain/answer-size';
import type { Project } from '#domain/project';
import { type PageOf, type PageRequest, readPage, unlessSized } from '#services/pages';
import type { Ports } from '#services/ports';
import type { ReadWork } from '#services/work';
import type { TaskerAdapter } from './adapter.ts';
import { type GrantedProject, projectsWithin, withKeyThatIsTaken } from './lookup.ts';

/** How many projects fit into a short answer, in their listed form. */
const fittingProjects = (projects: readonly Project[]): number => {
  const rows = projects.map(({ id, key, name, kind, completion_gate }) => ({
    id,
    key,
    name,
    kind,
    completion_gate,
    can_complete: false,
    can_cancel: false,
  }));
  return Math.max(1, fitting(rows, ROOM.page));
};

export function createTrackerProjects({ cursors }: Pick<Ports, 'cursors'>, adapter: Pick<TaskerAdapter, 'is_local'>) {
  return {
    list: async (work: ReadWork, page: PageRequest): Promise<PageOf<GrantedProject>> => {
      const { rows, ...more } = await readPage(cursors, page, {
        name: `tracker projects:${work.caller.principal_id}`,
        read: (part) => projectsWithin(work, part),
        fitting: unlessSized(fittingProjects),
      });
      const granted = (project: Project) => ({
        project: withKeyThatIsTaken(adapter, project),
        rights: work.rightsIn(project.id),
      });
      return { rows: rows.map(granted), ...more };
    },
  };
}
