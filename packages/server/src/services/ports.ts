import type { BudgetsConfig } from '#domain/budget';
import type { CallFigures } from '#domain/call-figures';
import type { NewId } from '#domain/ids';
import type { Limits } from '#domain/limits';
import type { ServerFigures } from '#domain/operations';
import type { Store } from '#store/store';
import type { Cursors } from './cursors.ts';
import type { PasswordCost } from './password-hash.ts';

/** What services need in addition to the store. Tests replace each port by a predictable one. */
export interface Ports {
  readonly ids: NewId;
  /** The machine's time, to show what has ended. The store's time decides what is still valid. */
  readonly clock: () => number;
  /** Resolves after this many milliseconds, or when the signal is aborted. Never await it in a transaction. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back soon after every commit: for calls that wait. */
  readonly watch: Store['watch'];
  readonly cursors: Cursors;
  /** The calls that this process has answered. */
  readonly calls: CallFigures;
  readonly server: ServerFigures;
  /** How much work the hash of a password is. */
  readonly password_cost: PasswordCost;
  /** The version of this program. */
  readonly version: string;
  readonly limits: Limits;
  /** What runs may use, from the operator's configuration. */
  readonly budgets: BudgetsConfig;
  readonly isFolder: (path: string) => boolean;
  /** Whether a folder of this machine is a git repository. Synchronous: a transaction may only wait for the store. */
  readonly isRepository: (path: string) => boolean;
  /** Whether a branch of the repository has a commit to start from. */
  readonly hasCommits: (path: string) => boolean;
  /** The checked-out branch of a repository; null when there is none. Synchronous like `isRepository`. */
  readonly headBranch: (path: string) => string | null;
}
