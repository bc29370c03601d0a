import type { NewId } from '#domain/ids';
import type { RunQueue } from '#services/runs/queue';
import type { RunLog } from '#services/runs/run-log';
import type { RunMessages } from '#services/runs/run-messages';
import type { ChecksConfig } from './checks-config.ts';
import type { ConcurrencyLimit } from './concurrency.ts';
import type { Executors } from './executors/create-executors.ts';
import type { AttemptFolders } from './git/attempt-folders.ts';
import type { Machine } from './process/machine.ts';
import type { Processes } from './process/processes.ts';

/** What a worker gives to each of its runs. */
export interface RunNeeds {
  readonly queue: RunQueue;
  readonly log: RunLog;
  readonly messages: RunMessages;
  readonly processes: Processes;
  readonly attemptFolders: AttemptFolders;
  readonly executors: Executors;
  /** The operator's checks of projects and repositories. */
  readonly checks: ChecksConfig;
  readonly machine: Machine;
  readonly ids: NewId;
  readonly clock: () => number;
  /** The environment of this process; a run gets the allowed part of it. */
  readonly env: NodeJS.ProcessEnv;
  /** The address at which agents reach Errand. */
  readonly url: string;
  /** Bounds how many git commands run at once: each takes the whole machine and delays the server. */
  readonly limitGit: ConcurrencyLimit;
  readonly report: (error: unknown) => void;
}
