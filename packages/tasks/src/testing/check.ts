import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, TaskStore } from '#store';
import type { TaskRecord } from '#task';

/** How a check comes by stores. */
export interface StoreSetup {
  /** A fresh, empty store each time. */
  readonly open: () => Promise<TaskStore>;
  /** Another object on the data of the store that was opened last; absent where nothing can be shared. */
  readonly second?: (() => Promise<TaskStore>) | undefined;
  /** Moves the clock of the opened stores, also back; without it the checks wait. */
  readonly advance?: ((ms: number) => Promise<void>) | undefined;
  /** How long a claim may overlook a task, where it searches an index that follows late; 0 unless given. */
  readonly claim_within_ms?: number | undefined;
}

/** One promise of SPEC.md that a store either keeps or breaks. */
export interface StoreCheck {
  /** Begins with the rules and requirements that it proves, in brackets; a gap in any of them leaves it out. */
  readonly title: string;
  /** True for what can be seen through two objects only. */
  readonly shared?: boolean;
  /** Rejects when the promise is broken. */
  readonly run: (setup: StoreSetup) => Promise<void>;
}

/** What a check proves, by the title. */
export const citedBy = ({ title }: StoreCheck): readonly string[] =>
  /^\[([^\]]*)\]/.exec(title)?.[1]?.split(', ') ?? [];

/** A clock that cannot be moved is waited for with some slack: the backend's own may be behind ours. */
const SLACK_MS = 25;

/** Returns when the store's clock has gone on by so much. */
export async function passTime(setup: StoreSetup, store: TaskStore, ms: number): Promise<void> {
  if (setup.advance) return setup.advance(ms);
  const until = store.now() + ms + SLACK_MS;
  while (store.now() < until) await sleep(Math.max(1, until - store.now()));
}

/** Opens the store and, where there can be one, a second object on the same data, for checks that race through both. */
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

/** Claims until as many are there as can be, or the index had its time. */
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

/** Waits for something that comes by itself, such as a signal; the check that follows says what is missing. */
export async function eventually(seen: () => boolean): Promise<void> {
  const until = performance.now() + 5_000;
  while (!seen() && performance.now() < until) await sleep(5);
}

/** Alternates between the two objects of a pair. */
export const turns = <T>([first, second]: readonly [T, T], index: number): T => (index % 2 === 0 ? first : second);
