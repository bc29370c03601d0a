import fc from 'fast-check';

const CHANGES = ['say', 'set', 'ask', 'hold', 'release', 'finish'] as const;
export type Change = (typeof CHANGES)[number];

/** A random command for a store. Numbers pick one of the tasks that exist when the command runs. */
export type Command =
  | {
      readonly act: 'insert';
      readonly owner: number;
      readonly tool: number;
      readonly quota: number;
      readonly life: 'short' | 'long' | 'endless';
      /** True to use the id of an existing task. */
      readonly twin: boolean;
      readonly held: boolean;
    }
  | { readonly act: 'get'; readonly owner: number; readonly pick: number }
  | {
      readonly act: 'replace';
      readonly pick: number;
      /** True to write as another owner. */
      readonly foreign: boolean;
      /** The version step: 1 is right, 0 is outdated, 2 is too new. */
      readonly step: number;
      readonly change: Change;
      readonly quiet: boolean;
    }
  | { readonly act: 'list'; readonly owner: number; readonly after: number | null; readonly limit: number }
  | {
      readonly act: 'claim';
      readonly worker: number;
      readonly tools: readonly number[];
      readonly lease: 'short' | 'long';
      readonly limit: number;
    }
  | { readonly act: 'sweep'; readonly limit: number }
  /** Tenths of the duration of short TTLs and leases. */
  | { readonly act: 'pass'; readonly tenths: number };

const owner = fc.nat(2);
const pick = fc.nat(11);

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('insert' as const),
      owner,
      tool: fc.nat(1),
      quota: fc.constantFrom(1, 2, 3, 5, 1_000),
      life: fc.constantFrom('short' as const, 'long' as const, 'long' as const, 'endless' as const),
      twin: fc.nat(5).map((n) => n === 5),
      held: fc.nat(3).map((n) => n === 3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('get' as const), owner, pick }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('replace' as const),
      pick,
      foreign: fc.nat(7).map((n) => n === 7),
      step: fc.constantFrom(1, 1, 1, 0, 2),
      change: fc.constantFrom(...CHANGES),
      quiet: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('list' as const),
      owner,
      after: fc.option(pick),
      limit: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('claim' as const),
      worker: fc.nat(2),
      tools: fc.subarray([0, 1, 2]),
      lease: fc.constantFrom('short' as const, 'long' as const),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('sweep' as const), limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('pass' as const), tenths: fc.integer({ min: 1, max: 10 }) }) },
);
