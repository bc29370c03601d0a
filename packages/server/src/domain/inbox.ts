import type { ApprovalId, AttemptId, RunId } from './ids.ts';

/** Why something waits for a person. */
export const INBOX_KINDS = ['question', 'permission', 'review', 'failed', 'stalled', 'job'] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/** More of one kind are not counted: nobody works on as many. */
export const MAX_INBOX_COUNTED = 1_000;

/** Something that waits for a person. */
export interface InboxRow {
  /** The question, attempt, run or git job. */
  readonly id: string;
  readonly kind: InboxKind;
  readonly since: number;
  readonly task_key: string | null;
  readonly attempt_id: AttemptId | null;
  readonly attempt_key: string | null;
  readonly approval_id: ApprovalId | null;
  /** The run that asks or is stalled; null for others. */
  readonly execution_id: RunId | null;
  readonly title: string | null;
  /** The question, or why the run failed; null for neither. */
  readonly text: string | null;
  /** More text about a question, such as the command; null for none. */
  readonly details: string | null;
  /** JSON of `ApprovalOption[]`; null for what is no question. */
  readonly options: string | null;
  /** The agent, or the executor that was started; null for a person. */
  readonly by: { readonly id: string; readonly name: string } | null;
  /** JSON of `DetailLayout` of the task; null for all but reviews. */
  readonly layout: string | null;
  /** JSON of `ChangedFile[]` of each repository; empty for all but reviews. */
  readonly files: readonly { readonly files: string | null }[];
  /** When the claim of a stalled run returns; null for others. */
  readonly lease_until: number | null;
}
