import type { ProjectId } from './ids.ts';

/** The result of the first call with an idempotency key. */
export interface IdempotencyRecord {
  readonly principal_id: string;
  readonly key: string;
  /** The fingerprint of the tool and its arguments; of a stored record the first half may be all there is. */
  readonly args_hash: string;
  /** The answer as JSON; null while the first call still runs. */
  readonly result: string | null;
  /** The project of the call. A caller that no longer reaches it does not get the answer again. */
  readonly project_id: ProjectId | null;
  readonly created_at: number;
  readonly expires_at: number;
}

/** The key of a record. */
export type KeyName = Pick<IdempotencyRecord, 'principal_id' | 'key'>;

export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
