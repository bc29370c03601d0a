import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createApplicationInputHandler, createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';
import { startPostgres } from '../../../scripts/postgres.ts';
import { startServer } from './server.ts';

const { values } = parseArgs({ options: { url: { type: 'string' } } });
const local = values.url === undefined ? await startPostgres() : undefined;
const database_url = values.url ?? local?.url ?? '';
const [first, second] = await Promise.all([startServer(database_url), startServer(database_url)]);
console.log('Two servers of the official SDK share one database.');

const onInputRequest = createApplicationInputHandler({
  elicitation: ({ params }) => {
    console.log(`  user: ${params.message} Yes.`);
    return { action: 'accept', content: { yes: true } };
  },
  sampling: () => ({ model: 'none', role: 'assistant', content: { type: 'text', text: '' } }),
  roots: () => ({ roots: [] }),
});

async function connect(url: URL) {
  const client = new Client({ name: 'example', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  await client.connect(new StreamableHTTPClientTransport(url));
  return { client, session: createTaskSessionFromClient(client, { endpointId: 'reports', onInputRequest }) };
}
const [near, far] = await Promise.all([connect(first.url), connect(second.url)]);

console.log('A client of 2025-11-25 calls a tool as a task on the first.');
const { tools } = await near.client.listTools();
console.log(`  tools/list: report is ${tools[0]?.execution?.taskSupport}`);
const execution = await near.session.callTool('report', { pages: 3 }, { task: { preference: 'require' } });
assert(execution.kind === 'task');
const { taskId } = execution.handle;

console.log('The first server stops. The second one knows the task, takes the work over, asks the user and ends it.');
await execution.detach();
await near.session.close();
await near.client.close();
await first.stop();
const reference = { endpointId: 'reports', generation: 'v1', taskId, originalOperation: 'tools/call' } as const;
const resumed = await far.session.resumeTask(reference);
const { outcome } = await resumed.settle();
console.log(`  ${JSON.stringify(outcome.status === 'completed' ? outcome.result : outcome)}`);
assert.equal(outcome.status, 'completed');
assert.match(JSON.stringify(outcome), /3 pages, published/);

console.log('A client of 2026-07-28 that knows nothing of tasks calls the same tool, and waits for it.');
const modern = new Client(
  { name: 'example', version: '1.0.0' },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
modern.setRequestHandler('elicitation/create', async () => ({ action: 'decline' }));
await modern.connect(new StreamableHTTPClientTransport(second.url));
const result = await modern.callTool({ name: 'report', arguments: { pages: 2 } });
console.log(`  ${JSON.stringify(result.content)}`);
assert.match(JSON.stringify(result.content), /2 pages, kept/);

await modern.close();
await far.session.close();
await far.client.close();
await second.stop();
await local?.stop();
console.log('All checks passed.');
