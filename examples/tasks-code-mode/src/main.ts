import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTasks, type TaskRecord } from '@errand/tasks';
import { memoryStore } from '@errand/tasks/memory';
import { runProgram } from './run-program.ts';
import { askModel, type Prompt } from './scripted-model.ts';
import { hasNoNetwork, startBehindWall } from './wall.ts';

const tasks = createTasks({ store: memoryStore(), tools: { run_program: runProgram } });
const OWNER = 'sub:ann';
const ORDERS = [
  { customer: 'Kay', price: 20 },
  { customer: 'Lee', price: 5 },
  { customer: 'Kay', price: 7 },
];

const begin = (prompt: Prompt): Promise<TaskRecord> =>
  tasks.create({
    owner_id: OWNER,
    tool: 'run_program',
    arguments: { source: askModel(prompt), ...(prompt === 'Never stop.' && { time_ms: 1_000 }) },
    variables: { orders: ORDERS },
  });

const textOf = ({ outcome }: TaskRecord): string =>
  outcome?.kind === 'result' || outcome?.kind === 'tool_error' ? JSON.stringify(outcome.result.content) : '';

async function run(prompt: Prompt): Promise<TaskRecord> {
  const { task_id } = await begin(prompt);
  const task = await tasks.wait(OWNER, task_id);
  console.log(`${prompt}\n  ${task.outcome?.kind}: ${textOf(task)}`);
  return task;
}

const useful = await run('Add up the orders of each customer.');
assert.match(textOf(useful), /2 customers/);
assert.deepEqual(useful.variables.totals, { Kay: 27, Lee: 5 });
assert.deepEqual(useful.progress, { progress: 3, total: 3 });

const HOSTILE = new Map<Prompt, RegExp>([
  ['Read the passwords.', /dynamic import/],
  ['Use require.', /require is not defined/],
  ['Find the process.', /Code generation from strings disallowed/],
  ['Find the process through an error of Node.', /Code generation from strings disallowed/],
  ['Change what Node inherits.', /unchanged/],
  ['Call home.', /fetch is not defined/],
  ['Take all memory.', /more than 64 MB/],
  ['Take memory outside of the heap.', /Uint8Array is not defined/],
  ['Never stop.', /more than 1000 ms/],
  ['Say too much.', /more than 65536 bytes/],
]);
for (const [prompt, expected] of HOSTILE) {
  const { outcome, ...task } = await run(prompt);
  assert.equal(outcome?.kind, 'tool_error', prompt);
  assert.match(textOf({ outcome, ...task }), expected);
}

console.log('A program that got out of its realm would still be behind the wall.');
const escaped = await text(startBehindWall(new URL('escaped.mjs', import.meta.url).pathname).stdout);
console.log(`  ${escaped}`);
const denied = 'ERR_ACCESS_DENIED';
assert.deepEqual(JSON.parse(escaped), {
  ...{ read: denied, write: denied, run: denied, thread: denied, secrets: 'nothing there' },
  // Without an empty network namespace, only the realm blocks the network.
  connect: hasNoNetwork ? 'ENETUNREACH' : JSON.parse(escaped).connect,
});

console.log('A program that never stops is killed when its task is cancelled.');
const { task_id } = await begin('Never stop.');
const pidOf = async () => Number((await tasks.get(OWNER, task_id)).variables.pid ?? 0);
while ((await pidOf()) === 0) await sleep(10);
const pid = await pidOf();
const cancelled = await tasks.cancel(OWNER, task_id);
assert.equal(cancelled.status, 'cancelled');
while (isAlive(pid)) await sleep(10);

await tasks.close();
console.log('All checks passed.');

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
