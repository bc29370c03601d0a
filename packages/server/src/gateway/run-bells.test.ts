import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createWorld } from '#testing/world';
import { createRunBells } from './run-bells.ts';

const LONG_MS = 60_000;
const { signal: never } = new AbortController();

/** Two attempts with a bell for each, which have rung for whatever came before. */
async function twoBells() {
  const world = await createWorld();
  const board = await aBoard(world);
  await aWorker(world);
  const ids = [String((await board.start()).attempt_id), String((await board.start()).attempt_id)] as const;
  const bells = createRunBells(world.store);
  const [first, second] = [bells.open(ids[0]), bells.open(ids[1])];
  const change = (attempt_id: string) => world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'Go on.' });
  await change(ids[0]);
  await Promise.all([first.next(LONG_MS, never), second.next(LONG_MS, never)]);
  return { world, ids, first, second, change, [Symbol.asyncDispose]: () => world.store.close() };
}

describe('the bell of an attempt', () => {
  it('rings for its own changes, and not for those of others', async () => {
    await using place = await twoBells();
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

  it('rings when someone’s rights change, which may be theirs who listen', async () => {
    await using place = await twoBells();

    await place.world.ask('admin_add_user', { name: 'Ada' });

    await Promise.all([place.first.next(LONG_MS, never), place.second.next(LONG_MS, never)]);
  });

  it('rings for what came while nobody waited for it', async () => {
    await using place = await twoBells();

    await place.change(place.ids[1]);
    await place.change(place.ids[0]);
    await place.first.next(LONG_MS, never);

    await place.second.next(LONG_MS, never);
  });

  it('ends with the signal', async () => {
    await using place = await twoBells();
    const over = new AbortController();

    const waiting = place.first.next(LONG_MS, over.signal);
    over.abort();

    await expect(waiting).rejects.toThrow();
  });
});
