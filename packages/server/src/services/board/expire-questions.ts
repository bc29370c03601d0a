import type { Approval } from '#domain/approval';
import type { State } from '#domain/project';
import type { WorkItem } from '#domain/work-item';
import { emitQuestion } from '#services/attempts/attempt-events';
import type { Transaction } from '#store/store';

async function expire(tx: Transaction, questions: readonly Approval[]): Promise<void> {
  for (const question of questions) {
    if (question.origin !== 'tool') continue;
    const expired: Approval = { ...question, status: 'expired', answered_at: tx.now };
    await tx.approvals.update(expired);
    await emitQuestion(tx, 'updated', expired);
  }
}

/** The task enters a state of this group. When that is its end, the questions about it expire. */
export async function expireQuestionsIn(
  tx: Transaction,
  group: State['state_group'],
  item: Pick<WorkItem, 'id' | 'workspace_id'>,
): Promise<void> {
  if (group === 'completed' || group === 'cancelled') await expire(tx, await tx.approvals.openOfItem(item));
}
