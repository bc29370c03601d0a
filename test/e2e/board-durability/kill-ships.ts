import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../durability/random.ts';
import { errandJson, placeFlags } from '../program.ts';
import { judgeShips } from './judge-ships.ts';
import { launchServer } from './launch.ts';
import type { Plant } from './plants.ts';
import { makeRepository, type Site } from './site.ts';
import { createTalk, type Fields, type Talk } from './talk.ts';

export interface ShipKills {
  readonly kills: number;
  readonly seed: number;
  readonly plant?: Plant;
}

/** How many kills came before the branches moved, while they moved, and at another time. */
export type MetJobs = Record<'none' | 'committing' | 'other', number>;

export interface ShipVerdict {
  readonly faults: readonly string[];
  readonly met: MetJobs;
}

/** An attempt with a change in two repositories, and what its merge was answered. */
export interface Shipped {
  readonly key: string;
  readonly task_id: string;
  readonly attempt_id: string;
  readonly mode: (typeof MODES)[number];
  answer?: Fields;
}

const MODES = ['merge', 'squash', 'rebase'] as const;
const LOOK_MS = 2;
const SIGN_WITHIN_MS = 5_000;
const PATIENCE_MS = 120_000;
/** A planted fault may leave a merge open for ever. */
const PATIENCE_WITH_FAULT_MS = 15_000;

const OPEN_JOBS = `select phase from git_jobs where status in ('queued', 'running')`;

/** What is waited for before a kill: a job of this phase, or a moment. */
const SIGNS = ['none', 'committing', 'committing', 'moment'] as const;

async function waitFor(sign: (typeof SIGNS)[number], { database }: Site): Promise<void> {
  if (sign === 'moment') return;
  const end = Date.now() + SIGN_WITHIN_MS;
  while (Date.now() < end) {
    if ((await database.rows(OPEN_JOBS)).some(({ phase }) => phase === sign)) return;
    await sleep(LOOK_MS);
  }
}

/** Makes attempts that have each written a file of their own in both repositories. */
async function makeAttempts(
  site: Site,
  talk: Talk,
  count: number,
  repo_ids: readonly string[],
): Promise<readonly Shipped[]> {
  const made = Array.from({ length: count }, async (_, index): Promise<Shipped> => {
    const key = `ship-${index}`;
    const value = async (tool: string, args: Fields): Promise<Fields> => {
      const answer = await talk.ask(tool, args);
      if (!answer.ok) throw new Error(`${tool}: ${answer.text}`);
      return answer.value;
    };
    const { task_id } = await value('create_task', { project_id: site.project_id, title: key });
    const prompt = ['shop', 'api'].map((repo) => `write ${repo}/${key}.txt ${key}`).join('\n');
    const repos = repo_ids.map((repo_id) => ({ repo_id }));
    const { attempt_id } = await value('start_task_attempt', { task_id, executor: 'scripted', prompt, repos });
    for (;;) {
      const { run } = await value('get_attempt', { attempt_id });
      if ((run as Fields).ended_at !== null) break;
      await sleep(100);
    }
    return { key, task_id: String(task_id), attempt_id: String(attempt_id), mode: MODES[index % 3] ?? 'merge' };
  });
  return Promise.all(made);
}

/** Asks until the merge has an answer that stays. */
async function ship(talk: Talk, shipped: Shipped, patience_ms: number): Promise<string | null> {
  const { attempt_id, mode, key } = shipped;
  const end = Date.now() + patience_ms;
  for (;;) {
    // With a key or without one: the call that is repeated after a kill finds the same merge.
    const named = mode === 'squash' ? {} : { idempotency_key: key };
    const answer = await talk.ask('merge_attempt', { attempt_id, mode, ...named });
    if (answer.ok) {
      shipped.answer = answer.value;
      return null;
    }
    const isAgain = answer.code === 'merge_in_progress' || answer.code === 'no_worker';
    if (!isAgain || Date.now() > end) return `${key}: answered ${answer.text.slice(0, 300)}`;
    await sleep(50);
  }
}

/** Waits until the folders of a merged attempt are gone. */
async function cleared(talk: Talk, { key, attempt_id }: Shipped, patience_ms: number): Promise<readonly string[]> {
  const end = Date.now() + patience_ms;
  for (;;) {
    const answer = await talk.ask('get_attempt', { attempt_id });
    if (answer.ok && answer.value.folders === 'none') return [];
    if (Date.now() > end) return [`${key}: its folders are still there: ${JSON.stringify(answer).slice(0, 300)}`];
    await sleep(100);
  }
}

/** Merges attempts at two repositories on a server that is killed and restarted, and checks the result. */
export async function killShips(site: Site, { kills, seed, plant }: ShipKills): Promise<ShipVerdict> {
  const patience_ms = plant === undefined ? PATIENCE_MS : PATIENCE_WITH_FAULT_MS;
  const random = createRandom(seed);
  const met: MetJobs = { none: 0, committing: 0, other: 0 };
  const api = join(site.folder, 'api');
  await makeRepository(api);
  const words = ['repo', 'add', api, '--project', site.project_id, ...placeFlags(site.place)];
  const repo_ids = [site.repo_id, String((await errandJson(words)).repo_id)];
  let serving = Promise.withResolvers<string>();
  const talk = createTalk(() => serving.promise, site.token);
  const start = async () => {
    const server = await launchServer({ place: site.place, plant });
    serving.resolve(server.origin);
    return server;
  };
  await site.configure(site.place.data, { max_runs: 4 });

  let server = await start();
  try {
    const all = await makeAttempts(site, talk, Math.max(1, Math.ceil(kills / 2)), repo_ids);
    const faults: string[] = [];
    let isOver = false;
    const merging = (async () => {
      for (const one of all) {
        const fault = await ship(talk, one, patience_ms);
        if (fault !== null) faults.push(fault);
      }
      isOver = true;
    })();
    for (let kill = 0; kill < kills && !isOver; kill++) {
      await waitFor(SIGNS[kill % SIGNS.length] ?? 'moment', site);
      await sleep(random.between(0, kill % 2 === 0 ? 5 : 60));
      serving = Promise.withResolvers();
      await server.kill();
      const [job] = await site.database.rows(OPEN_JOBS);
      met[job?.phase === 'none' || job?.phase === 'committing' ? job.phase : 'other'] += 1;
      server = await start();
    }
    await merging;
    for (const one of all) faults.push(...(await cleared(talk, one, patience_ms)));
    return { faults: [...faults, ...(await judgeShips(site, [site.repository, api], all))], met };
  } finally {
    await server.kill();
  }
}
