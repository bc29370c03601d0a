import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_LONG, times } from '../../../../../../test/e2e/counts.ts';
import { endPreparation, mergeAfter, stepsOfPreparation } from './testing/kill-preparation.ts';
import type { Round, Stage } from './testing/kill-round.ts';
import { aStage, play, stepsOf } from './testing/kill-round.ts';
import type { Person } from './testing/persons.ts';
import { PERSONS } from './testing/persons.ts';

/** Before these steps nothing differs from the step before. */
const READS =
  /git (?:rev-parse|config|merge-base|worktree|ls-files|diff-index|diff-files|diff-tree|check-attr|symbolic-ref|for-each-ref|rev-list|cat-file)|^after|scratch|attributes|copy of/;
/** Before these only a scratch folder differs. */
const SCRATCH_ONLY = /git update-index|end of scratch/;

const changing = (names: readonly string[], skips = READS) =>
  names.flatMap((name, at) => (skips.test(name) ? [] : [at + 1]));

/** A long run plays some hundred rounds in one test. */
const TIMEOUT_MS = times({ whole: 3_600_000, part: 60_000 });

const isDeciding = (name = ''): boolean => name === 'before git checkout-index';

async function faultsOf(stage: Stage, rounds: readonly Round[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const round of rounds) {
    const faults = await play(stage, round);
    if (faults.length > 0) found.push({ ...round, person: round.person?.name, faults });
  }
  return found;
}

const SETS = [
  { count: 1, mode: 'merge', every: 2 },
  { count: IS_LONG ? 3 : 2, mode: 'squash', every: 30 },
  ...(IS_LONG ? ([{ count: 3, mode: 'rebase', every: 1 }] as const) : []),
] as const;

describe.each(SETS)('a kill between any two steps of a $mode ($count repositories)', ({ count, mode, every }) => {
  let stage: Stage;
  let names: readonly string[];
  beforeAll(async () => {
    stage = await aStage(count, mode);
    names = await stepsOf(stage);
  });
  afterAll(() => stage[Symbol.asyncDispose]());
  const some = () =>
    changing(names)
      .filter((at) => IS_LONG || !SCRATCH_ONLY.test(names[at - 1] ?? ''))
      .filter((_, at) => IS_LONG || at % every === 0);
  // In `npm test` every second step has one of the three kinds of round; in `test:long` every kind, with every person or, in
  // several repositories, with three of them in turn.
  const isTurn = (turn: number, kind: number) => IS_LONG || turn % 3 === kind;
  const persons = (all: readonly Person[], turn: number) =>
    Array.from(
      { length: times({ whole: count === 1 ? all.length : 3, part: 1 }) },
      (_, at) => all[((IS_LONG ? turn : Math.floor(turn / 3)) + at) % all.length] ?? null,
    );

  it(
    'is completed by the next worker',
    async () => {
      const rounds = some().flatMap((at, turn) => (isTurn(turn, 0) ? [{ at, is_killed: true, person: null }] : []));
      expect(rounds.length).toBeGreaterThan(0);
      expect(await faultsOf(stage, rounds)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.runIf(IS_LONG || count === 1)(
    'is completed after a real kill -9',
    async () => {
      const steps = changing(names).filter((at) => IS_LONG || isDeciding(names[at - 1]));
      const rounds = steps.map((at) => ({ at, is_killed: true, person: null, is_real: true }));
      expect(rounds.length).toBeGreaterThan(0);
      expect(await faultsOf(stage, rounds)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'loses nothing of a person who works in between',
    async () => {
      const rounds = some().flatMap((at, turn) =>
        isTurn(turn, 1)
          ? persons(PERSONS, turn).map((person, more) => ({ at, is_killed: true, person, where: turn + more }))
          : [],
      );
      expect(await faultsOf(stage, rounds)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'needs no kill: a person may work at any step',
    async () => {
      const safe = PERSONS.filter(({ is_safe_at_any_time }) => is_safe_at_any_time);
      const rounds = some().flatMap((at, turn) =>
        isTurn(turn, 2)
          ? persons(safe, turn).map((person, more) => ({ at, is_killed: false, person, where: turn + more }))
          : [],
      );
      expect(await faultsOf(stage, rounds)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.runIf(IS_LONG || count === 1)(
    'of the preparation leaves nothing, and the merge can be asked for again',
    async () => {
      const all = await stepsOfPreparation(stage);
      const fetched = all.indexOf('after git fetch') + 1;
      const ends = IS_LONG ? changing(all, /^after/) : [fetched, all.length];
      const found: unknown[] = [];
      for (const at of ends) {
        for (const is_real of IS_LONG ? [false, true] : [false]) {
          const faults = await endPreparation(stage, at, is_real);
          if (faults.length > 0) found.push({ at, step: all[at - 1], is_real, faults });
        }
      }
      expect(found).toEqual([]);
      expect(await mergeAfter(stage, fetched)).toBe('merged');
    },
    TIMEOUT_MS,
  );
});
