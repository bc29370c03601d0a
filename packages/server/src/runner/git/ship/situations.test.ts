import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IS_LONG, times } from '../../../../../../test/e2e/counts.ts';
import type { Mode, TargetPlace, Twist } from './testing/draft.ts';
import { PLACES } from './testing/draft.ts';
import { FINE } from './testing/fine-twists.ts';
import { expectedOf, judge } from './testing/judge-situation.ts';
import { makeSituation } from './testing/make-situation.ts';
import { REFUSED } from './testing/refused-twists.ts';
import { aShipBed } from './testing/ship-bed.ts';

const MODES: readonly Mode[] = ['merge', 'squash', 'rebase', 'attempt', 'pr'];

async function faultsOf(place: TargetPlace, mode: Mode, twists: readonly Twist[]): Promise<readonly string[]> {
  await using bed = await aShipBed();
  const situation = makeSituation(bed.folder, place, twists);
  return await judge(bed.needs, situation, mode, expectedOf(twists, situation, mode));
}

const placeOf = (twist: Twist): TargetPlace => PLACES.find((place) => !twist.not?.includes(place)) ?? 'here';

describe('a merge changes nothing', () => {
  const some = REFUSED.filter(({ is_alike }) => IS_LONG || is_alike !== true);
  it.each(some.map((twist, at) => [twist.name, twist, MODES[at % 3] ?? 'merge'] as const))(
    'with %s',
    async (_, twist, mode) => {
      expect(await faultsOf(placeOf(twist), mode, [twist])).toEqual([]);
    },
  );
});

describe('a merge gives what git gives', () => {
  const size = times({ whole: 3, part: 5 });
  const hands = Array.from({ length: Math.ceil(FINE.length / size) }, (_, at) =>
    FINE.slice(at * size, (at + 1) * size),
  );
  it.each(hands.map((twists, at) => [twists.map(({ name }) => name).join(', '), twists, at] as const))(
    'with %s',
    async (_, twists, at) => {
      const fitting = PLACES.filter((place) => twists.every(({ not }) => !not?.includes(place)));
      const place = fitting[at % 2 === 0 ? 0 : at % fitting.length] ?? 'here';
      expect(await faultsOf(place, MODES[at % 5] ?? 'merge', twists)).toEqual([]);
    },
  );
});

describe('any mixture of situations', () => {
  const aSituation = fc.record({
    place: fc.constantFrom(...PLACES),
    twists: fc.tuple(
      fc.uniqueArray(fc.constantFrom(...FINE), { maxLength: 4 }),
      fc.uniqueArray(fc.constantFrom(...REFUSED), { maxLength: 1 }),
    ),
  });
  const count = times({ whole: 1_000, part: 1 });
  const sample = fc.sample(aSituation, { numRuns: count, seed: 14 });

  // The modes in turn: two hundred of each in a long run.
  it.each(sample.map((one, at) => [at, one] as const))('keeps the promise (%i)', async (at, { place, twists }) => {
    const mode = MODES[at % MODES.length] ?? 'merge';
    const fitting = twists.flat().filter(({ not }) => !not?.includes(place));
    const said = [place, mode, ...fitting.map(({ name }) => name)];
    expect([said, await faultsOf(place, mode, fitting)]).toEqual([said, []]);
  });
});
