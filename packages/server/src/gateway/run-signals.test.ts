import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createWorld } from '#testing/world';
import { createRunSignals } from './run-signals.ts';

const LONG_MS = 60_000;
const { signal: never } = new AbortController();

/** Two attempts, each with a signal that has fired for the changes so far. */
async function twoSignals() {
  const world = await createWorld();
  const board = await aBoard(world);
  await aWorker(world);
  const ids = [String((await board.start()).attempt_id), String((await board.start()).attempt_id)] as const;
  const signals = createRunSignals(world.store);
  const [first, second, both] = [signals.open([ids[0]]), signals.open([ids[1]]), signals.open(ids)];
  const change = (attempt_id: string) => world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'Go on.' });
  await change(ids[0]);
  await Promise.all([first, second, both].map((one) => one.next(LONG_MS, never)));
  return { world, ids, first, second, both, change, [Symbol.asyncDispose]: () => world.store.close() };
}

describe('the signal of an attempt', () => {
  it('fires for changes of its attempt, not for those of another', async () => {
    await using place = await twoSignals();
    const heard: string[] = [];
    const second = place.second.next(LONG_MS, never).then(() => heard.push('second'));

    await place.change(place.ids[0]);
    await place.first.next(LONG_MS, never);
    await setImmediate();
    heard.push('first');
    await place.change(place.ids[1]);
    await second;

    expect(heard).toEqual(['first', 'second']);
  });

  it('fires for a change of any of several attempts', async () => {
    await using place = await twoSignals();

    // Three times: one signal may be left from the changes before.
    for (const id of [...place.ids, ...place.ids, ...place.ids]) {
      await place.change(id);
      await place.both.next(LONG_MS, never);
    }
  });

  it('fires when rights change, because they may be the follower’s', async () => {
    await using place = await twoSignals();

    await place.world.ask('admin_add_user', { name: 'Ada' });

    await Promise.all([place.first.next(LONG_MS, never), place.second.next(LONG_MS, never)]);
  });

  it('fires for a change that came before the wait', async () => {
    await using place = await twoSignals();

    await place.change(place.ids[1]);
    await place.change(place.ids[0]);
    await place.first.next(LONG_MS, never);

    await place.second.next(LONG_MS, never);
  });

  it('ends with the signal', async () => {
    await using place = await twoSignals();
    const over = new AbortController();

    const waiting = place.first.next(LONG_MS, over.signal);
    over.abort();

    await expect(waiting).rejects.toThrow();
  });
});
