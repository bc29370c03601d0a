import { env } from 'node:process';

/** Whether `npm run test:long` runs these tests: it proves with whole counts what `npm test` proves with a part. */
export const IS_LONG = env.ERRAND_TEST_LONG === '1';

/** How often a test repeats what it does. */
export const times = ({ whole, part }: { readonly whole: number; readonly part: number }): number =>
  IS_LONG ? whole : part;
