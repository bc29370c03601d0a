import { verifyChain } from '../durability/oracle.ts';
import { judgeFollowUps } from './judge-follow-ups.ts';
import { judgeGit } from './judge-git.ts';
import { endProcesses, judgeProcesses } from './judge-processes.ts';
import { judgeAttempts, judgeRuns, judgeScripts, storedRuns } from './judge-runs.ts';
import { judgeTasks } from './judge-tasks.ts';
import { judgeTokens } from './judge-tokens.ts';
import type { Ledger } from './ledger.ts';
import type { Site } from './site.ts';
import type { Talk } from './talk.ts';

interface Judged {
  readonly origin: string;
  readonly talk: Talk;
  readonly ledger: Ledger;
  /** Data folders that contain the folders of attempts. */
  readonly roots: readonly string[];
}

/** Checks the board once nothing runs any more. Returns the broken promises. */
export async function judgeBoard(site: Site, { origin, talk, ledger, roots }: Judged): Promise<readonly string[]> {
  const { database, agents, place, folder } = site;
  const runs = await storedRuns(database, agents);
  const left = judgeProcesses(runs);
  endProcesses(runs);
  return [
    ...(await judgeRuns(database, runs)),
    ...judgeScripts(agents),
    ...(await judgeAttempts(database, runs)),
    ...(await judgeFollowUps(database, runs, ledger)),
    ...(await judgeTasks(talk, ledger, runs)),
    ...(await judgeGit(site, runs, roots)),
    ...left,
    ...(await judgeTokens(origin, folder, runs)),
    ...((await verifyChain(place.data, place.database_url)) ? [] : ['The audit trail is broken.']),
  ];
}
