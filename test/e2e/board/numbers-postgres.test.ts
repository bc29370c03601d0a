import pg from 'pg';
import { expect, it } from 'vitest';
import { times } from '../counts.ts';
import type { Database } from '../database.ts';
import { sendJson } from '../http.ts';
import { errandJson, type Place, placeFlags, serve } from '../program.ts';
import { openDatabase, openPlace } from '../world.ts';

const CREATES = times({ whole: 10_000, part: 400 });
/** How many creates wait for an answer at once. */
const AT_ONCE = 32;
/** Every so manieth create is refused after its transaction began: it must leave no gap. */
const REFUSED = 10;

interface Made {
  readonly task_id: string;
  readonly key: string;
}

/** A project on a new PostgreSQL, and a token for its tasks. */
async function settle(place: Place): Promise<{ readonly project_id: string; readonly token: string }> {
  const { project_id } = await errandJson(['project', 'add', 'Website', '--key', 'WEB', ...placeFlags(place)]);
  const create = ['token', 'create', '--kind', 'user', '--name', 'crowd', '--scopes', 'board:read,board:write'];
  const { token } = await errandJson([...create, ...placeFlags(place)]);
  return { project_id: String(project_id), token: String(token) };
}

/** Creates tasks at these servers in turns, many at once; answers those that were created. */
async function createAll(origins: readonly string[], token: string, count: number): Promise<readonly Made[]> {
  const made: Made[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const isRefused = at % REFUSED === 0;
      const task = { project_id: 'WEB', title: `Task ${at}`, ...(isRefused && { blocked_by: ['WEB-999999'] }) };
      const { status, text } = await sendJson(
        origins[at % origins.length] ?? '',
        '/api/v1/tools/create_task',
        token,
        task,
      );
      if (isRefused ? status < 400 : status >= 300) throw new Error(`create_task answered ${status}: ${text}`);
      if (!isRefused) made.push(JSON.parse(text) as Made);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return made;
}

/** What is wrong with the numbers of a project: each of 1 to the number of its tasks must be given once. */
async function faultsOf(database: Database, project_id: string): Promise<readonly string[]> {
  const rows = await database.rows('select number from work_items where project_id = ? order by number', [project_id]);
  return rows.flatMap(({ number }, at) => (number === at + 1 ? [] : [`place ${at + 1} has the number ${number}`]));
}

it(`[L-KEY] numbers ${CREATES} tasks that two servers create at once from 1, each once and without a gap`, async () => {
  await using place = await openPlace('postgres');
  const { project_id, token } = await settle(place);
  await using one = await serve(place);
  await using other = await serve(place);
  await using database = openDatabase(place);

  const made = await createAll([one.origin, other.origin], token, CREATES);

  const stored = await database.rows('select id, number from work_items where project_id = ?', [project_id]);
  const keys = new Map(stored.map(({ id, number }) => [id, `WEB-${number}`]));
  expect(made).toHaveLength(CREATES - Math.ceil(CREATES / REFUSED));
  expect(stored).toHaveLength(made.length);
  expect(await faultsOf(database, project_id)).toEqual([]);
  expect(made.filter(({ task_id, key }) => keys.get(task_id) !== key)).toEqual([]);
}, 300_000);

it('[L-KEY] the judge of numbers finds a counter that is read before the insert', async () => {
  await using place = await openPlace('postgres');
  const { project_id, token } = await settle(place);
  {
    await using server = await serve(place);
    await createAll([server.origin], token, 2);
  }
  await using database = openDatabase(place);
  await using opened = new AsyncDisposableStack();
  const clients = [0, 1].map(() => new pg.Client({ connectionString: place.database_url }));
  for (const client of clients) {
    await client.connect();
    opened.defer(() => client.end());
  }
  await clients[0]?.query('drop index item_of_number');

  const next = 'select coalesce(max(number), 0) + 1 as number from work_items where project_id = $1';
  const read = await Promise.all(clients.map((client) => client.query(next, [project_id])));
  for (const [at, client] of clients.entries()) {
    await client.query(
      `insert into work_items (id, workspace_id, project_id, state_id, title, priority, sort_order, version, created_at, updated_at, number)
       select id || $1, workspace_id, project_id, state_id, title, priority, sort_order, version, created_at, updated_at, $2 from work_items where number = 1`,
      [`-${at}`, read[at]?.rows[0].number],
    );
  }

  expect(await faultsOf(database, project_id)).toEqual(['place 3 has the number 2']);
});
