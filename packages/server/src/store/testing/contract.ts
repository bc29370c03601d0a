import { describe } from 'vitest';
import { describeAccess } from './contract/access.ts';
import { describeAppUsers } from './contract/app-users.ts';
import { describeAttempts } from './contract/attempts.ts';
import { describeAudit } from './contract/audit.ts';
import { describeBoard } from './contract/board.ts';
import { describeClientSessions } from './contract/client-sessions.ts';
import { describeDependencies } from './contract/dependencies.ts';
import { describeEvents } from './contract/events.ts';
import type { OpenFixture } from './contract/fixture.ts';
import { describeGrowth } from './contract/growth.ts';
import { describeJournal } from './contract/journal.ts';
import { describeNames } from './contract/names.ts';
import { describeOwners } from './contract/owners.ts';
import { describePresented } from './contract/presented.ts';
import { describeRunQueue } from './contract/run-queue.ts';
import { describeRunVisibility } from './contract/run-visibility.ts';
import { describeRuns } from './contract/runs.ts';
import { describeSearch } from './contract/search.ts';
import { describeSessions } from './contract/sessions.ts';
import { describeSignIns } from './contract/sign-ins.ts';
import { describeSteps } from './contract/steps.ts';
import { describeTeams } from './contract/teams.ts';
import { describeTracker } from './contract/tracker.ts';
import { describeTransactions } from './contract/transactions.ts';
import { describeWatch } from './contract/watch.ts';
import { describeWorkItems } from './contract/work-items.ts';

/** The store's promises as tests. Every backend must pass them. */
export function describeStore(name: string, open: OpenFixture): void {
  describe(`store: ${name}`, () => {
    describeTransactions(open);
    describeAccess(open);
    describeAppUsers(open);
    describeTeams(open);
    describePresented(open);
    describeSignIns(open);
    describeWorkItems(open);
    describeTracker(open);
    describeSearch(open);
    describeJournal(open);
    describeGrowth(open);
    describeAudit(open);
    describeRuns(open);
    describeRunVisibility(open);
    describeSteps(open);
    describeBoard(open);
    describeDependencies(open);
    describeAttempts(open);
    describeNames(open);
    describeOwners(open);
    describeSessions(open);
    describeClientSessions(open);
    describeRunQueue(open);
    describeEvents(open);
    describeWatch(open);
  });
}
