import { describe, expect, it } from 'vitest';
import { createRandom } from '../durability/random.ts';
import { findOrder, type Model, type Timed } from './find-order.ts';

/** A call of a register: `wrote`, or what it read; null for a write whose answer never came. */
interface Call extends Timed {
  readonly does: 'write' | 'read' | 'add';
  readonly value: number;
}

const REGISTER: Model<number, Call> = {
  first: 0,
  after: (state, { does, value }) => {
    if (does === 'write') return value;
    // An addition answers the sum.
    if (does === 'add') return value === state + 1 ? value : null;
    return value === state ? state : null;
  },
  nameOf: String,
};

const NEVER = Infinity;
const wrote = (value: number, called: number, returned: number): Call => ({ does: 'write', value, called, returned });
const read = (value: number, called: number, returned: number): Call => ({ does: 'read', value, called, returned });
const added = (value: number, called: number, returned: number): Call => ({ does: 'add', value, called, returned });

const GOOD: readonly (readonly [string, readonly Call[]])[] = [
  ['no call', []],
  ['calls one after another', [wrote(1, 0, 1), read(1, 2, 3), wrote(2, 4, 5), read(2, 6, 7)]],
  ['a read beside a write, of the old value', [wrote(1, 0, 9), read(0, 1, 2)]],
  ['a read beside a write, of the new value', [wrote(1, 0, 9), read(1, 1, 2)]],
  ['two reads beside a write, the old value first', [wrote(1, 0, 9), read(0, 1, 2), read(1, 3, 4)]],
  [
    'writes that overlap, and were made in the other order',
    [wrote(1, 0, 5), wrote(2, 1, 4), read(2, 2, 3), read(1, 6, 7)],
  ],
  ['a write without an answer that happened', [wrote(1, 0, NEVER), read(0, 1, 2), read(1, 3, 4)]],
  ['a write without an answer that never happened', [wrote(1, 0, NEVER), read(0, 1, 2), read(0, 3, 4)]],
  [
    'two writes without an answer, of which the later happened first',
    [wrote(1, 0, NEVER), wrote(2, 1, NEVER), read(2, 2, 3), read(1, 4, 5)],
  ],
  ['additions at once', [added(1, 0, 9), added(2, 0, 9), added(3, 0, 9), read(3, 10, 11)]],
];

const BAD: readonly (readonly [string, readonly Call[]])[] = [
  ['a read of what was never written', [wrote(1, 0, 1), read(2, 2, 3)]],
  ['a read of the old value after the write', [wrote(1, 0, 1), read(0, 2, 3)]],
  ['a value that was seen and then not yet there', [wrote(1, 0, 9), read(1, 1, 2), read(0, 3, 4)]],
  ['a lost write', [wrote(1, 0, 1), wrote(2, 2, 3), read(1, 4, 5)]],
  ['two additions with one sum', [added(1, 0, 5), added(1, 1, 4)]],
  ['a lost addition', [added(1, 0, 1), added(2, 2, 3), read(1, 4, 5)]],
  ['a write without an answer that was read before it began', [read(1, 0, 1), wrote(1, 2, NEVER)]],
  ['a write without an answer that happened twice', [wrote(1, 0, NEVER), read(1, 1, 2), wrote(2, 3, 4), read(1, 5, 6)]],
];

describe('the search for an order', () => {
  it.each(GOOD)('finds one of %s', (_, calls) => {
    const order = findOrder(calls, REGISTER);

    expect(order).not.toBeNull();
    // No call comes before one that was over when it began.
    for (const [i, call] of (order ?? []).entries())
      expect((order ?? []).slice(i).filter(({ returned }) => returned < call.called)).toEqual([]);
  });

  it.each(BAD)('finds none of %s', (_, calls) => {
    expect(findOrder(calls, REGISTER)).toBeNull();
  });

  it('agrees with trying every order, on small histories by chance', () => {
    const random = createRandom(7);
    const verdicts = { good: 0, bad: 0 };

    for (let round = 0; round < 2_000; round++) {
      const calls = Array.from({ length: random.between(1, 5) }, (): Call => {
        const called = random.between(0, 8);
        const returned = random.next() < 0.2 ? NEVER : called + random.between(1, 5);
        const does = (['write', 'read', 'add'] as const)[random.between(0, 2)] ?? 'read';
        // Nobody knows what a read without an answer saw.
        return {
          does: does === 'read' && returned === NEVER ? 'write' : does,
          value: random.between(0, 2),
          called,
          returned,
        };
      });
      const expected = hasOrder(calls, 0);
      expect(findOrder(calls, REGISTER) !== null).toBe(expected);
      verdicts[expected ? 'good' : 'bad'] += 1;
    }

    expect(Math.min(verdicts.good, verdicts.bad)).toBeGreaterThan(200);
  });
});

/** Tries every order. */
function hasOrder(left: readonly Call[], state: number): boolean {
  if (left.every(({ returned }) => returned === NEVER)) return true;
  const earliest = Math.min(...left.map(({ returned }) => returned));
  return left.some((call) => {
    if (call.called > earliest) return false;
    const next = REGISTER.after(state, call);
    return (
      next !== null &&
      hasOrder(
        left.filter((other) => other !== call),
        next,
      )
    );
  });
}
