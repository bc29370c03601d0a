import type { Attempt } from '#domain/attempt';
import { emitApproval } from '#services/attempts/attempt-events';
import type { Transaction } from '#store/store';
import { cancelAll } from './follow-ups.ts';
import { cancelUnread } from './messages.ts';

/** Takes back what waits for the agent of an attempt that is over: follow-ups and messages, and the questions that it asked. */
export async function takeBackWaiting(tx: Transaction, attempt: Attempt): Promise<void> {
  await cancelAll(tx, attempt);
  await cancelUnread(tx, attempt);
  for (const approval of await tx.approvals.pending(attempt)) {
    const expired = { ...approval, status: 'expired', answered_at: tx.now } as const;
    await tx.approvals.update(expired);
    await emitApproval(tx, 'updated', attempt, expired);
  }
}
