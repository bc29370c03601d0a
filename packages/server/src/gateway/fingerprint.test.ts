import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../../test/e2e/counts.ts';
import { fingerprint } from './fingerprint.ts';

const json = fc.jsonValue({ maxDepth: 4 });
const args = fc.dictionary(fc.string(), json, { maxKeys: 6 });

/** The same value with the keys of every object the other way round. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, field]) => [key, reversed(field)]),
  );
}

/** Equality as JSON sees it: -0 is 0. */
const same = (a: unknown, b: unknown): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length && left.every(([key, value]) => Object.hasOwn(b, key) && same(value, b[key as never]))
  );
};

describe('a fingerprint', () => {
  it('[TSK-47] is the same whatever order the keys come in, and whatever the idempotency key', () => {
    fc.assert(
      fc.property(args, (given) => {
        const other = { ...(reversed(given) as Record<string, unknown>), idempotency_key: 'another' };

        expect(fingerprint('tool', other)).toBe(fingerprint('tool', { ...given, idempotency_key: 'one' }));
      }),
      { numRuns: times({ whole: 5_000, part: 1_000 }) },
    );
  });

  it('[TSK-47] differs for other arguments and for another tool', () => {
    fc.assert(
      fc.property(args, args, (a, b) => {
        fc.pre(!same({ ...a, idempotency_key: 0 }, { ...b, idempotency_key: 0 }));

        expect(fingerprint('tool', a)).not.toBe(fingerprint('tool', b));
        expect(fingerprint('tool', a)).not.toBe(fingerprint('other', a));
      }),
      { numRuns: times({ whole: 10_000, part: 2_000 }) },
    );
  });
});
