import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createConcurrencyLimit } from './concurrency.ts';

it('runs no more works at once than the limit, and all of them in the end', async () => {
  const limitGit = createConcurrencyLimit(2);
  let [running, most] = [0, 0];

  const done = await Promise.all(
    [1, 2, 3, 4, 5].map((work) =>
      limitGit(async () => {
        running += 1;
        most = Math.max(most, running);
        await setImmediate();
        running -= 1;
        return work;
      }),
    ),
  );

  expect(done).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

it('gives the turn of a failed work to the next', async () => {
  const limitGit = createConcurrencyLimit(1);
  const failed = limitGit(() => Promise.reject(new Error('no')));

  const next = limitGit(async () => 'done');

  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});

it('runs urgent work before the work that waits', async () => {
  const limitGit = createConcurrencyLimit(1);
  const order: string[] = [];
  const add = (name: string) => async () => void order.push(name);

  await Promise.all([
    limitGit(setImmediate),
    limitGit(add('first')),
    limitGit(add('second')),
    limitGit(add('urgent'), { is_urgent: true }),
  ]);

  expect(order).toEqual(['urgent', 'first', 'second']);
});
