import { env } from 'node:process';

/** True under `npm run test:long`, which runs with full counts where `npm test` uses a part. */
export const IS_LONG = env.ERRAND_TEST_LONG === '1';

/** How often a test repeats its action. */
export const times = ({ whole, part }: { readonly whole: number; readonly part: number }): number =>
  IS_LONG ? whole : part;
