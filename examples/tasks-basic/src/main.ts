import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTasks, type TaskContext } from '@errand/tasks';
import { createTaskMethods2025 } from '@errand/tasks/2025-11-25';
import { createTaskMethods2026 } from '@errand/tasks/2026-07-28';
import { openSqliteStore } from '@errand/tasks/sqlite';

const ROWS = 6;
const requestor = { subject: 'ann' };

/** Imports rows one by one, and keeps its position in a variable. */
async function importRows({ attempt, signal, getVariable, setVariable, progress }: TaskContext) {
  const first = Number(getVariable('imported') ?? 0) + 1;
  console.log(`  worker: start ${attempt}, from row ${first}`);
  for (let row = first; row <= ROWS; row += 1) {
    await sleep(40, undefined, { signal });
    await setVariable('imported', row);
    await progress(row, ROWS, `row ${row}`);
  }
  return { content: [{ type: 'text', text: `${ROWS} rows, begun at row ${first} in the end` }] };
}

const folder = await mkdtemp(join(tmpdir(), 'tasks-basic-'));
const open = async () =>
  createTasks({
    store: await openSqliteStore({ path: join(folder, 'tasks.db') }),
    tools: { import_rows: importRows },
    poll_interval_ms: 100,
  });

console.log('A client of 2025-11-25 calls the tool as a task.');
const first = await open();
const params = { name: 'import_rows', arguments: {}, task: { ttl: 60_000 } };
const created = await createTaskMethods2025({ tasks: first }).call({ params, requestor, task_support: 'optional' });
assert(created !== null);
const { taskId, status } = created.task;
console.log(`  client: task is ${status}`);
assert.equal(status, 'working');

const imported = async () => Number((await first.get('sub:ann', taskId)).variables.imported ?? 0);
while ((await imported()) < 2) await sleep(10);
console.log('The server stops in the middle of the work.');
await first.close({ grace_ms: 0 });

console.log('The server is back, on the same file.');
const second = await open();
const rev2025 = createTaskMethods2025({ tasks: second });
const result = await rev2025.result({ params: { taskId }, requestor });
console.log(`  client: ${JSON.stringify(result)}`);
const text = JSON.stringify(result.content);
assert.match(text, /6 rows/);
assert.doesNotMatch(text, /begun at row 1 /, 'the rows that were imported stay imported');

console.log('A client of 2026-07-28 sees the same task in its own form.');
const client_capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const rev2026 = createTaskMethods2026({ tasks: second });
const detailed = await rev2026.get({ params: { taskId }, requestor, client_capabilities });
console.log(`  client: ${JSON.stringify(detailed)}`);
assert.equal(detailed.status, 'completed');
assert.equal(detailed._meta?.['dev.errand/variables'] !== undefined, true);

console.log('Nobody else sees it at all.');
await assert.rejects(rev2025.get({ params: { taskId }, requestor: { subject: 'bob' } }), /Task not found/);

await second.close();
await rm(folder, { recursive: true });
console.log('All checks passed.');
