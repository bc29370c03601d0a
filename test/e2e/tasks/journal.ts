import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** An event in order. Each line is written before the next event happens. */
export type Entry = { readonly owner_id: string; readonly epoch: number } & (
  | { readonly kind: 'effect'; readonly step: string }
  /** A write that the store accepted. */
  | { readonly kind: 'write'; readonly version: number; readonly steps: readonly string[]; readonly ended: boolean }
  /** The worker is about to be killed or stopped. */
  | { readonly kind: 'gone' }
);

export interface Journal {
  readonly add: (entry: Entry) => void;
  readonly read: () => readonly Entry[];
}

/** Opens a file outside of the store that all processes of a run share. */
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
