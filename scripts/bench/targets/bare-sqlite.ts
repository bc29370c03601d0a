import { argv } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { answer } from './answer.ts';
import { COLUMNS, HOME_QUERY, type Home, values } from './work-item.ts';

// One row, one commit, no HTTP: the driver in a loop, with Errand's table and pragmas.
const database = new DatabaseSync(argv[2] ?? '');
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
const home = database.prepare(HOME_QUERY).get() as unknown as Home; // the columns are those of the query
const insert = database.prepare(
  `insert into work_items (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})`,
);

answer((seconds) => {
  const end = performance.now() + seconds * 1000;
  let writes = 0;
  while (performance.now() < end) {
    insert.run(...values(home, `Buy groceries ${writes}`));
    writes++;
  }
  return writes;
});
