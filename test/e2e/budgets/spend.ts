import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchServer } from '../board-durability/launch.ts';
import type { Plant } from '../board-durability/plants.ts';
import { createRandom, type Random } from '../durability/random.ts';
import { sendJson } from '../http.ts';
import { errandJson, placeFlags, temporaryFolder } from '../program.ts';
import { judgeSpending, type Limits, type SpentRun, type Totals } from './judge-spending.ts';

interface Options {
  readonly database_url: string;
  /** The number of runs. */
  readonly runs: number;
  readonly seed: number;
  readonly plant?: Plant;
}

const REPORTS = 40;
const AGENTS = 3;
const SCOPES = ['execution:report', 'issue:read', 'board:read', 'board:write'];

const someOf = <Item>(random: Random, items: readonly Item[]): Item =>
  // Safe: the index is within the list.
  items[random.between(0, items.length - 1)] as Item;

/** Limits of which any may be the first that is used up. */
function someLimits(
  random: Random,
  runs: number,
  names: { readonly project: string; readonly agents: readonly string[] },
): Limits {
  const cents = (most: number) => random.between(1, Math.ceil(100 * most)) / 100;
  return {
    run: { cost_usd: cents(2), tokens: random.between(1, 4_000) },
    task: { cost_usd: cents(runs / 4), tokens: random.between(1, 500 * runs) },
    projects: {
      [names.project]: { cost_usd_per_day: cents(runs / 2), tokens_per_day: random.between(1, 1_000 * runs) },
    },
    agents: Object.fromEntries(names.agents.map((name) => [name, { tokens_per_day: random.between(1, 400 * runs) }])),
  };
}

/** Runs report random amounts to two servers on one database, all at once, until they are ended. Resolves to what is wrong with that. */
export async function spend({ database_url, runs, seed, plant }: Options): Promise<{
  readonly faults: readonly string[];
  /** How many runs a budget has ended. */
  readonly ended: number;
}> {
  await using opened = new AsyncDisposableStack();
  const random = createRandom(seed);
  const { path } = opened.use(await temporaryFolder());
  const places = ['one', 'two'].map((name) => ({ data: join(path, name), database_url }));
  for (const { data } of places) await mkdir(data);
  const [first] = places;
  if (first === undefined) throw new Error('no place');

  const project = `Shop ${seed}`;
  const { project_id } = await errandJson(['project', 'add', project, ...placeFlags(first)]);
  const agents: { readonly name: string; readonly token: string }[] = [];
  for (let at = 0; at < AGENTS; at++) {
    const name = `Agent ${seed} ${at}`;
    const flags = ['--project', String(project_id), '--scopes', SCOPES.join(',')];
    const { token } = await errandJson(['agent', 'create', name, ...flags, ...placeFlags(first)]);
    agents.push({ name, token: String(token) });
  }
  const limits = someLimits(random, runs, { project, agents: agents.map(({ name }) => name) });
  for (const { data } of places) await writeFile(join(data, 'config.json'), JSON.stringify({ budgets: limits }));
  const servers = await Promise.all(places.map(async (place) => opened.use(await launchServer({ place, plant }))));
  const origin = () => someOf(random, servers).origin;

  const ask = async (token: string, path: string, body: object, method?: string) => {
    for (;;) {
      const { status, text } = await sendJson(origin(), path, token, body, method);
      const answer = JSON.parse(text) as Record<string, unknown>;
      if (status !== 429 && status !== 503) return { status, answer };
    }
  };
  const tasks: string[] = [];
  for (let at = 0; at < AGENTS; at++) {
    const { answer } = await ask(agents[0]?.token ?? '', '/api/v1/tools/create_task', {
      project_id,
      title: `Task ${at}`,
    });
    tasks.push(String(answer.task_id));
  }

  const oneRun = async (): Promise<SpentRun> => {
    const [agent, task] = [someOf(random, agents), someOf(random, tasks)];
    const { answer } = await ask(agent.token, '/api/executions', { project_id, work_item_id: task });
    const id = String(answer.id);
    let [before, now]: [Totals, Totals] = [
      { cents: 0, tokens: 0 },
      { cents: 0, tokens: 0 },
    ];
    let has_ended = false;
    for (let report = 0; report < REPORTS && !has_ended; report++) {
      before = now;
      now = { cents: now.cents + random.between(0, 19), tokens: now.tokens + random.between(0, 399) };
      const usage = { cost_usd: now.cents / 100, output_tokens: now.tokens };
      const { status, answer: run } = await ask(agent.token, `/api/executions/${id}`, { usage }, 'PATCH');
      if (status !== 200) throw new Error(`A report was answered ${status}: ${JSON.stringify(run)}`);
      has_ended = run.status === 'failed';
    }
    const late = has_ended
      ? await ask(agent.token, `/api/executions/${id}`, { usage: { output_tokens: now.tokens + 1 } }, 'PATCH')
      : null;
    return { task, agent: agent.name, before, now, has_ended, is_late_refused: late === null || late.status === 409 };
  };
  const spent = await Promise.all(Array.from({ length: runs }, oneRun));

  const { answer: costs } = await ask(someOf(random, agents).token, '/api/v1/tools/report_costs', {
    by: 'project',
    project_id,
  });
  return {
    faults: judgeSpending(spent, limits, costs.total),
    ended: spent.filter(({ has_ended }) => has_ended).length,
  };
}
