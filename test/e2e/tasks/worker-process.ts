import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerOptions } from '../../../packages/tasks/src/tasks.ts';
import { cleanEnvironment } from '../program.ts';
import type { Place } from './place.ts';
import type { Plant } from './plants.ts';
import type { Point } from './watched-store.ts';

/** How a worker process is to work. */
export interface Order {
  readonly place: Place;
  /** The file in which it notes what happens. */
  readonly journal: string;
  readonly worker: WorkerOptions;
  readonly poll_interval_ms: number;
  /** Whether it takes tasks that it did not make. */
  readonly claims: boolean;
  /** What becomes of it, and where in the life of a task. */
  readonly at?: { readonly point: Point; readonly act: 'SIGKILL' | 'SIGSTOP' | 'wait' } | undefined;
  readonly plant?: Plant | undefined;
  /** Without signals, as when the connection that carries them is lost. */
  readonly deaf?: boolean | undefined;
}

/** What a worker process is told. */
export type Word = { readonly open: Order } | { readonly create: string } | 'go on';

/** What it says, with the task or the owner that it is about. */
export interface Saying {
  readonly what: 'opened' | 'created' | 'reached' | 'tried';
  readonly about: string;
}

export interface WorkerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Resolves to what it is about, once it is said. */
  readonly hear: (what: Saying['what'], about?: string) => Promise<string>;
  readonly open: (order: Order) => Promise<void>;
  /** Makes a task of this owner and works on it; resolves to its id. */
  readonly create: (owner_id: string) => Promise<string>;
  /** Lets a worker that waits go on. */
  readonly goOn: () => void;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Resolves to the signal that ended it, or null. */
  readonly exit: Promise<NodeJS.Signals | null>;
}

/** Below the limit of a test, so that no process is left behind. */
const PATIENCE_MS = 20_000;
const WORKER = join(import.meta.dirname, 'worker.ts');

export interface StartOptions {
  /** Compiled code is kept there between starts. */
  readonly folder: string;
  /** How wrong the clock of its machine is. */
  readonly skew_ms?: number | undefined;
}

/** A process that has loaded its code and waits for its order. */
export function startWorker({ folder, skew_ms = 0 }: StartOptions): WorkerProcess {
  const skewed = `data:text/javascript,const{now}=Date;Date.now=()=>now()+${skew_ms}`;
  const child: ChildProcess = fork(WORKER, [], {
    env: cleanEnvironment({ NODE_COMPILE_CACHE: join(folder, 'code') }),
    execArgv: ['--conditions=errand-source', '--disable-warning=ExperimentalWarning', '--import', skewed],
    // Not inherited: one that is left behind stopped would keep the tester's own output open.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.stderr?.pipe(process.stderr, { end: false });
  const exit = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const said: Saying[] = [];
  let wake = Promise.withResolvers<void>();
  child.on('message', (saying: Saying) => {
    said.push(saying);
    wake.resolve();
    wake = Promise.withResolvers();
  });
  // Whoever waits for a word of a process that is gone would wait for ever.
  let isGone = false;
  child.once('exit', () => {
    isGone = true;
    wake.resolve();
  });

  const hear = async (what: Saying['what'], about?: string): Promise<string> => {
    const give_up_at = performance.now() + PATIENCE_MS;
    for (;;) {
      const index = said.findIndex((saying) => saying.what === what && saying.about === (about ?? saying.about));
      const [saying] = index < 0 ? [] : said.splice(index, 1);
      if (saying !== undefined) return saying.about;
      if (isGone) throw new Error(`The worker ended before it was "${what}".`);
      if (performance.now() > give_up_at) throw new Error(`The worker was not "${what}" in time.`);
      await Promise.race([wake.promise, sleep(1_000)]);
    }
  };
  const tell = (word: Word): void => {
    child.send(word);
  };

  return {
    pid: child.pid ?? 0,
    hear,
    open: async (order) => {
      tell({ open: order });
      await hear('opened');
    },
    create: (owner_id) => {
      tell({ create: owner_id });
      return hear('created');
    },
    goOn: () => tell('go on'),
    signal: (signal) => void child.kill(signal),
    exit,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
