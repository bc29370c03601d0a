import type { AttemptRow } from '#domain/attempt';
import type { WorkItem } from '#domain/work-item';
import type { Reads } from '#store/store';

const PAGE = 100;

/** All attempts at a work item, the newest first. The caller has found the item before. */
export async function attemptsOfItem(
  tx: Pick<Reads, 'attempts'>,
  { workspace_id, project_id, id }: Pick<WorkItem, 'workspace_id' | 'project_id' | 'id'>,
): Promise<readonly AttemptRow[]> {
  const found: AttemptRow[] = [];
  for (;;) {
    const after = found.at(-1) ?? null;
    const page = await tx.attempts.ofItem({ workspace_id, project_ids: [project_id] }, id, { after, limit: PAGE });
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}
