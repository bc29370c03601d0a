import type { Filter } from './feed/turns.ts';

export const TABS = ['timeline', 'feed', 'changes', 'details'] as const;
export type TabName = (typeof TABS)[number];

/** What the address of an attempt keeps. */
export interface AttemptSearch {
  readonly tab?: TabName | undefined;
  /** The number of the chosen step; without it the newest is followed. */
  readonly step?: number | undefined;
  /** The run that the timeline shows; the latest unless given. */
  readonly run?: string | undefined;
  /** What the feed shows. */
  readonly kind?: Exclude<Filter, 'all'> | undefined;
  readonly file?: string | undefined;
  readonly split?: true | undefined;
}

const isTab = (value: unknown): value is TabName => TABS.some((tab) => tab === value);
const KINDS: readonly unknown[] = ['messages', 'tools', 'commands', 'edits', 'questions'];

/** Reads what an address says. What it does not know, it leaves out: a mistyped address still opens the page. */
export function attemptSearch(given: Readonly<Record<string, unknown>>): AttemptSearch {
  const { tab, step, run, kind, file, split } = given;
  return {
    ...(isTab(tab) && { tab }),
    // Safe: it is in the list above.
    ...(KINDS.includes(kind) && { kind: kind as NonNullable<AttemptSearch['kind']> }),
    ...(typeof step === 'number' && Number.isSafeInteger(step) && step > 0 && { step }),
    ...(typeof run === 'string' && run !== '' && { run }),
    ...(typeof file === 'string' && file !== '' && { file }),
    ...(split === true && { split }),
  };
}

/** The facts about an attempt when its page opens. */
export interface KnownAttempt {
  /** Undefined until they are read. */
  readonly steps: readonly unknown[] | undefined;
  /** Undefined until it is read. */
  readonly feed: readonly { readonly kind: string }[] | undefined;
  readonly hasEnded: boolean;
}

/**
 * The part that an address without one opens. Many agents report no steps: their timeline is blank, and their feed has
 * everything. Null while nothing speaks for either.
 */
export function firstTab({ steps, feed, hasEnded }: KnownAttempt): 'timeline' | 'feed' | null {
  if (steps === undefined || feed === undefined) return null;
  if (steps.length > 0) return 'timeline';
  return hasEnded || feed.some(({ kind }) => kind !== 'status') ? 'feed' : null;
}
