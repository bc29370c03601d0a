import type { Approval } from '#domain/approval';
import { isHeld } from '#domain/claim';
import type { AttemptId, WorkItemId } from '#domain/ids';
import type { Run } from '#domain/run';
import type { ItemRow, WorkItem } from '#domain/work-item';
import type { Ports } from '#services/ports';
import type { Author } from '#services/tasker/adapter';
import { authorOf } from '#services/tasker/local-issues';
import type { ReadWork } from '#services/work';
import { taskOf } from './lookup.ts';
import { type SeenTask, seenTask } from './seen-task.ts';
import { statesOf } from './statuses.ts';

interface Neighbour {
  readonly task_id: WorkItemId;
  readonly key: string | null;
  readonly title: string;
  readonly status: string;
}

interface WholeTask extends SeenTask {
  /** Those that wait for an answer, the oldest first. */
  readonly questions: readonly Approval[];
  readonly description: string | null;
  readonly parent_id: WorkItemId | null;
  readonly parent_key: string | null;
  readonly blocked_by: readonly Neighbour[];
  readonly blocks: readonly Neighbour[];
  readonly claim: { readonly claimed_by: Author; readonly epoch: number; readonly lease_until: number } | null;
  readonly last_failure: {
    readonly attempt_id: AttemptId;
    readonly execution_id: Run['id'];
    readonly reason: string | null;
  } | null;
}

/** Reads one task with all its parts. */
export function createWholeTask({ clock }: Pick<Ports, 'clock'>) {
  async function claimOf({ tx, caller }: ReadWork, id: WorkItemId): Promise<WholeTask['claim']> {
    const claim = await tx.board.claim(caller.workspace_id, id);
    if (claim === null || !isHeld(claim, clock())) return null;
    const { user_id, agent_id, epoch, lease_until } = claim;
    const claimed_by = await authorOf(tx, { workspace_id: caller.workspace_id, user_id, agent_id });
    return claimed_by && { claimed_by, epoch, lease_until };
  }

  async function failureOf({ tx, caller }: ReadWork, { row }: SeenTask): Promise<WholeTask['last_failure']> {
    if (!row.last_attempt_failed || row.latest_attempt_id === null) return null;
    const latest = { id: row.latest_attempt_id, workspace_id: caller.workspace_id };
    const [run] = await tx.attempts.runs(latest, 1);
    return run === undefined ? null : { attempt_id: row.latest_attempt_id, execution_id: run.id, reason: run.reason };
  }

  /** A caller within an attempt sees no questions of other attempts. */
  async function questionsOf({ tx, caller }: ReadWork, item: WorkItem): Promise<readonly Approval[]> {
    const open = await tx.approvals.openOfItem(item);
    return open.filter(
      ({ attempt_id }) => caller.attempt_id === null || attempt_id === null || attempt_id === caller.attempt_id,
    );
  }

  async function parentOf(
    { tx, caller }: ReadWork,
    { parent_id }: WorkItem,
  ): Promise<Pick<WholeTask, 'parent_id' | 'parent_key'>> {
    if (parent_id === null || caller.attempt_id !== null) return { parent_id: null, parent_key: null };
    return { parent_id, parent_key: (await tx.names.keysOf(caller.workspace_id, [parent_id])).get(parent_id) ?? null };
  }

  return async (work: ReadWork, id: WorkItemId): Promise<WholeTask> => {
    const { tx, within, caller } = work;
    const item = await taskOf(work, id);
    const slugs = new Map((await statesOf(work, { id: item.project_id })).map((state) => [state.id, state.slug]));
    const neighbours = (rows: readonly ItemRow[]): readonly Neighbour[] =>
      rows.map((row) => ({
        task_id: row.id,
        key: row.key,
        title: row.title,
        status: slugs.get(row.state_id) ?? '',
      }));
    // A caller within an attempt sees no other tasks.
    const seesOthers = caller.attempt_id === null;

    const seen = await seenTask(work, id, clock());
    return {
      ...seen,
      description: item.description,
      questions: await questionsOf(work, item),
      ...(await parentOf(work, item)),
      blocked_by: seesOthers ? neighbours(await tx.board.blockers(within, id)) : [],
      blocks: seesOthers ? neighbours(await tx.board.blocked(within, id)) : [],
      claim: await claimOf(work, id),
      last_failure: await failureOf(work, seen),
    };
  };
}
