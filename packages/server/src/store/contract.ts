import { describe } from 'vitest';
import { describeAccess } from './contract/access.ts';
import type { OpenFixture } from './contract/fixture.ts';
import { describeJournal } from './contract/journal.ts';
import { describeTransactions } from './contract/transactions.ts';
import { describeWorkItems } from './contract/work-items.ts';

/** The port's promises as tests: a backend is a backend when these pass. */
export function describeStore(name: string, open: OpenFixture): void {
  describe(`store: ${name}`, () => {
    describeTransactions(open);
    describeAccess(open);
    describeWorkItems(open);
    describeJournal(open);
  });
}
