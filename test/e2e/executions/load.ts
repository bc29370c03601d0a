import { adminToken } from '../admin.ts';
import { verifyChain } from '../durability/oracle.ts';
import { type Place, serve } from '../program.ts';
import { openDatabase } from '../world.ts';
import { judgeRuns } from './judge-runs.ts';
import { type Kills, killWhileReporting } from './kill-reports.ts';
import { createReports, type Plan, type Reports, reportRuns } from './report-runs.ts';

/** Checks the stored rows and the chain of the audit trail. */
async function faultsIn(place: Place, plan: Plan, reports: Reports): Promise<readonly string[]> {
  await using database = openDatabase(place);
  const isWhole = await verifyChain(place.data, place.database_url);
  return [...(await judgeRuns(database, plan, reports)), ...(isWhole ? [] : ['The audit trail is broken.'])];
}

/** Reports all runs of the plan to one server. Returns the faults. */
export async function faultsOfLoad(place: Place, plan: Plan): Promise<readonly string[]> {
  await using server = await serve(place);
  const reports = createReports();
  const reporting = { origin: async () => server.origin, token: await adminToken(place), forgives: false };
  await reportRuns(reporting, plan, reports);
  return faultsIn(place, plan, reports);
}

/** Does the same with a server that is killed repeatedly. Returns the faults, and how many kills hit it at work. */
export async function faultsOfKills(place: Place, kills: Kills) {
  const { reports, productive } = await killWhileReporting(place, kills);
  return { faults: await faultsIn(place, kills.plan, reports), productive };
}
