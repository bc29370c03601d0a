#!/usr/bin/env node
import { once } from 'node:events';
import { argv, env, stderr, stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';
import { call, newSession, note, play, readSession, writeSession } from './script.mjs';

const run = `/api/executions/${env.NOVA_EXECUTION_ID}`;

async function report(method, path, body) {
  const {
    status,
    text: said,
    json,
  } = await call(method, path, body).catch((error) => ({ status: 0, text: `${error}` }));
  if (status < 200 || status > 299) stderr.write(`${method} ${path}: ${status} ${said.slice(0, 500)}\n`);
  return json;
}

const say = async (line) => {
  if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
};

const step = async (step_name, status) => {
  const made = await report('POST', `${run}/steps`, { step_name });
  const step_id = made?.step_id ?? made?.id;
  if (status !== 'running' && step_id) await report('PATCH', `${run}/steps/${step_id}`, { status });
};

note('start', { agent: 'command', args: argv.slice(2) });
const prompt = await text(stdin);
const known = env.ERRAND_AGENT_SESSION_ID;
const isResumed = Boolean(known) && readSession(known) !== null;
const session = isResumed ? known : newSession();
note('prompt', { agent: 'command', prompt, session, is_resumed: isResumed });
if (!isResumed) writeSession(session, {});
if (env.AGENT_SESSION !== 'off' && env.ERRAND_URL) await report('PUT', `${run}/session`, { session_id: session });

await play(prompt, session, {
  say,
  step,
  plan: async (entries) => {
    for (const entry of entries) await step(entry, 'completed');
  },
  ask: (title) => say(`nobody to ask: ${title}`),
  question: (question) => say(`nobody to ask: ${question}`),
  usage: (input_tokens, output_tokens) =>
    report('PATCH', run, { usage: { input_tokens, output_tokens, cost_usd: 0.01 } }),
  mcp: async (name, input) => {
    const { text: said } = await call('POST', `/api/v1/tools/${name}`, input);
    await say(said);
  },
  print: async (count, line = 'line') => {
    for (let i = 1; i <= count; i += 1) await say(`${line} ${i}`);
  },
});
note('end', { agent: 'command' });
