#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { env } from 'node:process';
import { openMcp } from './mcp-client.mjs';

// An agent that uses its budget up, is warned on the way, and does not end by itself.
const log = join(env.STATE_DIR, `${env.NOVA_EXECUTION_ID}.log`);
const note = (event, facts = {}) => appendFileSync(log, `${JSON.stringify({ event, at: Date.now(), ...facts })}\n`);
const headers = { authorization: `Bearer ${env.ERRAND_TOKEN}` };

const report = async (cost_usd) => {
  const response = await fetch(new URL(`/api/executions/${env.NOVA_EXECUTION_ID}`, env.ERRAND_URL), {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ usage: { cost_usd } }),
  });
  note('report', { cost_usd, status: response.status });
};

process.on('SIGTERM', () => note('asked'));
const mcp = await openMcp({
  type: 'http',
  url: new URL('/mcp', env.ERRAND_URL).href,
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
});
const work = async (step_name) => {
  const { structuredContent = {} } = await mcp.callTool('create_step', {
    execution_id: env.NOVA_EXECUTION_ID,
    step_name,
  });
  for (const { text } of structuredContent.messages ?? []) note('told', { text });
};

writeFileSync('work.txt', 'done so far\n');
// A process in a session of its own, which ignores SIGTERM as well.
const script = `trap "" TERM; while :; do date '+{"event":"child","at":%s%3N}' >> "$0"; sleep 0.02; done`;
spawn('/bin/sh', ['-c', script, log], { detached: true, stdio: 'ignore' }).unref();
await report(0.5);
await work('Half of it');
await report(0.9);
for (let step = 1; step <= 3; step++) await work(`After the warning ${step}`);
note('over');
setInterval(() => note('alive'), 10);
for (let cost = 1.5; ; cost += 0.5) await report(cost);
