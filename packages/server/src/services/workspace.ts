import type { MembersManaged } from '#domain/project';
import type { Workspace } from '#domain/user';
import { ErrandError } from '#errors';
import { WORKSPACE_GUIDE } from './tasker/instructions.ts';
import type { ReadWork, WriteWork } from './work.ts';

const WORKSPACE_MEMBERS = 'workspace_members';

/** Whether agents may add members to projects of this workspace. */
export const membersManaged = async ({ tx }: ReadWork): Promise<MembersManaged> =>
  (await tx.settings.get(WORKSPACE_MEMBERS)) === 'external' ? 'external' : 'here';

export interface WorkspaceDetails extends Workspace {
  readonly guide: string | null;
  readonly members: MembersManaged;
}

/** Undefined fields stay unchanged; an empty guide removes it. */
interface WorkspaceChanges {
  readonly name?: string | undefined;
  readonly guide?: string | undefined;
  readonly members?: MembersManaged | undefined;
}

async function show(work: ReadWork): Promise<WorkspaceDetails> {
  const { tx, caller } = work;
  const workspace = await tx.workspaces.first();
  if (workspace?.id !== caller.workspace_id) {
    throw new ErrandError('not_found', 'This installation is of another workspace.');
  }
  return {
    ...workspace,
    guide: (await tx.settings.get(WORKSPACE_GUIDE)) || null,
    members: await membersManaged(work),
  };
}

export function createWorkspace() {
  return {
    show,

    update: async (work: WriteWork, { name, guide, members }: WorkspaceChanges): Promise<WorkspaceDetails> => {
      if (name === undefined && guide === undefined && members === undefined) {
        throw new ErrandError('validation_error', 'No changes: give name, guide or members.');
      }

      const before = await show(work);
      if (name !== undefined) await work.tx.workspaces.rename(before.id, name);
      if (guide !== undefined) await work.tx.settings.put(WORKSPACE_GUIDE, guide);
      if (members !== undefined) await work.tx.settings.put(WORKSPACE_MEMBERS, members);
      const after = await show(work);
      work.changed(before, after);
      return after;
    },
  };
}
