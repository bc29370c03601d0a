import type { Amounts, CostsBy, Spending } from '#domain/budget';
import type { AttemptId, WorkspaceId } from '#domain/ids';
import type { Within } from '#domain/reach';

export interface CostsQuery {
  readonly by: CostsBy;
  /** The first and the last day, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** Only runs of this attempt; null for all. */
  readonly attempt_id: AttemptId | null;
  readonly limit: number;
}

/** What the runs of one task, agent, day or project used. */
export interface CostsRow extends Amounts {
  /** The id of the task, agent or project; the day; `executor:NAME` for runs that no agent asked for, `other` for the rest. */
  readonly subject_id: string;
  readonly name: string | null;
  readonly project_key: string | null;
  readonly number: number | null;
  readonly runs: number;
}

/** The read methods about what was used: see `Reads`. */
export interface SpendingReads {
  readonly spending: {
    /** What a subject used on this day, or with null on all days. */
    readonly total: (
      workspace: WorkspaceId,
      subject: Pick<Spending, 'kind' | 'subject_id'>,
      day: string | null,
    ) => Promise<Amounts>;
    /** What runs in these projects used, the dearest first; by day the latest first. */
    readonly report: (within: Within, query: CostsQuery) => Promise<readonly CostsRow[]>;
    /** The same in one sum. */
    readonly reportTotal: (
      within: Within,
      query: Pick<CostsQuery, 'from' | 'to' | 'attempt_id'>,
    ) => Promise<Amounts & Pick<CostsRow, 'runs'>>;
  };
}

/** The write methods about what was used. */
export interface SpendingWrites {
  readonly spending: SpendingReads['spending'] & {
    /** Adds to what the subject used on that day. */
    readonly add: (spending: Spending) => Promise<void>;
  };
}
