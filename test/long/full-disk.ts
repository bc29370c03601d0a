import { setTimeout as sleep } from 'node:timers/promises';
import { createLedger, type Ledger } from '../e2e/durability/writers.ts';
import { bearer, send, sendJson } from '../e2e/http.ts';
import { enter, type WriterAnswer } from './run-writer.ts';
import type { SmallDisk } from './small-disk.ts';

export interface FullDisk {
  readonly disk: SmallDisk;
  readonly origin: string;
  readonly token: string;
  readonly fillings: number;
  /** How many tasks are added each time the disk has room. */
  readonly writes: number;
}

export interface FullDiskReport {
  readonly ledger: Ledger;
  /** How many writes were refused each time the disk was full. */
  readonly refused: readonly number[];
  /** The statuses that readers got while the disk was full. */
  readonly reads: ReadonlySet<number>;
}

const AT_ONCE = 4;
const REFUSALS = 8;
const HEALS_WITHIN_MS = 10_000;
const BETWEEN_TRIES_MS = 50;
// A log file that was larger before takes many writes without new space.
const MAX_WRITES = 3_000;

/** Fills and frees the disk of a server, and records its answers. */
export async function fillAndFree({ disk, origin, token, fillings, writes }: FullDisk): Promise<FullDiskReport> {
  const ledger = createLedger();
  const refused: number[] = [];
  const reads = new Set<number>();
  let made = 0;

  const add = async (key: string): Promise<boolean> => {
    ledger.unacked.add(key);
    const body = { user_id: 'me', title: key, idempotency_key: key };
    const { status, text } = await sendJson(origin, '/api/v1/tools/todo_add_task', token, body);
    const answer = JSON.parse(text) as { task_id: string; error?: { code: string; retryable: boolean } };
    const entry: WriterAnswer =
      answer.error === undefined ? { key, task_id: answer.task_id } : { key, ...answer.error };
    enter(ledger, entry);
    return status === 201;
  };
  const newKeys = (count: number): readonly string[] => Array.from({ length: count }, () => `key ${made++}`);
  // Send refused keys again before new ones: otherwise more and more keys would wait for the space of a small disk.
  const someKeys = (): readonly string[] => {
    const waiting = [...ledger.unacked].slice(0, AT_ONCE);
    return [...waiting, ...newKeys(AT_ONCE - waiting.length)];
  };

  const addUntilAnswered = async (key: string): Promise<void> => {
    const give_up_at = performance.now() + HEALS_WITHIN_MS;
    while (!(await add(key))) {
      if (performance.now() > give_up_at) throw new Error(`${key} is refused though there is room.`);
      await sleep(BETWEEN_TRIES_MS);
    }
  };

  for (let filling = 0; filling < fillings; filling++) {
    for (const key of [...ledger.unacked, ...newKeys(writes)]) await addUntilAnswered(key);
    await disk.fill();
    let failed = 0;
    for (let sent = 0; failed < REFUSALS && sent < MAX_WRITES; sent += AT_ONCE) {
      failed += (await Promise.all(someKeys().map(add))).filter((ok) => !ok).length;
    }
    refused.push(failed);
    const path = '/api/v1/todo/tasks?user_id=me&limit=1';
    reads.add((await send(origin, { method: 'GET', path, headers: bearer(token) })).status);
    await disk.free();
  }
  for (const key of [...ledger.unacked]) await addUntilAnswered(key);
  return { ledger, refused, reads };
}
