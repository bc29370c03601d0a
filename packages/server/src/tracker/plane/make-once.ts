import { KEY_LIFETIME_MS } from '#domain/idempotency';
import { Changed } from './answers.ts';
import type { PlaneClient } from './plane-client.ts';

const SOURCE = 'errand';
const MAX_TRIES = 5;

interface Making<T> {
  readonly path: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly operation_id: string;
  /** How long the id names this thing, and nothing else. */
  readonly lifetime_ms?: number;
  readonly read: (id: string) => Promise<T | null>;
}

/**
 * Creates something in Plane under the id of its operation, or finds it: then an earlier call created it, whose answer
 * was lost. A thing older than the lifetime of keys belongs to an earlier use of the same key, and does not count.
 */
export async function makeOnce<T extends { readonly created_at: number }>(
  { post, failures, clock }: PlaneClient,
  { path, body, operation_id, lifetime_ms = KEY_LIFETIME_MS, read }: Making<T>,
): Promise<T> {
  for (let use = 1; use <= MAX_TRIES; use++) {
    const external_id = use === 1 ? operation_id : `${operation_id}:${use}`;
    const outcome = await post(Changed, path, { ...body, external_source: SOURCE, external_id });
    const thing = await read('made' in outcome ? outcome.made.id : outcome.existing_id);
    if (thing !== null && ('made' in outcome || clock() - thing.created_at < lifetime_ms)) return thing;
    if ('made' in outcome) break;
  }
  throw failures.notThere();
}
