import { hash } from 'node:crypto';
import { appPrincipal } from '#domain/app';
import { type IdempotencyRecord, KEY_LIFETIME_MS } from '#domain/idempotency';
import type { ProjectId } from '#domain/ids';
import { ErrandError } from '#errors';
import type { Reads, Transaction } from '#store/store';
import type { Admitted } from './admit.ts';
import { authorizeProject } from './authorize.ts';
import { fingerprint } from './fingerprint.ts';

/** A call with an idempotency key. The same principal repeats it under the same key. */
export interface Keyed {
  readonly principal_id: string;
  readonly key: string;
  readonly args_hash: string;
  /** Throws when the caller may not do this in the project now, even if the first call was allowed. */
  readonly authorize: (project: ProjectId) => void;
}

/** The longest time of a call outside of a transaction. After that its process counts as dead. */
const MAX_CALL_MS = 120_000;

/** Null for a call without a key. */
export function keyedOf({ call, input, named, needed }: Admitted): Keyed | null {
  const { idempotency_key: key } = input;
  if (typeof key !== 'string') return null;
  return {
    // An app keeps its keys when its token is replaced, and each of its users has keys of their own.
    principal_id: typeof named === 'string' ? call.caller.principal_id : appPrincipal(named),
    key,
    args_hash: fingerprint(call.tool.full_name, input),
    authorize: (project) => void authorizeProject(call, needed, project),
  };
}

/** The id of the operation in other systems, which must not see idempotency keys. After a key was released, it gets another id. */
export const operationId = ({ principal_id, key, args_hash }: Keyed): string =>
  hash('sha256', `${principal_id}\n${args_hash}\n${key}`);

const conflict = (): ErrandError =>
  new ErrandError('idempotency_key_conflict', 'This idempotency_key was used for another call.', {
    hint: 'Use a new key for a new operation, and the old one only to repeat the very same call.',
  });

const inProgress = (): ErrandError =>
  new ErrandError('idempotency_key_in_progress', 'The first call with this idempotency_key still runs.', {
    hint: 'Repeat the call with the same key in a moment.',
    retry_after_ms: 1000,
  });

function replay(record: IdempotencyRecord, { args_hash, authorize }: Keyed): string {
  if (!args_hash.startsWith(record.args_hash)) throw conflict();
  if (record.result === null) throw inProgress();
  if (record.project_id !== null) authorize(record.project_id);
  return record.result;
}

const recordOf = (
  { authorize: _, ...keyed }: Keyed,
  now: number,
  { result, project_id }: Pick<IdempotencyRecord, 'result' | 'project_id'>,
): IdempotencyRecord => ({
  ...keyed,
  result,
  project_id,
  created_at: now,
  expires_at: now + (result === null ? MAX_CALL_MS : KEY_LIFETIME_MS),
});

/** The answer of a call, and its project. */
export interface Answered {
  readonly json: string;
  readonly project_id: ProjectId | null;
}

type Found = Promise<IdempotencyRecord | null>;

/** Asks for the first answer of a call, before it is needed: on Postgres the question shares a round trip with others. */
export function firstAnswer(tx: Transaction, { principal_id, key }: Keyed): Found {
  const found = tx.idempotency.find(principal_id, key);
  // A call that is refused before it needs the answer must not leave an error that nobody takes.
  found.catch(() => {});
  return found;
}

/**
 * Runs once per key: a repeated call gets the first answer. Lookup, effect and answer share one transaction. Without it,
 * two simultaneous calls, or a crash, could cause two effects.
 */
export async function once(
  tx: Transaction,
  keyed: Keyed,
  { found, run }: { readonly found: Found; readonly run: () => Promise<Answered> },
): Promise<string> {
  const seen = await found;
  if (seen !== null) return replay(seen, keyed);

  const { json, project_id } = await run();
  await tx.idempotency.put(recordOf(keyed, tx.now, { result: json, project_id }));
  return json;
}

/**
 * Reserves the key for a call outside of a transaction. Returns when it was reserved, or the first answer if there is one. A call
 * that `joins` finds its own work again by the operation, so it goes on beside the first call, whose process may be gone.
 */
export async function begin(
  tx: Transaction,
  keyed: Keyed,
  { joins = false }: { readonly joins?: boolean } = {},
): Promise<{ readonly at: number } | { readonly json: string }> {
  const seen = await tx.idempotency.find(keyed.principal_id, keyed.key);
  const isOpen = seen?.result === null && keyed.args_hash.startsWith(seen.args_hash);
  if (seen !== null && joins && isOpen) return { at: seen.created_at };
  if (seen !== null) return { json: replay(seen, keyed) };
  await tx.idempotency.put(recordOf(keyed, tx.now, { result: null, project_id: null }));
  return { at: tx.now };
}

/** Stores the answer of the call for which `begin` reserved the key at that time. */
export const finish = (tx: Transaction, keyed: Keyed, at: number, { json, project_id }: Answered): Promise<void> =>
  tx.idempotency.complete({ ...recordOf(keyed, tx.now, { result: json, project_id }), created_at: at });

/** Releases the key of a failed call, so that the caller can retry. */
export const release = (tx: Transaction, { principal_id, key }: Keyed, at: number): Promise<void> =>
  tx.idempotency.release({ principal_id, key, created_at: at });

/** Refuses to start a call while the first one with its key has not been answered. */
export function createKeyTurns() {
  const running = new Map<string, string>();

  return async (reads: Reads, keyed: Keyed, run: () => Promise<string>): Promise<string> => {
    const { principal_id, key, args_hash } = keyed;
    const name = `${principal_id}\n${key}`;
    const first = running.get(name);
    if (first !== undefined) {
      // The running call may itself be a repetition. Then the first answer exists, and this call gets it too.
      if ((await reads.idempotency.find(principal_id, key)) === null) {
        throw first === args_hash ? inProgress() : conflict();
      }
      return run();
    }

    running.set(name, args_hash);
    try {
      return await run();
    } finally {
      running.delete(name);
    }
  };
}
