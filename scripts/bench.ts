import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import process, { argv, stderr, stdout, version, versions } from 'node:process';
import { parseArgs } from 'node:util';
import { beforeAfter } from './bench/before/before-after.ts';
import { findWrk } from './bench/load.ts';
import { missedIn, reportText, type Section, sectionText } from './bench/report.ts';
import type { Suite } from './bench/suite.ts';
import { addPostgres } from './bench/suites/add-postgres.ts';
import { addSqlite } from './bench/suites/add-sqlite.ts';
import { attempts } from './bench/suites/attempts.ts';
import { boardList } from './bench/suites/board-list.ts';
import { events } from './bench/suites/events.ts';
import { list } from './bench/suites/list.ts';
import { listing } from './bench/suites/listing.ts';
import { mcp } from './bench/suites/mcp.ts';
import { million } from './bench/suites/million.ts';
import { names } from './bench/suites/names.ts';
import { rest } from './bench/suites/rest.ts';
import { scale } from './bench/suites/scale.ts';
import { search } from './bench/suites/search.ts';
import { servers } from './bench/suites/servers.ts';
import { start } from './bench/suites/start.ts';
import { steps } from './bench/suites/steps.ts';
import { tasksGet } from './bench/suites/tasks-get.ts';
import { tasksStores } from './bench/suites/tasks-stores.ts';
import { tasksWait } from './bench/suites/tasks-wait.ts';

const SUITES: Readonly<Record<string, Suite>> = {
  list,
  'add-sqlite': addSqlite,
  'add-postgres': addPostgres,
  servers,
  start,
  listing,
  mcp,
  scale,
  names,
  million,
  search,
  steps,
  events,
  attempts,
  'board-list': boardList,
  rest,
  'tasks-stores': tasksStores,
  'tasks-get': tasksGet,
  'tasks-wait': tasksWait,
};
const REPORT = join(import.meta.dirname, '../docs/reference/benchmarks.md');

const { values } = parseArgs({
  args: argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    only: { type: 'string' },
    before: { type: 'string' },
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
});
const wanted = values.only?.split(',') ?? (values.before === undefined ? Object.keys(SUITES) : []);
const unknown = wanted.filter((name) => !(name in SUITES));
if (unknown.length > 0) throw new Error(`--only takes ${Object.keys(SUITES).join(', ')}; not ${unknown.join(', ')}.`);

const wrk = findWrk();
if (!wrk) stderr.write('wrk is not installed: the slower loader of this script is used instead.\n');
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) };

const sections: Section[] = [];
const compared = values.before === undefined ? [] : [await beforeAfter(values.before, effort)];
for (const section of compared) stdout.write(`${sectionText(section)}\n`);
for (const name of wanted) {
  stderr.write(`${name} …\n`);
  const suite = SUITES[name];
  if (suite === undefined) continue;
  const section = await suite({ effort, wrk });
  sections.push(section);
  stdout.write(`${sectionText(section)}\n`);
}

// The report of a partial run keeps the other sections, but only on request.
if (values.write || (values.only === undefined && values.before === undefined)) {
  const facts = [
    `${cpus().length} cores, shared by the server and its load; Node.js ${version.slice(1)}, SQLite ${versions.sqlite}`,
    `${effort.rounds} rounds of ${effort.seconds} s each; load by ${wrk ? 'wrk' : 'a loader on node:http'}`,
  ];
  await mkdir(join(REPORT, '..'), { recursive: true });
  const earlier = await readFile(REPORT, 'utf8').catch(() => '');
  await writeFile(REPORT, reportText(facts, [...compared, ...sections], earlier));
}

const missed = missedIn([...compared, ...sections]);
if (values.check && missed.length > 0) {
  stderr.write(`Missed:\n${missed.map((line) => `- ${line}\n`).join('')}`);
  process.exitCode = 1;
}
