import { join } from 'node:path';
import { createRandom, type Random } from '../durability/random.ts';
import { judgeBoard } from './judge-board.ts';
import { type Launched, launchServer, launchWorker } from './launch.ts';
import { createLedger } from './ledger.ts';
import type { Plant } from './plants.ts';
import { settle } from './settle.ts';
import type { Site } from './site.ts';
import { createRound, type Part, STOPS, WAKES, type Wake } from './stop-round.ts';
import { createTalk } from './talk.ts';

export interface Stops {
  readonly rounds: number;
  readonly seed: number;
  readonly plant?: Plant;
}

export interface StopVerdict {
  readonly faults: readonly string[];
  /** How often a worker was paused in each part of a run. */
  readonly met: Readonly<Record<Part, number>>;
}

/** A very short lease, so that a round takes seconds, but longer than a busy machine delays a heartbeat. */
const RUNNER = { lease_ms: 1_500, max_runs: 4, isolation: 'off' } as const;

const pickFrom = <T>(random: Random, from: readonly [T, ...T[]]): T =>
  from[random.between(0, from.length - 1)] ?? from[0];

/** Returns the workers' folders. For Errand, workers with one folder are one machine, with two folders two machines. */
const foldersOf = ({ folder }: Site, areTogether: boolean): readonly [string, string] =>
  areTogether ? [join(folder, 'both'), join(folder, 'both')] : [join(folder, 'one'), join(folder, 'other')];

async function stopRounds(
  site: Site,
  { rounds, seed, plant }: Stops,
  {
    origin,
    areTogether,
    met,
    faults,
  }: {
    readonly origin: string;
    readonly areTogether: boolean;
    readonly met: Record<Part, number>;
    readonly faults: string[];
  },
): Promise<void> {
  const random = createRandom(seed);
  const talk = createTalk(async () => origin, site.token);
  await using open = new AsyncDisposableStack();
  const starting = foldersOf(site, areTogether).map(async (data): Promise<Launched> => {
    await site.configure(data, RUNNER);
    return open.use(await launchWorker(origin, { place: { ...site.place, data }, plant }));
  });
  const workers = await Promise.all(starting);
  for (let index = 0; index < rounds; index++) {
    const part: Part = STOPS[index % STOPS.length] ?? 'running';
    const wake: Wake = pickFrom(random, WAKES);
    const key = `${areTogether ? 'together' : 'apart'}-${index}`;
    const round = createRound({ site, talk, workers, random, key, part, wake, areTogether });
    const outcome = await round.play();
    met[outcome.part] += 1;
    faults.push(...outcome.faults.map((words) => `${key} (${outcome.part}, woken ${wake}): ${words}`));
  }
  faults.push(...(await settle(site, talk, { tasks: [] }, plant === undefined ? 120_000 : 20_000)));
}

/** Pauses the worker of a run until its lease has expired and others have acted, resumes it, and checks the result. */
export async function stopWorkers(site: Site, stops: Stops): Promise<StopVerdict> {
  const met: Record<Part, number> = { preparing: 0, running: 0, ending: 0, collecting: 0, over: 0 };
  const faults: string[] = [];
  // This server runs no agents, but ends lost runs of others.
  await site.configure(site.place.data, RUNNER, false);
  await using server = await launchServer({ place: site.place, plant: stops.plant });
  const { origin } = server;
  const half = Math.ceil(stops.rounds / 2);
  await stopRounds(site, { ...stops, rounds: half }, { origin, areTogether: true, met, faults });
  await stopRounds(site, { ...stops, rounds: stops.rounds - half }, { origin, areTogether: false, met, faults });
  const talk = createTalk(async () => origin, site.token);
  return {
    faults: [
      ...faults,
      ...(await judgeBoard(site, { origin, talk, ledger: createLedger(), roots: [foldersOf(site, true)[0]] })),
    ],
    met,
  };
}
