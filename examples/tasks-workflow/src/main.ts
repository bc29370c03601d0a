import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTasks, type Json, sequentialWorkflow, stepOutput, variable } from '@errand/tasks';
import { openSqliteStore } from '@errand/tasks/sqlite';

const done: string[] = [];
const note = <Output extends Json>(step: string, output: Output): Output => {
  console.log(`  step: ${step}`);
  done.push(step);
  return output;
};

const CONFIRM = {
  method: 'elicitation/create',
  params: { message: 'Deploy to production?', requestedSchema: { type: 'object', properties: {} } },
} as const;

const deploy = sequentialWorkflow('deploy')
  .step('fetch', {
    input: { branch: variable<string>('branch') },
    run: ({ input }) => note('fetch', { commit: `head of ${input.branch}`, files: 3 }),
  })
  .step('test', {
    input: { commit: stepOutput('fetch', 'commit') },
    run: async ({ input, setVariable }) => {
      await setVariable('tested', input.commit);
      return note('test', 'green');
    },
  })
  .step('confirm', { run: async ({ requireInput }) => note('confirm', (await requireInput(CONFIRM)).action ?? null) })
  .step('release', {
    input: { answer: stepOutput('confirm'), files: stepOutput('fetch', 'files') },
    run: ({ input }) => note('release', { released: input.answer === 'accept', files: input.files }),
  });

const folder = await mkdtemp(join(tmpdir(), 'tasks-workflow-'));
const open = async () =>
  createTasks({
    store: await openSqliteStore({ path: join(folder, 'tasks.db') }),
    tools: { deploy: deploy.withTaskSupport() },
    poll_interval_ms: 100,
  });
const OWNER = 'sub:ann';

console.log('The workflow runs as a task, until a step needs the client.');
const first = await open();
const { task_id } = await first.create({ owner_id: OWNER, tool: 'deploy', arguments: { branch: 'main' } });
while ((await first.get(OWNER, task_id)).status !== 'input_required') await sleep(10);
const asked = await first.get(OWNER, task_id);
console.log(`  task: ${asked.status}, ${asked.status_message}, ${JSON.stringify(asked.progress)}`);
assert.equal(asked.variables.tested, 'head of main');

console.log('The server stops; the answer comes while nobody works on the task.');
await first.close({ grace_ms: 0 });
const front = createTasks({
  store: await openSqliteStore({ path: join(folder, 'tasks.db') }),
  tools: { deploy: deploy.withTaskSupport() },
  worker: false,
});
await front.answer(OWNER, task_id, { confirm: { action: 'accept', content: {} } });
await front.close();

console.log('A worker is there again: it goes on behind the steps that are done.');
const second = await open();
const { outcome } = await second.wait(OWNER, task_id);
console.log(`  task: ${JSON.stringify(outcome)}`);
assert.deepEqual(done, ['fetch', 'test', 'confirm', 'release'], 'each step ran once');
assert(outcome?.kind === 'result');
assert.deepEqual(outcome.result.structuredContent, { released: true, files: 3 });
await second.close();
await rm(folder, { recursive: true });

console.log('The same workflow without a task.');
const plain = await deploy.run({ branch: 'fix' }, { answer: async () => ({ action: 'decline' }) });
assert.deepEqual(plain.structuredContent, { released: false, files: 3 });

console.log('All checks passed.');
