import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createWatch } from './watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('reports a number once, whether this process made it or another', async () => {
  let head = 3;
  const watch = createWatch(async () => head);
  const listener = vi.fn();
  watch.add(listener);

  await vi.advanceTimersByTimeAsync(500);
  expect(listener).toHaveBeenCalledTimes(1);
  head = 4;
  watch.changed(4);
  await vi.advanceTimersByTimeAsync(500);
  expect(listener).toHaveBeenCalledTimes(2);

  watch.stop();
});

it('goes on polling after failed queries, one at a time', async () => {
  const slow = Promise.withResolvers<number>();
  const readHead = vi
    .fn(async () => 1)
    .mockRejectedValueOnce(new Error('away'))
    .mockReturnValueOnce(slow.promise);
  const watch = createWatch(readHead);
  const listener = vi.fn();
  watch.add(listener);

  await vi.advanceTimersByTimeAsync(1_000);
  expect(readHead).toHaveBeenCalledTimes(2);
  slow.resolve(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(listener).toHaveBeenCalledOnce();

  watch.stop();
});

it('polls nothing without listeners', async () => {
  const readHead = vi.fn(async () => 0);
  const watch = createWatch(readHead);
  const leave = [watch.add(() => {}), watch.add(() => {})];
  await vi.advanceTimersByTimeAsync(1_000);
  const asked = readHead.mock.calls.length;

  for (const stop of leave) stop();
  await vi.advanceTimersByTimeAsync(1_000);

  expect(asked).toBeGreaterThan(0);
  expect(readHead).toHaveBeenCalledTimes(asked);
});
