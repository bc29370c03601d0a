import type { Attempt } from '#domain/attempt';
import type { ReviewCommentId } from '#domain/ids';
import type { Within } from '#domain/reach';
import type { ReviewComment } from '#domain/review';

type OfAttempt = Pick<Attempt, 'id' | 'workspace_id'>;

/** The read methods about comments on the changes of attempts: see `Reads`. */
export interface ReviewReads {
  readonly reviews: {
    /** In the order of their numbers. */
    readonly ofAttempt: (attempt: OfAttempt) => Promise<readonly ReviewComment[]>;
    readonly count: (attempt: OfAttempt) => Promise<number>;
    readonly ofNumber: (attempt: OfAttempt, number: number) => Promise<ReviewComment | null>;
    readonly find: (within: Within, id: ReviewCommentId) => Promise<ReviewComment | null>;
  };
}

/** The write methods about comments on the changes of attempts. */
export interface ReviewWrites {
  readonly reviews: ReviewReads['reviews'] & {
    /** Gives the comment the next number of its attempt. */
    readonly insert: (comment: Omit<ReviewComment, 'number'>) => Promise<ReviewComment>;
    /** Writes status, current place, follow-up, note, and by whom and when it was resolved. */
    readonly update: (comment: ReviewComment) => Promise<void>;
    readonly delete: (comment: Pick<ReviewComment, 'id' | 'workspace_id'>) => Promise<void>;
  };
}
