import { setTimeout as sleep } from 'node:timers/promises';
import { adminToken } from '../admin.ts';
import { end, hasEnded, open, prepare } from '../durability/kill-loop.ts';
import type { Plant } from '../durability/planted-store.ts';
import { createRandom } from '../durability/random.ts';
import type { Place } from '../program.ts';
import { createReports, type Plan, type Reports, reportRuns } from './report-runs.ts';

export interface Kills {
  readonly plan: Plan;
  readonly kills: number;
  readonly seed: number;
  readonly plant?: Plant;
}

interface Outcome {
  readonly reports: Reports;
  /** Kills after the first acknowledged report and before the last. */
  readonly productive: number;
}

/** Runs reporters that repeat the same keys while their server is killed and restarted. */
export async function killWhileReporting(place: Place, { plan, kills, seed, plant }: Kills): Promise<Outcome> {
  const token = await adminToken(place);
  const planted = { ...place, ...(plant !== undefined && { plant }) };
  const random = createRandom(seed);
  const reports = createReports();
  let serving = Promise.withResolvers<string>();
  let isDone = false;
  let productive = 0;
  const reporting = { origin: () => serving.promise, token, forgives: true };
  const all = reportRuns(reporting, plan, reports).then(() => {
    isDone = true;
  });
  let server = prepare(planted);
  let next = server;
  try {
    for (let kill = 0; kill < kills && !isDone; kill++) {
      server = next;
      serving.resolve(await open(server));
      next = prepare(planted);
      const before = reports.acknowledged;
      while (reports.acknowledged === before && !isDone && !hasEnded(server)) await sleep(1);
      await sleep(random.between(0, 30));
      if (!isDone) productive++;
      serving = Promise.withResolvers();
      await end(server);
    }
    serving.resolve(await open(next));
    await all;
  } finally {
    await Promise.all([end(server), end(next)]);
  }
  return { reports, productive };
}
