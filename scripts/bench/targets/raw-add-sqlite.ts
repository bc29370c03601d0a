import { argv } from 'node:process';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
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

const database = new DatabaseSync(argv[2] ?? '');
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
database.exec('pragma cache_size = -16000; pragma wal_autocheckpoint = 250');

const list = database.prepare(LIST_QUERY).get() as unknown as List; // the columns are those of the query
const numberOf = (query: string, ...given: readonly string[]): number =>
  Number(database.prepare(query).get(...given)?.id);
database
  .prepare('insert into conversations (id, workspace_id, user_id, started_at, last_activity_at) values (?, ?, ?, 1, 1)')
  .run(CONVERSATION, list.workspace_id, list.owner_id);
const shared: Shared = {
  conversation: numberOf('select number as id from conversations where id = ?', CONVERSATION),
  principal: numberOf(SHARED.principal),
  shape: numberOf(SHARED.shape),
  actor: numberOf(SHARED.actor),
  act: numberOf(SHARED.act),
};

const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
const readHeads = database.prepare(HEADS_QUERY);
const touch = database.prepare('update conversations set last_activity_at = ? where id = ?');
const index = database.prepare('insert into search_index (rowid, terms) values (?, ?)');
const moveEvents = database.prepare('update event_head set seq = ?');
const moveTrail = database.prepare('update audit_head set seq = ?, hash = ?');
const moveNumbers = database.prepare(
  'insert into item_numbers (project_id, last) values (?, ?) on conflict (project_id) do update set last = excluded.last',
);
const PLACES: Readonly<Record<string, string>> = { uuid: "unhex(?, '-')", digest: 'unhex(?)' };
// The keys of TABLES are its tables.
const tables = Object.keys(TABLES) as Table[];
const inserts = new Map<Table, StatementSync>(
  tables.map((table) => {
    const columns = columnsOf(table);
    const places = Object.values<string>(TABLES[table])
      .map((type) => PLACES[type] ?? '?')
      .join(', ');
    return [table, database.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`)];
  }),
);

serveAdds(async (tasks) => {
  begin.run();
  const heads = readHeads.get() as unknown as Heads; // its columns
  const texts = tasks.map((task) => {
    const { rows, terms, text } = rowsOfTask({ list, shared }, heads, task);
    for (const table of tables) {
      for (const row of rows[table]) {
        const done = inserts.get(table)?.run(...columnsOf(table).map((name) => row[name] ?? null));
        if (table === 'work_items' && done !== undefined) index.run(done.lastInsertRowid, terms);
      }
    }
    return text;
  });
  touch.run(Date.now(), CONVERSATION);
  moveEvents.run(heads.event);
  moveTrail.run(heads.entry, heads.hash);
  moveNumbers.run(list.project_id, heads.number);
  commit.run();
  return texts;
});
