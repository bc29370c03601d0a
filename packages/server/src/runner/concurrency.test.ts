import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from './concurrency.ts';

it('lets no more works go on at once than it was told to, and each in the end', async () => {
  const inTurn = createTurns(2);
  let [running, most] = [0, 0];

  const done = await Promise.all(
    [1, 2, 3, 4, 5].map((work) =>
      inTurn(async () => {
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

it('gives the turn of a work that failed to the next', async () => {
  const inTurn = createTurns(1);
  const failed = inTurn(() => Promise.reject(new Error('no')));

  const next = inTurn(async () => 'done');

  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});

it('lets an urgent work go before those that wait', async () => {
  const inTurn = createTurns(1);
  const order: string[] = [];
  const add = (name: string) => async () => void order.push(name);

  await Promise.all([
    inTurn(setImmediate),
    inTurn(add('first')),
    inTurn(add('second')),
    inTurn(add('urgent'), { is_urgent: true }),
  ]);

  expect(order).toEqual(['urgent', 'first', 'second']);
});
