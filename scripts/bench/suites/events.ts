import { symlink, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshPostgres } from '../../../test/e2e/database.ts';
import { sendJson } from '../../../test/e2e/http.ts';
import { type Place, temporaryFolder } from '../../../test/e2e/program.ts';
import { startPostgres } from '../../postgres.ts';
import { serve, startErrand } from '../errand.ts';
import { openListeners } from '../listeners.ts';
import { type Finding, milliseconds, type Section } from '../report.ts';
import { openReporters } from '../reporters.ts';
import type { Suite } from '../suite.ts';

const LISTENERS = 100;
const PER_SECOND = 200;
const RUNS = 50;
const MAX_P99_MS = 300;
const GIVE_UP_MS = 10_000;

type Processes = 'one process' | 'two processes';

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

async function untilAll(delays: readonly number[], wanted: number): Promise<void> {
  for (let waited = 0; delays.length < wanted; waited += 10) {
    if (waited > GIVE_UP_MS) throw new Error(`${wanted - delays.length} of ${wanted} events never came.`);
    await sleep(10);
  }
  if (delays.length > wanted) throw new Error(`${delays.length - wanted} events came twice.`);
}

/** Starts another server on the same database. With the same path it would find the first one, and not start. */
async function serveToo({ data, database_url }: Place): Promise<Awaited<ReturnType<typeof serve>>> {
  const link = `${data}-too`;
  await symlink(data, link);
  const server = await serve({ data: link, database_url });
  return {
    ...server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await unlink(link);
    },
  };
}

/** Measures the time from sending a step until each listener has read its event. */
async function hear(place: Place, label: string, processes: Processes, seconds: number): Promise<Finding> {
  await using errand = await startErrand(place);
  await using other = processes === 'two processes' ? await serveToo(place) : null;
  if (other?.origin === errand.origin) throw new Error('Both servers are the same.');
  const { token, paths } = await openReporters(errand, { runs: RUNS, at_once: RUNS, steps: 1 });
  const sent: number[] = [];
  using listeners = await openListeners({
    origin: (other ?? errand).origin,
    token,
    count: LISTENERS,
    sentAt: (step) => sent[step] ?? Number.NaN,
  });

  const steps = Math.ceil(PER_SECOND * seconds);
  const began = performance.now();
  const answers: ReturnType<typeof sendJson>[] = [];
  for (let step = 0; step < steps; step++) {
    await sleep(Math.max(0, began + (step * 1000) / PER_SECOND - performance.now()));
    sent[step] = performance.now();
    answers.push(sendJson(errand.origin, paths[step % RUNS] ?? '', token, { step_name: `Step ${step}` }));
  }
  const refused = (await Promise.all(answers)).filter(({ status }) => status !== 201);
  if (refused.length > 0) throw new Error(`${refused.length} steps were refused: ${refused[0]?.text}`);
  await untilAll(listeners.delays, steps * LISTENERS);

  const delays = listeners.delays.toSorted((a, b) => a - b);
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  return {
    subject: `${label}, ${processes}`,
    figure: `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}`,
    target: `p99 ≤ ${MAX_P99_MS} ms`,
    met: p99 <= MAX_P99_MS,
  };
}

/** Measures how soon listeners get an agent's report. */
export const events: Suite = async ({ effort }): Promise<Section> => {
  const seconds = effort.rounds * effort.seconds;
  const findings: Finding[] = [];
  const postgres = await startPostgres();
  try {
    for (const processes of ['one process', 'two processes'] as const) {
      await using folder = await temporaryFolder();
      findings.push(await hear({ data: folder.path }, 'SQLite', processes, seconds));
      const database_url = await freshPostgres(postgres.url);
      await using beside = await temporaryFolder();
      findings.push(await hear({ data: beside.path, database_url }, 'PostgreSQL', processes, seconds));
    }
  } finally {
    await postgres.stop();
  }
  return {
    title: 'Listening: `GET /api/v1/events`',
    how: `${LISTENERS} listeners hear of ${PER_SECOND} steps a second: from just before a step is sent until its event has been read, for every step and listener. With two processes on one database, the steps go to one and the listeners are with the other.`,
    findings,
  };
};
