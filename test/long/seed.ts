import { env } from 'node:process';

/** The seed of all random choices. The titles contain it, so that a failed run can be repeated. */
export const SEED = Number(env.ERRAND_SEED ?? Date.now() % 1_000_000);
