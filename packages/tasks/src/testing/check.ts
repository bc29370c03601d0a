import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, TaskStore } from '#store';
import type { TaskRecord } from '#task';

/** The ways in which a check opens stores. */
export interface StoreSetup {
  /** Opens a new, empty store each time. */
  readonly open: () => Promise<TaskStore>;
  /** Opens another object on the data of the last opened store; absent when a store cannot be shared. */
  readonly second?: (() => Promise<TaskStore>) | undefined;
  /** Moves the clock of the opened stores, also back. Without it the checks wait for real time. */
  readonly advance?: ((ms: number) => Promise<void>) | undefined;
  /** How long a claim may miss a task because its index is behind; 0 unless given. */
  readonly claim_within_ms?: number | undefined;
}

/** One promise of SPEC.md that a store either keeps or breaks. */
export interface StoreCheck {
  /** The title begins with the proven rules and requirements in brackets. A gap in any of them skips the check. */
  readonly title: string;
  /** True for a check that needs two objects on the same data. */
  readonly shared?: boolean;
  /** Rejects when the promise is broken. */
  readonly run: (setup: StoreSetup) => Promise<void>;
}

/** Returns the rules and requirements in the title of a check. */
export const citedBy = ({ title }: StoreCheck): readonly string[] =>
  /^\[([^\]]*)\]/.exec(title)?.[1]?.split(', ') ?? [];

/** Additional wait when the clock cannot be moved: the backend's clock may be behind ours. */
const SLACK_MS = 25;

/** Returns when the store's clock has advanced by `ms`. */
export async function passTime(setup: StoreSetup, store: TaskStore, ms: number): Promise<void> {
  if (setup.advance) return setup.advance(ms);
  const until = store.now() + ms + SLACK_MS;
  while (store.now() < until) await sleep(Math.max(1, until - store.now()));
}

/** Opens the store and, if possible, a second object on the same data, for checks that race through both. */
export async function openPair(setup: StoreSetup): Promise<readonly [TaskStore, TaskStore] & AsyncDisposable> {
  const first = await setup.open();
  const second = setup.second ? await setup.second() : first;
  const pair: readonly [TaskStore, TaskStore] = [first, second];
  return Object.assign(pair, {
    [Symbol.asyncDispose]: async () => {
      if (second !== first) await second.close();
      await first.close();
    },
  });
}

/** Claims until the expected number of tasks is reached, or the time for the index is over. */
export async function claimAll(
  setup: StoreSetup,
  store: TaskStore,
  claim: Claim,
  expected: number,
): Promise<readonly TaskRecord[]> {
  const claimed = [...(await store.claim(claim))];
  const until = performance.now() + (setup.claim_within_ms ?? 0);
  while (claimed.length < expected && performance.now() < until) {
    await sleep(10);
    claimed.push(...(await store.claim({ ...claim, limit: claim.limit - claimed.length })));
  }
  return claimed;
}

/** Waits for an event such as a signal. It does not throw: the assertion after it says what is missing. */
export async function eventually(seen: () => boolean): Promise<void> {
  const until = performance.now() + 5_000;
  while (!seen() && performance.now() < until) await sleep(5);
}

/** Returns the two objects of a pair in turn. */
export const turns = <T>([first, second]: readonly [T, T], index: number): T => (index % 2 === 0 ? first : second);
