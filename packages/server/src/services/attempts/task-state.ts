import type { Attempt } from '#domain/attempt';
import { itemReaders } from '#domain/audience';
import type { State } from '#domain/project';
import type { RunStatus } from '#domain/run';
import type { WorkItem } from '#domain/work-item';
import { endClaim } from '#services/board/end-claim';
import { expireQuestionsIn } from '#services/board/expire-questions';
import type { Transaction } from '#store/store';
import { attemptsOfItem } from './attempts-of-item.ts';
import { wasBegun } from './was-begun.ts';

/** The state with this slug, or else the first or last started state: a project may have its own columns. */
export function startedState(states: readonly State[], slug: string, otherwise: 'first' | 'last'): State | undefined {
  const started = states.filter(({ state_group }) => state_group === 'started');
  return started.find((state) => state.slug === slug) ?? started.at(otherwise === 'first' ? 0 : -1);
}

/** Moves an item to a state and emits the event; does nothing when the item is in it already. */
export async function enter(tx: Transaction, item: WorkItem, state: State | undefined): Promise<void> {
  if (state === undefined || state.id === item.state_id) return;
  await tx.workItems.update({
    ...item,
    state_id: state.id,
    completed_at: state.state_group === 'completed' ? (item.completed_at ?? tx.now) : null,
    version: item.version + 1,
    updated_at: tx.now,
  });
  emitTask(tx, item);
}

/** Emits the event of a new task, or of one whose state or attempts have changed. */
export function emitTask(tx: Transaction, item: WorkItem, what: 'created' | 'updated' = 'updated'): void {
  tx.emit({
    workspace_id: item.workspace_id,
    kind: `work_item.${what}`,
    entity_id: item.id,
    execution_id: null,
    work_item_id: item.id,
    audience: {
      ...itemReaders('board:read', item.owner_id),
      project_id: item.project_id,
      user_id: item.owner_id,
      agent_id: null,
      service_id: null,
    },
    actor: null,
    data: null,
  });
}

async function itemAndStates(
  tx: Transaction,
  { workspace_id, project_id, work_item_id }: Attempt,
): Promise<{ readonly item: WorkItem; readonly states: readonly State[] } | null> {
  const item = await tx.workItems.find({ workspace_id, project_ids: [project_id] }, work_item_id);
  return item && { item, states: await tx.projects.states(workspace_id, project_id) };
}

const groupOf = ({ item, states }: { readonly item: WorkItem; readonly states: readonly State[] }) =>
  states.find(({ id }) => id === item.state_id)?.state_group;

/** Moves the task of a run that begins to in progress, unless it is completed or cancelled. */
export async function moveToProgress(tx: Transaction, attempt: Attempt): Promise<void> {
  const found = await itemAndStates(tx, attempt);
  if (found === null || groupOf(found) === 'completed' || groupOf(found) === 'cancelled') return;
  await enter(tx, found.item, startedState(found.states, 'inprogress', 'first'));
}

async function isWorkedOn(tx: Transaction, { workspace_id, project_id, work_item_id }: Attempt): Promise<boolean> {
  const row = await tx.board.task({ workspace_id, project_ids: [project_id] }, work_item_id);
  return row?.has_in_progress_attempt === true;
}

/** Moves the task of a run that was stopped before it began back to waiting, unless another attempt goes on or left work to review. */
export async function moveBack(tx: Transaction, attempt: Attempt): Promise<void> {
  const found = await itemAndStates(tx, attempt);
  if (found === null || groupOf(found) !== 'started') return;
  if (await wasBegun(tx, found.item)) return moveToReview(tx, attempt);
  if (await isWorkedOn(tx, attempt)) return;
  const waiting = found.states.find(({ state_group }) => state_group === 'unstarted');
  await enter(tx, found.item, waiting);
}

/** Statuses of a run after which there is work to review. */
const REVIEWED: readonly (RunStatus | null)[] = ['completed', 'killed'];

/** Whether an attempt at the task that is not archived has ended with work to review. A failed attempt has none. */
async function hasWork(tx: Transaction, item: WorkItem): Promise<boolean> {
  const attempts = await attemptsOfItem(tx, item);
  return attempts.some(({ archived_at, run_status }) => archived_at === null && REVIEWED.includes(run_status));
}

/** An agent that waits for an answer is not done, though its run has ended. */
const asksAPerson = async (tx: Transaction, attempt: Attempt): Promise<boolean> =>
  (await tx.approvals.pending(attempt)).some(({ origin }) => origin === 'tool');

/**
 * Moves the task of a run that has ended to review, unless a person has moved it already, another attempt goes on, its
 * agent waits for an answer, or all of its attempts have failed: a failed attempt is a state of a task in progress.
 */
export async function moveToReview(tx: Transaction, attempt: Attempt): Promise<void> {
  if ((await isWorkedOn(tx, attempt)) || (await asksAPerson(tx, attempt))) return;
  const found = await itemAndStates(tx, attempt);
  if (found === null || groupOf(found) !== 'started' || !(await hasWork(tx, found.item))) return;
  await enter(tx, found.item, startedState(found.states, 'inreview', 'last'));
}

/** Completes the task of an attempt that was merged, and ends the claim on it. A task that is over stays as it is. */
export async function completeTask(tx: Transaction, attempt: Attempt): Promise<void> {
  const found = await itemAndStates(tx, attempt);
  if (found === null || groupOf(found) === 'completed' || groupOf(found) === 'cancelled') return;
  const done = found.states.filter(({ state_group }) => state_group === 'completed');
  await enter(tx, found.item, done.find(({ slug }) => slug === 'done') ?? done[0]);
  await endClaim(tx, found.item);
  await expireQuestionsIn(tx, 'completed', found.item);
}
