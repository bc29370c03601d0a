import type { Attempt } from '#domain/attempt';
import type { CommentPlace } from '#domain/carry';
import type { ReviewCommentId } from '#domain/ids';
import type { ReviewComment } from '#domain/review';
import type { Reads, Store, Transaction } from '#store/store';
import { attemptOfRun } from './finish.ts';
import { type Hold, heldRun } from './held-run.ts';

/** The place of a comment in a later commit. */
export interface CarriedComment extends CommentPlace {
  readonly id: ReviewCommentId;
  /** The commit of the place before. */
  readonly from: string;
  readonly to: string;
}

/** Those that are not resolved. */
export const openComments = async (
  reads: Pick<Reads, 'reviews'>,
  attempt: Pick<Attempt, 'id' | 'workspace_id'>,
): Promise<readonly ReviewComment[]> =>
  (await reads.reviews.ofAttempt(attempt)).filter(({ status }) => status !== 'resolved');

/** Writes the new places. A comment that another has carried along since then is left. */
export async function writeCarried(
  tx: Transaction,
  attempt: Pick<Attempt, 'id' | 'workspace_id'>,
  carried: readonly CarriedComment[],
): Promise<void> {
  if (carried.length === 0) return;
  const comments = new Map((await tx.reviews.ofAttempt(attempt)).map((comment) => [comment.id, comment]));
  for (const { id, from, to, path, line, is_outdated } of carried) {
    const comment = comments.get(id);
    if (comment === undefined || comment.current_commit !== from) continue;
    await tx.reviews.update({ ...comment, current_path: path, current_line: line, current_commit: to, is_outdated });
  }
}

/** The comments on the changes of an attempt, for the worker that commits its next changes. */
export const createCarriedComments = ({ reads, transaction }: Pick<Store, 'reads' | 'transaction'>) => ({
  openComments: (attempt: Pick<Attempt, 'id' | 'workspace_id'>) => openComments(reads, attempt),

  noteCarried: (hold: Hold, carried: readonly CarriedComment[]): Promise<void> =>
    transaction(async (tx) => writeCarried(tx, await attemptOfRun(tx, await heldRun(tx, hold)), carried)),
});
