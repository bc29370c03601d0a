import type { StoreCheck } from './check.ts';
import { CLAIMS } from './checks/claims.ts';
import { CLOCK } from './checks/clock.ts';
import { COMPARISON } from './checks/comparison.ts';
import { HISTORIES } from './checks/histories.ts';
import { QUOTA } from './checks/quota.ts';
import { READS } from './checks/reads.ts';
import { SIGNALS } from './checks/signals.ts';
import { SWEEPS } from './checks/sweeps.ts';
import { TEXTS_AND_NUMBERS } from './checks/texts.ts';
import { WRITES } from './checks/writes.ts';

/** All checks of a store, roughly in the order of SPEC.md. */
export const CHECKS: readonly StoreCheck[] = [
  ...WRITES,
  ...READS,
  ...QUOTA,
  ...CLAIMS,
  ...SWEEPS,
  ...SIGNALS,
  ...TEXTS_AND_NUMBERS,
  ...CLOCK,
  ...HISTORIES,
  ...COMPARISON,
];
