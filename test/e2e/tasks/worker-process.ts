import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerOptions } from '../../../packages/tasks/src/tasks.ts';
import { sourceEnvironment } from '../program.ts';
import type { Place } from './place.ts';
import type { Plant } from './plants.ts';
import type { Point } from './watched-store.ts';

/** The instructions for a worker process. */
export interface Order {
  readonly place: Place;
  /** The journal file of the worker. */
  readonly journal: string;
  readonly worker: WorkerOptions;
  readonly poll_interval_ms: number;
  /** True when it claims tasks that it did not create. */
  readonly claims: boolean;
  /** The point at which the worker is killed, paused or waits. */
  readonly at?: { readonly point: Point; readonly act: 'SIGKILL' | 'SIGSTOP' | 'wait' } | undefined;
  readonly plant?: Plant | undefined;
  /** True for a worker without signals, as when its notification connection is lost. */
  readonly deaf?: boolean | undefined;
}

/** A message to a worker process. */
export type Word = { readonly open: Order } | { readonly create: string } | { readonly claims: boolean } | 'go on';

/** A message of a worker process, with the task or owner that it concerns. */
export interface Saying {
  readonly what: 'opened' | 'created' | 'reached' | 'tried' | 'obeyed';
  readonly about: string;
}

export interface WorkerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Waits for a message, and resolves to the task or owner that it concerns. */
  readonly hear: (what: Saying['what'], about?: string) => Promise<string>;
  readonly open: (order: Order) => Promise<void>;
  /** Creates a task of this owner and runs it. Resolves to its id. */
  readonly create: (owner_id: string) => Promise<string>;
  /** Lets the worker claim the tasks of others, or no longer. */
  readonly setClaims: (claims: boolean) => Promise<void>;
  /** Lets a waiting worker continue. */
  readonly goOn: () => void;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Resolves to the signal that ended it, or null. */
  readonly exit: Promise<NodeJS.Signals | null>;
}

/** Below the timeout of a test, so that no process is left behind. */
const PATIENCE_MS = 60_000;
const WORKER = join(import.meta.dirname, 'worker.ts');

export interface StartOptions {
  /** The error of the worker's clock. */
  readonly skew_ms?: number | undefined;
}

/** Starts a process that has loaded its code and waits for its instructions. */
export function startWorker({ skew_ms = 0 }: StartOptions = {}): WorkerProcess {
  const skewed = `data:text/javascript,const{now}=Date;Date.now=()=>now()+${skew_ms}`;
  const child: ChildProcess = fork(WORKER, [], {
    env: sourceEnvironment(),
    execArgv: ['--conditions=errand-source', '--disable-warning=ExperimentalWarning', '--import', skewed],
    // Not inherited: a paused process that is left behind would keep the tester's own output open.
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
  // A caller that waits for a message of an ended process would wait for ever.
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
    setClaims: async (claims) => {
      tell({ claims });
      await hear('obeyed');
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
