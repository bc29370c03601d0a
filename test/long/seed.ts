import { env } from 'node:process';

/** Of every choice in a run: named in the titles, so that a run which found something can be run again. */
export const SEED = Number(env.ERRAND_SEED ?? Date.now() % 1_000_000);
