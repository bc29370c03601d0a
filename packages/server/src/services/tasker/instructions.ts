import type { ProjectId } from '#domain/ids';
import type { ReadWork } from '#services/work';
import { type GrantedProject, projectOf, projectsWithin } from './lookup.ts';

interface AgentInstructions {
  readonly workspace: { readonly name: string; readonly guide: string | null };
  /** The projects with their card guides: at most as many as asked for, plus one when there are more. */
  readonly projects: readonly GrantedProject[];
}

/** The setting with the card guide of the whole workspace. */
export const WORKSPACE_GUIDE = 'workspace_guide';

export function createInstructions() {
  async function workspaceOf({ tx, caller }: ReadWork): Promise<AgentInstructions['workspace']> {
    const workspace = await tx.workspaces.first();
    // Settings belong to the first workspace: members of another may not read them.
    if (workspace?.id !== caller.workspace_id) return { name: '', guide: null };
    return { name: workspace.name, guide: (await tx.settings.get(WORKSPACE_GUIDE)) || null };
  }

  return {
    read: async (work: ReadWork, project_id: ProjectId | undefined, most: number): Promise<AgentInstructions> => {
      const named = project_id === undefined ? null : await projectOf(work, project_id);
      // `workspace:read` is no right in a project, so the answer names every project that the caller reaches.
      const projects = named === null ? await projectsWithin(work, { after: null, limit: most + 1 }) : [named];
      return {
        workspace: await workspaceOf(work),
        projects: projects.map((project) => ({ project, rights: work.rightsIn(project.id) })),
      };
    },
  };
}
