import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../durability/random.ts';
import { judgeBoard } from './judge-board.ts';
import { type LaunchedServer, launchServer } from './launch.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { Plant } from './plants.ts';
import { createPlayer } from './player.ts';
import { settle } from './settle.ts';
import type { Site } from './site.ts';
import { createTalk } from './talk.ts';

export interface Kills {
  readonly kills: number;
  /** How many players start agents at the same time. */
  readonly players: number;
  readonly seed: number;
  readonly plant?: Plant;
  /** True (the default) when some calls are MCP tasks, whose own leases expire half a minute after a kill. */
  readonly as_tasks?: boolean;
}

/** How many kills hit runs that were being prepared, were running, were asking, or had follow-ups waiting. */
export type Met = Record<'preparing' | 'running' | 'asking' | 'waiting', number>;

export interface Verdict {
  readonly faults: readonly string[];
  readonly met: Met;
  readonly runs: number;
}

const RUNNER = { max_runs: 4 };
const SIGN_WITHIN_MS = 10_000;
const LOOK_MS = 5;

/** The events before a kill, so that every part of a run is hit. Most are notes of the agents. */
const SIGNS = ['answer', 'start', 'prompt', 'prompt', 'question', 'end', 'end', 'nothing'] as const;
type Sign = (typeof SIGNS)[number];

const SEEN_AFTER_KILL = `
  select
    (select count(*) from executions join runs on runs.execution_id = executions.id
      where status = 'running' and spawned_at is null) as preparing,
    (select count(*) from executions join runs on runs.execution_id = executions.id
      where status = 'running' and spawned_at is not null) as running,
    (select count(*) from approvals where status = 'pending') as asking,
    (select count(*) from queued_prompts where status = 'queued') as waiting`;

const MAX_MORE_KILLS = 5;
const PARTS = ['preparing', 'running', 'asking', 'waiting'] as const;

async function waitFor(sign: Sign, { agents, database }: Site, ledger: Ledger): Promise<void> {
  if (sign === 'nothing') return;
  const count = async (): Promise<number> => {
    if (sign === 'question') return Number((await database.rows('select count(*) as n from approvals'))[0]?.n);
    return sign === 'answer' ? ledger.answered : agents.count(sign);
  };
  const before = await count();
  const end = Date.now() + SIGN_WITHIN_MS;
  while ((await count()) === before && Date.now() < end) await sleep(LOOK_MS);
}

async function noteWhatWasMet({ database }: Site, met: Met): Promise<void> {
  const [counts] = await database.rows(SEEN_AFTER_KILL);
  for (const part of PARTS) if (Number(counts?.[part]) > 0) met[part] += 1;
}

/** Lets players work on a server that is killed and restarted repeatedly, waits for the end, and checks the result. */
export async function killBoard(site: Site, { kills, players, seed, plant, as_tasks = true }: Kills): Promise<Verdict> {
  const random: Random = createRandom(seed);
  const ledger = createLedger();
  const met: Met = { preparing: 0, running: 0, asking: 0, waiting: 0 };
  let serving = Promise.withResolvers<string>();
  let isOver = false;
  const talk = createTalk(() => serving.promise, site.token);

  const start = async (isolation: 'auto' | 'off'): Promise<LaunchedServer> => {
    await site.configure(site.place.data, { ...RUNNER, isolation });
    return launchServer({ place: site.place, plant });
  };
  const playing = Array.from({ length: players }, async (_, index) => {
    const own = createRandom(seed + index + 1);
    const player = createPlayer({ name: `p${index}`, site, talk, ledger, random: own, as_tasks });
    while (!isOver) {
      await player.turn();
      await sleep(own.between(50, 300));
    }
  });

  // A few kills by chance may all meet a server without a running agent: some more follow then.
  for (let kill = 0; kill < kills || (met.running === 0 && kill < kills + MAX_MORE_KILLS); kill++) {
    // Without namespaces only Errand itself ends the processes that an agent leaves behind.
    await using server = await start(kill % 2 === 0 ? 'off' : 'auto');
    serving.resolve(server.origin);
    await waitFor(SIGNS[random.between(0, SIGNS.length - 1)] ?? 'nothing', site, ledger);
    await sleep(random.between(0, 300));
    serving = Promise.withResolvers();
    await server.kill();
    await noteWhatWasMet(site, met);
  }

  await using server = await start('off');
  serving.resolve(server.origin);
  isOver = true;
  await Promise.all(playing);
  const unsettled = await settle(site, talk, ledger, plant === undefined ? 120_000 : 15_000);
  const faults = [
    ...ledger.faults,
    ...unsettled,
    ...(await judgeBoard(site, { origin: server.origin, talk, ledger, roots: [site.place.data] })),
  ];
  return { faults, met, runs: site.agents.count('start') };
}
