import { ATTEMPT_DEFAULTS, type Attempt } from '../../../packages/server/src/domain/attempt.ts';
import type { AttemptId, WorkItemId } from '../../../packages/server/src/domain/ids.ts';
import { newId } from '../tasker/site.ts';
import { openStore } from '../tasker/tracker.ts';
import type { Site } from './site.ts';

/** Writes attempts without runs directly into the store, with these times: the product starts a session with each. */
export async function plantAttempts(site: Site, task_id: string, times: readonly number[]): Promise<readonly string[]> {
  const store = await openStore(site.place);
  try {
    return await store.transaction(async (tx) => {
      const workspace = await tx.workspaces.first();
      const item =
        workspace &&
        (await tx.workItems.find({ workspace_id: workspace.id, project_ids: 'all' }, task_id as WorkItemId));
      const maker = item?.created_by_user_id ?? null;
      if (item === null || maker === null) throw new Error(`no task ${task_id}`);
      const attempts = times.map(
        (created_at, at): Attempt => ({
          id: newId() as AttemptId,
          workspace_id: item.workspace_id,
          project_id: item.project_id,
          work_item_id: item.id,
          branch: `errand/planted-${at}`,
          ...ATTEMPT_DEFAULTS,
          number: null,
          created_by_user_id: maker,
          created_by_agent_id: null,
          created_at,
          updated_at: created_at,
        }),
      );
      for (const attempt of attempts) await tx.attempts.insert(attempt, []);
      return attempts.map(({ id }) => id);
    });
  } finally {
    await store.close();
  }
}
