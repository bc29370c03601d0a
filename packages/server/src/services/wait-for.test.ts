import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { waitFor } from './wait-for.ts';

/** A store in which the test announces commits, and pauses that the test ends. */
function aSite() {
  const listeners = new Set<() => void>();
  const pauses = new Map<number, () => void>();
  return {
    commit: () => {
      for (const listener of listeners) listener();
    },
    /** Ends the pause of this many milliseconds. */
    pass: (ms: number) => pauses.get(ms)?.(),
    listeners,
    pauses,
    needs: {
      watch: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      pause: (ms: number, signal?: AbortSignal) =>
        // The short pauses that gather a burst of commits pass by themselves.
        ms < 100
          ? sleep(0)
          : new Promise<void>((resolve) => {
              const end = () => {
                pauses.delete(ms);
                resolve();
              };
              pauses.set(ms, end);
              signal?.addEventListener('abort', end);
            }),
    },
  };
}

describe('waitFor', () => {
  it('returns at once a value that is there already', async () => {
    const { needs } = aSite();

    expect(await waitFor(needs, async () => 'there', 1_000)).toBe('there');
  });

  it('looks again after a commit, also after one that came while it looked', async () => {
    const site = aSite();
    let looks = 0;
    const found = await waitFor(
      site.needs,
      async () => {
        looks += 1;
        if (looks < 3) site.commit();
        return looks === 3 ? 'found' : null;
      },
      1_000,
    );

    expect(found).toBe('found');
  });

  it('looks a last time when the time is over, and answers null', async () => {
    const site = aSite();
    let looks = 0;
    const waiting = waitFor(
      site.needs,
      async () => {
        looks += 1;
        site.pass(1_000);
        return null;
      },
      1_000,
    );

    expect(await waiting).toBeNull();
    expect(looks).toBe(2);
  });

  it('does not wait when there is no time', async () => {
    const { needs } = aSite();

    expect(await waitFor(needs, async () => null, 0)).toBeNull();
  });

  it('ends when the caller is gone', async () => {
    const site = aSite();
    const caller = new AbortController();
    const waiting = waitFor(
      site.needs,
      async () => {
        caller.abort();
        return null;
      },
      1_000,
      caller.signal,
    );

    expect(await waiting).toBeNull();
  });

  it.each(['found', 'failed'])('leaves neither a listener nor a pause behind when it has %s', async (how) => {
    const site = aSite();
    const waiting = waitFor(
      site.needs,
      async () => {
        if (how === 'failed') throw new Error('the database is away');
        return how;
      },
      1_000,
    );

    await waiting.catch(() => undefined);

    expect(site.listeners.size + site.pauses.size).toBe(0);
  });
});
