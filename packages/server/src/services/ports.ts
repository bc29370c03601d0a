import type { Limits } from '#domain/limits';
import type { Cursors } from './cursors.ts';

/** What services need besides the store: all of it replaceable by something counted and fixed. */
export interface Ports {
  readonly ids: () => string;
  /** The machine's time, for showing what has ended; what may still be used is decided by the store's. */
  readonly clock: () => number;
  /** Resolves after so many milliseconds, or when the signal is aborted; never awaited in a transaction. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly cursors: Cursors;
  readonly limits: Limits;
  /** Whether a folder of this machine holds a git repository. Synchronous: a transaction waits for nothing but the store. */
  readonly isRepository: (path: string) => boolean;
  /** Whether a branch of the repository has a commit to begin from. */
  readonly hasCommits: (path: string) => boolean;
  /** The branch that is checked out in a repository; null when there is none. Synchronous like the other. */
  readonly headBranch: (path: string) => string | null;
}
