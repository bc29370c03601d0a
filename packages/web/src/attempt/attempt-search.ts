import type { Filter } from './feed/turns.ts';

/** What the address of an attempt keeps. */
export interface AttemptSearch {
  readonly tab?: 'feed' | 'changes' | 'details' | undefined;
  /** The number of the chosen step; without it the newest is followed. */
  readonly step?: number | undefined;
  /** The run that the timeline shows; the latest unless given. */
  readonly run?: string | undefined;
  /** What the feed shows. */
  readonly kind?: Exclude<Filter, 'all'> | undefined;
  readonly file?: string | undefined;
  readonly split?: true | undefined;
}

const TABS: readonly unknown[] = ['feed', 'changes', 'details'];
const KINDS: readonly unknown[] = ['messages', 'tools', 'commands', 'edits', 'questions'];

/** Reads what an address says. What it does not know, it leaves out: a mistyped address still opens the page. */
export function attemptSearch(given: Readonly<Record<string, unknown>>): AttemptSearch {
  const { tab, step, run, kind, file, split } = given;
  return {
    // Safe: they are in the lists above.
    ...(TABS.includes(tab) && { tab: tab as NonNullable<AttemptSearch['tab']> }),
    ...(KINDS.includes(kind) && { kind: kind as NonNullable<AttemptSearch['kind']> }),
    ...(typeof step === 'number' && Number.isSafeInteger(step) && step > 0 && { step }),
    ...(typeof run === 'string' && run !== '' && { run }),
    ...(typeof file === 'string' && file !== '' && { file }),
    ...(split === true && { split }),
  };
}
