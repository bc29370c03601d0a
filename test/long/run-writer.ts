import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { createLedger, type Ledger } from '../e2e/durability/writers.ts';
import { cleanEnvironment } from '../e2e/program.ts';
import type { Plant } from './plants.ts';

const WRITER = join(import.meta.dirname, 'writer.ts');
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/errand-long');

export interface WriterOptions {
  readonly path: string;
  readonly writes: number;
  readonly seed: number;
  /** How often a failing write is sent in total. */
  readonly tries: number;
  readonly plant?: Plant | undefined;
}

/** The writer's message about one answer. */
export type WriterAnswer =
  | { readonly key: string; readonly task_id: string }
  | { readonly key: string; readonly code: string; readonly retryable: boolean };

export interface Written {
  readonly ledger: Ledger;
  /** How often a write was refused with an error that is allowed for a failing disk. */
  readonly refused: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export const keysOf = (writes: number): readonly string[] => Array.from({ length: writes }, (_, i) => `key ${i}`);

/** Records an answer. A key that is answered twice must get the same answer. */
export function enter(ledger: Ledger, answer: WriterAnswer): void {
  if ('code' in answer) {
    if (answer.code === 'DATABASE_ERROR' && answer.retryable) return;
    ledger.faults.push(`${answer.key}: refused with ${answer.code}`);
    return;
  }
  const first = ledger.acked.get(answer.key);
  if (first !== undefined && first !== answer.task_id)
    ledger.faults.push(`${answer.key}: answered as ${first} and as ${answer.task_id}`);
  ledger.acked.set(answer.key, answer.task_id);
  ledger.unacked.delete(answer.key);
}

/** Runs the writer to its end, under strace when arguments for it are given. */
export async function runWriter(options: WriterOptions, strace: readonly string[] = []): Promise<Written> {
  const command = [execPath, '--disable-warning=ExperimentalWarning', WRITER, JSON.stringify(options)];
  const [program = '', ...args] = strace.length === 0 ? command : ['strace', ...strace, ...command];
  const child = spawn(program, args, {
    // Compiled code that is cached between the runs makes the start much faster.
    env: cleanEnvironment({ NODE_COMPILE_CACHE: COMPILED }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;

  const ledger = createLedger();
  for (const key of keysOf(options.writes)) ledger.unacked.add(key);
  let refused = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as WriterAnswer;
    if ('code' in answer) refused++;
    enter(ledger, answer);
  }
  const [code, signal] = await closed;
  return { ledger, refused, code, signal };
}
