import { describe, it } from 'vitest';
import type { TaskStore } from '#store';
import { citedBy, type StoreCheck, type StoreSetup } from './check.ts';
import { CHECKS } from './checks.ts';

/** A long timeout: the backends are real, and test machines are busy. */
const TIMEOUT_MS = 60_000;

export interface ContractOptions extends Omit<StoreSetup, 'open'> {
  /** Rules that the backend cannot keep, each with the reason. The report shows them as skipped. */
  readonly gaps?: Readonly<Record<string, string>>;
}

/** Registers the rules of SPEC.md, section "Store", as tests. A backend is complete when they pass. */
export function describeTaskStore(
  name: string,
  open: () => Promise<TaskStore>,
  { gaps = {}, ...rest }: ContractOptions = {},
): void {
  const setup: StoreSetup = { open, ...rest };
  const rules = new Set(CHECKS.flatMap(citedBy));
  const unknown = Object.keys(gaps).filter((rule) => !rules.has(rule));
  if (unknown.length > 0)
    throw new Error(`No check is about ${unknown.join(', ')}: such a gap would leave out nothing.`);

  describe(`task store: ${name}`, () => {
    for (const check of CHECKS) {
      const missing = reasonToSkip(check, setup, gaps);
      if (missing) it.skip(`${check.title} — ${missing}`);
      else it(check.title, () => check.run(setup), TIMEOUT_MS);
    }
  });
}

/** Returns why a check is skipped; undefined when it runs. */
export function reasonToSkip(
  check: StoreCheck,
  { second }: StoreSetup,
  gaps: Readonly<Record<string, string>>,
): string | undefined {
  const gap = citedBy(check).find((rule) => gaps[rule] !== undefined);
  if (gap !== undefined) return gaps[gap];
  return check.shared && !second ? 'nothing is shared with a second object' : undefined;
}
