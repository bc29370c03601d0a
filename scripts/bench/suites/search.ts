import pg from 'pg';
import type { Store } from '../../../packages/server/src/store/store.ts';
import { freshPostgres } from '../../../test/e2e/database.ts';
import { mcpHeaders, rpc } from '../../../test/e2e/drivers/mcp-messages.ts';
import { send } from '../../../test/e2e/http.ts';
import { type Place, serve, temporaryFolder } from '../../../test/e2e/program.ts';
import { anItem, plantAgent, plantSite, type Site } from '../../../test/e2e/tasker/site.ts';
import { openStore } from '../../../test/e2e/tasker/tracker.ts';
import { startPostgres } from '../../postgres.ts';
import { type Finding, milliseconds, type Section } from '../report.ts';
import type { Effort } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const ITEMS = 100_000;
const OTHER_PROJECTS = 99;
const MAX_P95_MS = 50;
const DEEP_PAGES = 200;

/** Makes titles with words that occur in every title, in one of a hundred, and in only one. */
const titleOf = (index: number): string =>
  `deploy ${index % 100 === 0 ? 'rarely' : 'often'} the gateway, ticket${index} part ${index % 7}`;

const QUERIES: Readonly<Record<string, string>> = {
  'a word in every item': 'deploy',
  'a word in one of a hundred': 'rarely',
  'a word in one item': 'ticket4711',
  'two words': 'rarely gateway',
  'the beginning of a word': 'tick',
  'no word': '',
};

async function fill(store: Store, home: Site): Promise<void> {
  for (let done = 0; done < ITEMS; done += 1_000) {
    await store.transaction(async (tx) => {
      for (let index = done; index < done + 1_000; index++) {
        await tx.workItems.insert({ ...anItem(home, titleOf(index)), description: 'What is to be done, and why.' });
      }
    });
  }
}

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

interface Searcher {
  readonly search: (args: object) => Promise<{ readonly next_cursor?: string }>;
}

/** Times one call after another, from the same position in the list. */
async function timesOf({ search }: Searcher, args: object, seconds: number): Promise<readonly number[]> {
  for (let warm = 0; warm < 20; warm++) await search(args);
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const started = performance.now();
    await search(args);
    times.push(performance.now() - started);
  }
  return times;
}

async function cursorAt({ search }: Searcher, query: string, pages: number): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < pages; page++) {
    const { next_cursor } = await search({ query, limit: 100, ...(cursor !== undefined && { cursor }) });
    if (next_cursor === undefined) return cursor;
    cursor = next_cursor;
  }
  return cursor;
}

async function measure(label: string, place: Place, { rounds, seconds }: Effort): Promise<readonly Finding[]> {
  await using server = await serve(place, { ERRAND_LOG_LEVEL: 'error' });
  const store = await openStore(place);
  const workspace = await store.reads.workspaces.first();
  if (workspace === null) throw new Error('The server has made no workspace.');
  const home = await plantSite(store, workspace.id, 'home');
  const others: Site[] = [];
  for (let at = 0; at < OTHER_PROJECTS; at++) others.push(await plantSite(store, workspace.id, `other ${at}`));
  await fill(store, home);
  const projects = [home, ...others].map(({ project_id }) => project_id);
  const { token } = await plantAgent(store, home, projects, ['issue:read']);
  await store.close();
  await gatherStatistics(place);

  const search: Searcher['search'] = async (args) => {
    const message = rpc('2026-07-28', 1, 'tools/call', { name: 'tasker_search_issues', arguments: args });
    const headers = mcpHeaders('2026-07-28', token, message);
    const { text } = await send(server.origin, { path: '/mcp/tasker', headers, body: JSON.stringify(message) });
    const { result } = JSON.parse(text) as {
      result?: { isError?: boolean; structuredContent: { next_cursor?: string } };
    };
    if (result === undefined || result.isError === true) throw new Error(`tasker_search_issues answered ${text}`);
    return result.structuredContent;
  };

  const deep = await cursorAt({ search }, 'deploy', DEEP_PAGES);
  const cases: [string, object][] = [
    ...Object.entries(QUERIES).map(([words, query]): [string, object] => [words, { query }]),
    ['a word in every item, in one project', { query: 'deploy', project_id: home.project_id }],
    [
      `a word in every item, the ${DEEP_PAGES}th page of 100 rows`,
      { query: 'deploy', ...(deep !== undefined && { cursor: deep }) },
    ],
  ];
  const findings: Finding[] = [];
  for (const [words, args] of cases) {
    const times = await timesOf({ search }, args, (seconds * rounds) / 4);
    const p95 = percentile(times, 0.95);
    findings.push({
      subject: `${label}: ${words}`,
      figure: `p50 ${milliseconds(percentile(times, 0.5))}, p95 ${milliseconds(p95)}`,
      target: `p95 < ${MAX_P95_MS} ms`,
      met: p95 < MAX_P95_MS,
    });
  }
  return findings;
}

/** Runs ANALYZE first: autovacuum would do it within a minute, during the measurement. */
async function gatherStatistics({ database_url }: Place): Promise<void> {
  if (database_url === undefined) return;
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

/** Measures a search in a large project. */
export const search: Suite = async ({ effort }): Promise<Section> => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  const postgres = await startPostgres();
  try {
    const database_url = await freshPostgres(postgres.url);
    return {
      title: 'Searching: `tasker_search_issues`',
      how: `${ITEMS.toLocaleString('en')} items in one of ${OTHER_PROJECTS + 1} granted projects, over HTTP, one call at a time, in pages of the usual size. PostgreSQL has the statistics that its autovacuum gathers.`,
      findings: [
        ...(await measure('SQLite', { data: folder.path }, effort)),
        ...(await measure('PostgreSQL', { data: other.path, database_url }, effort)),
      ],
    };
  } finally {
    await postgres.stop();
  }
};
