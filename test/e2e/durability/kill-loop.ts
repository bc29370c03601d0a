import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { cleanEnvironment, sourceEnvironment } from '../program.ts';
import { judge } from './oracle.ts';
import type { Plant } from './planted-store.ts';
import { createRandom } from './random.ts';
import { createLedger, type Ledger, settle, type Write, writeUntilGone } from './writers.ts';

const SERVER = join(import.meta.dirname, 'lean-server.ts');

export interface KillLoop {
  readonly data: string;
  /** The Postgres URL; without it, the SQLite file in `data` is used. */
  readonly database_url?: string | undefined;
  readonly token: string;
  readonly cycles: number;
  readonly seed: number;
  readonly plant?: Plant;
  /** The writers' action; they add todos by default. */
  readonly does?: Write;
}

export interface Verdict {
  readonly faults: readonly string[];
  readonly acked: number;
  /** Cycles in which at least one write was answered before the kill. */
  readonly productive: number;
}

/** Starts a server process that loads its code and waits for a message before it opens the data. */
export function prepare({
  data,
  database_url,
  plant,
}: Pick<KillLoop, 'data' | 'database_url' | 'plant'>): ChildProcess {
  const args = [data, ...(plant === undefined ? [] : [plant])];
  const child = fork(SERVER, args, {
    env: (plant === undefined ? cleanEnvironment : sourceEnvironment)(
      database_url === undefined ? {} : { ERRAND_DATABASE_URL: database_url },
    ),
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  // At its time limit a test ends before its loop does: a server that is left keeps the test run from ending.
  onTestFinished(() => end(child));
  return child;
}

/** Lets the server open the data. Returns the address that it announces. */
export async function open(child: ChildProcess): Promise<string> {
  if (hasEnded(child)) throw new Error('The server has ended.');
  const announced = Promise.withResolvers<string>();
  child.once('exit', (code) => announced.reject(new Error(`The server ended with ${code}.`)));
  // The announcement is the first line; the log follows it.
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', announced.resolve);
  child.send('open');
  const { mcp } = JSON.parse(await announced.promise) as { mcp: string };
  return new URL(mcp).origin;
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

export async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Starts a server, kills it during writes, and restarts it on the same data, repeatedly. Then checks the rows. */
export async function killLoop(loop: KillLoop): Promise<Verdict> {
  const random = createRandom(loop.seed);
  const ledger: Ledger = createLedger();
  let productive = 0;
  let server = prepare(loop);
  let next = server;
  try {
    for (let cycle = 0; cycle < loop.cycles; cycle++) {
      server = next;
      const origin = await open(server);
      next = prepare(loop);
      const before = ledger.acked.size;
      const writing = writeUntilGone({ origin, token: loop.token, does: loop.does }, ledger, random, cycle);
      // Most kills hit a working server. Every fifth may come before its first answer.
      if (cycle % 5 !== 0) await Promise.race([writing.answered, writing.done]);
      await sleep(random.between(3, 28));
      await end(server);
      await writing.done;
      if (ledger.acked.size > before) productive++;
      // Check for a planted fault after every cycle: one detection is enough.
      if (loop.plant !== undefined && (await judge(loop.data, ledger, loop.database_url)).length > 0) break;
    }
    await settle({ origin: await open(next), token: loop.token, does: loop.does }, ledger);
  } finally {
    await Promise.all([end(server), end(next)]);
  }
  return { faults: await judge(loop.data, ledger, loop.database_url), acked: ledger.acked.size, productive };
}
