import type { Attempt } from '#domain/attempt';
import type { Check } from '#domain/check';

/** The read methods about checks: see `Reads`. */
export interface CheckReads {
  readonly checks: {
    /** The checks of the attempt's latest run that had any, in their order. */
    readonly ofAttempt: (attempt: Pick<Attempt, 'id' | 'workspace_id'>) => Promise<readonly Check[]>;
  };
}

/** The write methods about checks. */
export interface CheckWrites {
  readonly checks: CheckReads['checks'] & {
    readonly insert: (check: Check) => Promise<void>;
  };
}
