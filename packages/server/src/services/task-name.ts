import type { WorkItemId, WorkspaceId } from '#domain/ids';
import type { Reads } from '#store/store';

/** What a person types for each of these tasks: its key, or its id when it has none. */
export async function taskNames(
  { names }: Pick<Reads, 'names'>,
  workspace_id: WorkspaceId,
  ids: readonly WorkItemId[],
): Promise<readonly string[]> {
  const keys = await names.keysOf(workspace_id, ids);
  return ids.map((id) => keys.get(id) ?? id);
}

export const taskName = async (
  reads: Pick<Reads, 'names'>,
  workspace_id: WorkspaceId,
  id: WorkItemId,
): Promise<string> => (await taskNames(reads, workspace_id, [id]))[0] ?? id;
