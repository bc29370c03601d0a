import type { Workspace } from '#domain/user';
import { ErrandError } from '#errors';
import { WORKSPACE_GUIDE } from './tasker/instructions.ts';
import type { ReadWork, WriteWork } from './work.ts';

export interface WorkspaceDetails extends Workspace {
  readonly guide: string | null;
}

/** Fields that are undefined stay as they are; an empty guide is none. */
interface WorkspaceChanges {
  readonly name?: string | undefined;
  readonly guide?: string | undefined;
}

async function show({ tx, caller }: ReadWork): Promise<WorkspaceDetails> {
  const workspace = await tx.workspaces.first();
  if (workspace?.id !== caller.workspace_id) {
    throw new ErrandError('not_found', 'This installation is of another workspace.');
  }
  return { ...workspace, guide: (await tx.settings.get(WORKSPACE_GUIDE)) || null };
}

export function createWorkspace() {
  return {
    show,

    update: async (work: WriteWork, { name, guide }: WorkspaceChanges): Promise<WorkspaceDetails> => {
      if (name === undefined && guide === undefined) {
        throw new ErrandError('validation_error', 'No changes: give name, guide, or both.');
      }

      const before = await show(work);
      if (name !== undefined) await work.tx.workspaces.rename(before.id, name);
      if (guide !== undefined) await work.tx.settings.put(WORKSPACE_GUIDE, guide);
      const after = await show(work);
      work.changed(before, after);
      return after;
    },
  };
}
