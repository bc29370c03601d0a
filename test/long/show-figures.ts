import { stdout } from 'node:process';
import { SEED } from './seed.ts';

/** Prints what a proof counted, also when it succeeds. */
export const showFigures = (title: string, figures: Readonly<Record<string, unknown>>): void =>
  void stdout.write(`${title} (seed ${SEED}): ${JSON.stringify(figures)}\n`);
