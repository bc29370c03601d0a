import type { Caller } from '#domain/caller';
import { type IdempotencyRecord, KEY_LIFETIME_MS } from '#domain/idempotency';
import { ErrandError } from '#errors';
import type { Transaction } from '#store/store';

interface Keyed {
  readonly caller: Caller;
  readonly tool: string;
  readonly key: string;
  readonly args_hash: string;
}

function replay(record: IdempotencyRecord, { tool, args_hash }: Keyed): string {
  if (record.tool !== tool || record.args_hash !== args_hash) {
    throw new ErrandError('idempotency_key_conflict', 'This idempotency_key was used for another call.', {
      hint: 'Use a new key for a new operation, and the old one only to repeat the very same call.',
    });
  }
  if (record.result === null) {
    throw new ErrandError('idempotency_key_in_progress', 'The first call with this idempotency_key still runs.', {
      hint: 'Repeat the call with the same key in a moment.',
      retry_after_ms: 1000,
    });
  }
  return record.result;
}

/**
 * Runs once per key: a repeated call gets the first answer. Lookup, effect and answer share the transaction; apart,
 * two calls at once, or a crash between them, would leave two effects.
 */
export async function once(tx: Transaction, keyed: Keyed, run: () => Promise<string>): Promise<string> {
  const seen = await tx.idempotency.find(keyed.caller.principal_id, keyed.key);
  if (seen !== null) return replay(seen, keyed);

  const json = await run();
  await tx.idempotency.put({
    principal_id: keyed.caller.principal_id,
    key: keyed.key,
    tool: keyed.tool,
    args_hash: keyed.args_hash,
    result: json,
    created_at: tx.now,
    expires_at: tx.now + KEY_LIFETIME_MS,
  });
  return json;
}
