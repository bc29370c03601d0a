import { randomBytes } from 'node:crypto';
import type { ProjectId, UserId, WorkspaceId } from '#domain/ids';
import type { Reads, Store, Transaction } from '#store/store';
import { LOCAL_OWNER } from './local-owner.ts';
import type { Ports } from './ports.ts';
import { openUser } from './users.ts';

/** The identity of this installation. */
export interface Installation {
  readonly workspace_id: WorkspaceId;
  /** The person at the machine: the caller of stdio and the command line without a token. */
  readonly owner_id: UserId;
  readonly inbox_id: ProjectId;
  readonly cursor_secret: string;
  /** Whether this start created it. */
  readonly created: boolean;
}

async function create(tx: Transaction, ids: Ports['ids'], owner_name: string): Promise<void> {
  const workspace = { id: ids<WorkspaceId>(), name: 'Workspace', created_at: tx.now };
  await tx.workspaces.insert(workspace);
  const { user, inbox } = await openUser(tx, ids, { workspace_id: workspace.id, name: owner_name, role: 'admin' });
  await tx.settings.put(LOCAL_OWNER, user.id);
  await tx.settings.put('local_inbox_id', inbox.id);
  await tx.settings.put('cursor_secret', randomBytes(32).toString('base64url'));
}

/** Reads the installation from the store; null when the store is new. */
export async function findInstallation(reads: Pick<Reads, 'workspaces' | 'settings'>): Promise<Installation | null> {
  const workspace = await reads.workspaces.first();
  if (workspace === null) return null;
  const owner_id = await reads.settings.get(LOCAL_OWNER);
  const inbox_id = await reads.settings.get('local_inbox_id');
  const cursor_secret = await reads.settings.get('cursor_secret');
  if (owner_id === null || inbox_id === null || cursor_secret === null) {
    throw new Error('The store has a workspace, but not the settings that belong to it.');
  }
  // Safe: `create` wrote both.
  return {
    workspace_id: workspace.id,
    owner_id: owner_id as UserId,
    inbox_id: inbox_id as ProjectId,
    cursor_secret,
    created: false,
  };
}

/** Creates the workspace, its owner and the owner's inbox in a new store. Safe to race: one process creates them, all others find them. */
export function ensureInstallation(store: Store, ids: Ports['ids'], owner_name: string): Promise<Installation> {
  return store.transaction(async (tx) => {
    const created = (await tx.workspaces.first()) === null;
    if (created) await create(tx, ids, owner_name);

    const made = await findInstallation(tx);
    if (made === null) throw new Error('The store lost the workspace that was just made.');
    return { ...made, created };
  });
}
