import { type Claim, isHeld } from '#domain/claim';
import type { WorkItem } from '#domain/work-item';
import type { Transaction } from '#store/store';

/** Releases the item. The epoch stays, because the next claim must have a higher one. */
export const giveBack = (tx: Transaction, claim: Claim): Promise<void> =>
  tx.board.putClaim({ ...claim, principal_id: null, user_id: null, agent_id: null });

/** Ends the claim on an item, of any caller: the item was moved to a state without work. */
export async function endClaim(
  tx: Transaction,
  { id, workspace_id }: Pick<WorkItem, 'id' | 'workspace_id'>,
): Promise<void> {
  const claim = await tx.board.claim(workspace_id, id);
  if (claim !== null && isHeld(claim, tx.now)) await giveBack(tx, claim);
}
