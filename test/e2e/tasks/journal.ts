import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What happened, in the order in which it did; each line is there before the next thing happens. */
export type Entry = { readonly owner_id: string; readonly epoch: number } & (
  | { readonly kind: 'effect'; readonly step: string }
  /** A write that the store took. */
  | { readonly kind: 'write'; readonly version: number; readonly steps: readonly string[]; readonly ended: boolean }
  /** The worker is about to be killed or stopped. */
  | { readonly kind: 'gone' }
);

export interface Journal {
  readonly add: (entry: Entry) => void;
  readonly read: () => readonly Entry[];
}

/** A file outside of the store, shared by all processes of a run. */
export const openJournal = (path: string): Journal => ({
  add: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`),
  read: () =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Entry)
      : [],
});
