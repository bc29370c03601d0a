import { argv } from 'node:process';
import pg from 'pg';
import {
  CONVERSATION,
  columnsOf,
  HEADS_QUERY,
  type Heads,
  LIST_QUERY,
  type List,
  rowsOfTask,
  SHARED,
  type Shared,
  TABLES,
  type Table,
} from './add-rows.ts';
import { serveAdds } from './raw-adds.ts';

// One statement for each table writes the rows of a whole group. Errand's connections are pipelined too.
const client = new pg.Client({ connectionString: argv[2], pipeline: true });
await client.connect();
const list = (await client.query<List>(LIST_QUERY)).rows[0];
if (list === undefined) throw new Error('The database has no todo list.');
await client.query(
  'insert into conversations (id, workspace_id, user_id, started_at, last_activity_at) values ($1, $2, $3, 1, 1)',
  [CONVERSATION, list.workspace_id, list.owner_id],
);

const numberOf = async (text: string, ...given: readonly string[]): Promise<number> =>
  Number((await client.query(text, [...given])).rows[0]?.id);
const shared: Shared = {
  conversation: await numberOf('select number as id from conversations where id = $1', CONVERSATION),
  principal: await numberOf(SHARED.principal),
  shape: await numberOf(SHARED.shape),
  actor: await numberOf(SHARED.actor),
  act: await numberOf(SHARED.act),
};

const query = (name: string, text: string, ...values: readonly unknown[]) =>
  client.query({ name, text, values: [...values] });

// The keys of TABLES are its tables.
const tables = Object.keys(TABLES) as Table[];
const insertText = (table: Table): string => {
  const columns = Object.entries<string>(TABLES[table]);
  const types = columns.map(([name, type]) => `${name} ${type === 'digest' ? 'text' : type}`);
  const values = columns.map(([name, type]) => (type === 'digest' ? `decode(${name}, 'hex')` : name));
  return `insert into ${table} (${columnsOf(table).join(', ')}) select ${values.join(', ')} from json_to_recordset($1::json) as rows (${types.join(', ')})`;
};
const INSERT_ENTRIES = `insert into search_entries (item_id, terms)
  select item_id, array_to_tsvector(string_to_array(terms, ' '))
  from json_to_recordset($1::json) as rows (item_id text, terms text)`;

serveAdds(async (tasks) => {
  const [, found] = await Promise.all([client.query('begin'), query('heads', `${HEADS_QUERY} for update of e, a`)]);
  const { event, entry, hash, number } = found.rows[0];
  const heads: Heads = { event: Number(event), entry: Number(entry), hash, number: Number(number) };
  const written = tasks.map((task) => rowsOfTask({ list, shared }, heads, task));
  const entries = written.map(({ rows, terms }) => ({ item_id: rows.work_items[0]?.id, terms }));
  await Promise.all([
    ...tables.map((table) =>
      query(table, insertText(table), JSON.stringify(written.flatMap(({ rows }) => rows[table]))),
    ),
    query('search', INSERT_ENTRIES, JSON.stringify(entries)),
    query('touch', 'update conversations set last_activity_at = $1 where id = $2', Date.now(), CONVERSATION),
    query('events_head', 'update event_head set seq = $1', heads.event),
    query('trail_head', 'update audit_head set seq = $1, hash = $2', heads.entry, heads.hash),
    query(
      'numbers',
      'insert into item_numbers (project_id, last) values ($1, $2) on conflict (project_id) do update set last = excluded.last',
      list.project_id,
      heads.number,
    ),
    client.query('commit'),
  ]);
  return written.map(({ text }) => text);
});
