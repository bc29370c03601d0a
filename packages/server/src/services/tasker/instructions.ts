import type { ProjectId } from '#domain/ids';
import type { ReadWork } from '#services/work';
import { type GrantedProject, projectOf, projectsWithin } from './lookup.ts';

interface AgentInstructions {
  readonly workspace: { readonly name: string; readonly guide: string | null };
  /** At most so many as were asked for, and one more when there are more. */
  readonly projects: readonly GrantedProject[];
  /** How cards are written in the project that was named, or in the only one there is. */
  readonly card_guide: string | null;
}

/** The setting that holds how the whole workspace wants its cards. */
export const WORKSPACE_GUIDE = 'workspace_guide';

export function createInstructions() {
  async function workspaceOf({ tx, caller }: ReadWork): Promise<AgentInstructions['workspace']> {
    const workspace = await tx.workspaces.first();
    // Settings are those of the first workspace: nobody of another may read them.
    if (workspace?.id !== caller.workspace_id) return { name: '', guide: null };
    return { name: workspace.name, guide: (await tx.settings.get(WORKSPACE_GUIDE)) || null };
  }

  return {
    read: async (work: ReadWork, project_id: ProjectId | undefined, most: number): Promise<AgentInstructions> => {
      const named = project_id === undefined ? null : await projectOf(work, project_id);
      // Reading the rules is no right in a project: they are told of every project that they reach in any way.
      const projects = named === null ? await projectsWithin(work, { after: null, limit: most + 1 }) : [named];
      const only = projects.length === 1 ? projects[0] : undefined;
      return {
        workspace: await workspaceOf(work),
        projects: projects.map((project) => ({ project, rights: work.rightsIn(project.id) })),
        card_guide: only?.card_guide ?? null,
      };
    },
  };
}
