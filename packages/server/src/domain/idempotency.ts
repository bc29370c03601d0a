import type { ProjectId } from './ids.ts';

/** What became of the first call with a key. */
export interface IdempotencyRecord {
  readonly principal_id: string;
  readonly key: string;
  readonly tool: string;
  readonly args_hash: string;
  /** The answer that was given, as JSON; null while the first call still runs. */
  readonly result: string | null;
  /** The project that it was about: whoever no longer reaches it is not shown the answer again. */
  readonly project_id: ProjectId | null;
  readonly created_at: number;
  readonly expires_at: number;
}

export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
