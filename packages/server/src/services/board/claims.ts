import { say } from '#advice';
import { type Claim, isHeld } from '#domain/claim';
import type { State } from '#domain/project';
import type { Within } from '#domain/reach';
import type { WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import { enter, startedState } from '#services/attempts/task-state';
import { taskName } from '#services/task-name';
import type { WriteWork } from '#services/work';
import type { Reads, Transaction } from '#store/store';
import { giveBack } from './end-claim.ts';

/** The state of tasks that wait to be started. */
export const waitingState = (states: readonly State[]): State | undefined =>
  states.find(({ state_group }) => state_group === 'unstarted') ??
  states.find(({ state_group }) => state_group === 'backlog');

/** The state of a task that is being worked on. */
export const workingState = (states: readonly State[]): State | undefined =>
  startedState(states, 'inprogress', 'first');

/** Restarts the lease with its original length. Returns the renewed claim. */
export async function renew(tx: Transaction, claim: Claim): Promise<Claim> {
  const renewed = { ...claim, claimed_at: tx.now, lease_until: tx.now + (claim.lease_until - claim.claimed_at) };
  await tx.board.putClaim(renewed);
  return renewed;
}

const claimLost = (task: string): ErrandError =>
  new ErrandError('claim_lost', `Your claim on task ${task} is over, or someone else has the task by now.`, {
    hint: ['Nothing was changed. Stop working on it.', say`${{ call: 'next_task' }} for other work.`],
  });

/**
 * The claim on an item that the caller is about to change; null when there is none. An agent may not change what
 * another agent has claimed, and an epoch must be that of the present claim. People may always change the item.
 */
export async function claimFor(
  { tx, caller }: Pick<WriteWork, 'tx' | 'caller'>,
  { id }: Pick<WorkItem, 'id'>,
  epoch?: number,
): Promise<Claim | null> {
  const claim = await tx.board.claim(caller.workspace_id, id);
  const held = claim !== null && isHeld(claim, tx.now) ? claim : null;
  const isOwn = held?.principal_id === caller.principal_id;
  if (epoch !== undefined && !(isOwn && held?.epoch === epoch))
    throw claimLost(await taskName(tx, caller.workspace_id, id));
  if (held !== null && !isOwn && caller.kind === 'agent') {
    throw new ErrandError(
      'conflict',
      `Someone else works on task ${await taskName(tx, caller.workspace_id, id)}: they have claimed it.`,
      {
        hint: [
          'Leave it to them.',
          say`${{ tool: 'next_task' }} hands out work of the board that is free.`,
          say`${{ tool: 'get_task' }} says until when this is claimed.`,
        ],
      },
    );
  }
  return held;
}

/** Moves the item back to the waiting state, unless it was moved on since, or an agent still works on it. */
async function putBack(tx: Transaction, within: Within, { work_item_id }: Claim): Promise<void> {
  const row = await tx.board.task(within, work_item_id);
  const item = await tx.workItems.find(within, work_item_id);
  if (row === null || item === null || row.has_in_progress_attempt) return;
  const states = await tx.projects.states(item.workspace_id, item.project_id);
  if (item.state_id === workingState(states)?.id) await enter(tx, item, waitingState(states));
}

/** Whether a lease has expired. */
export const hasExpired = async ({ board }: Reads): Promise<boolean> => (await board.expiredClaims(1)).length > 0;

/** Releases at most `limit` expired claims. Returns how many. */
export async function giveBackExpired(tx: Transaction, limit: number): Promise<number> {
  const expired = await tx.board.expiredClaims(limit);
  const workspace = expired.length === 0 ? null : await tx.workspaces.first();
  for (const claim of expired) {
    await giveBack(tx, claim);
    if (workspace === null || claim.user_id === null) continue;
    await putBack(tx, { workspace_id: workspace.id, project_ids: 'all', user_id: claim.user_id }, claim);
  }
  return expired.length;
}
