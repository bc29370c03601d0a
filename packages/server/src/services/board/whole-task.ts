import type { Approval } from '#domain/approval';
import { isHeld } from '#domain/claim';
import type { AttemptId, WorkItemId } from '#domain/ids';
import type { Run } from '#domain/run';
import type { ItemRow, WorkItem } from '#domain/work-item';
import { early } from '#services/early';
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
  async function questionsOf({ tx, caller }: ReadWork, id: WorkItemId): Promise<readonly Approval[]> {
    const open = await tx.approvals.openOfItem({ id, workspace_id: caller.workspace_id });
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

  /** The statuses are read only for rows: most tasks have no neighbour. */
  async function neighboursOf(
    work: ReadWork,
    { project_id }: WorkItem,
    lists: Readonly<Record<'blocked_by' | 'blocks', readonly ItemRow[]>>,
  ): Promise<Pick<WholeTask, 'blocked_by' | 'blocks'>> {
    if (lists.blocked_by.length + lists.blocks.length === 0) return { blocked_by: [], blocks: [] };
    const slugs = new Map((await statesOf(work, { id: project_id })).map((state) => [state.id, state.slug]));
    const shown = (rows: readonly ItemRow[]): readonly Neighbour[] =>
      rows.map((row) => ({
        task_id: row.id,
        key: row.key,
        title: row.title,
        status: slugs.get(row.state_id) ?? '',
      }));
    return { blocked_by: shown(lists.blocked_by), blocks: shown(lists.blocks) };
  }

  return async (work: ReadWork, id: WorkItemId): Promise<WholeTask> => {
    const { tx, within, caller } = work;
    // A caller within an attempt sees no other tasks.
    const seesOthers = caller.attempt_id === null;
    const parts = early(
      Promise.all([
        seenTask(work, id, clock()),
        questionsOf(work, id),
        claimOf(work, id),
        seesOthers ? tx.board.blockers(within, id) : [],
        seesOthers ? tx.board.blocked(within, id) : [],
      ]),
    );
    const item = await taskOf(work, id);
    const [seen, questions, claim, blocked_by, blocks] = await parts;
    const [parent, neighbours, last_failure] = await Promise.all([
      parentOf(work, item),
      neighboursOf(work, item, { blocked_by, blocks }),
      failureOf(work, seen),
    ]);
    return { ...seen, description: item.description, questions, ...parent, ...neighbours, claim, last_failure };
  };
}
