#!/usr/bin/env node
import { argv, env, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { openMcp } from './mcp-client.mjs';
import { newSession, note, play, readSession, writeSession } from './script.mjs';

// AGENT_RESUME: resume (usual), load, none, broken: it says that it can, and fails, or pretended: it can load alone, and says that it can resume too. AGENT_MCP: http (usual) or stdio.
// AGENT_AUTH=required: it wants a log-in. AGENT_FAULT: silent, exit, garbage or huge: what it does instead of answering.
const { AGENT_RESUME: resume = 'resume', AGENT_MCP: transport = 'http', AGENT_AUTH: auth, AGENT_FAULT: fault } = env;

const send = (message) => stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const waiting = new Map();
let asked = 0;
function request(method, params) {
  asked += 1;
  const id = `agent-${asked}`;
  send({ id, method, params });
  return new Promise((resolve) => {
    waiting.set(id, resolve);
  });
}

const sessions = new Map();
const fail = (code, message) => Object.assign(new Error(message), { code });
const update = (sessionId, sessionUpdate, fields) =>
  send({ method: 'session/update', params: { sessionId, update: { sessionUpdate, ...fields } } });
const text = (words) => ({ content: { type: 'text', text: words } });
const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

function open(sessionId, params) {
  sessions.set(sessionId, { servers: params.mcpServers ?? [], isCancelled: false, calls: 0, stopReason: 'end_turn' });
  return sessionId;
}

function reopen({ sessionId, ...params }) {
  if (resume === 'broken' || readSession(sessionId) === null) throw fail(-32002, 'Resource not found');
  return open(sessionId, params);
}

function actor(sessionId, state) {
  const say = (words) => {
    // In two pieces: real agents send a message as it is made.
    const half = Math.ceil(words.length / 2);
    const messageId = newSession();
    update(sessionId, 'agent_message_chunk', { ...text(words.slice(0, half)), messageId });
    update(sessionId, 'agent_message_chunk', { ...text(words.slice(half)), messageId });
  };
  const tool = (kind, title) => {
    state.calls += 1;
    const toolCallId = `call-${state.calls}`;
    update(sessionId, 'tool_call', { toolCallId, title, kind, status: 'pending', rawInput: {} });
    update(sessionId, 'tool_call_update', { toolCallId, status: 'in_progress' });
    return toolCallId;
  };
  const mcp = async (name, input) => {
    const server = state.servers.find((one) => one.name === 'errand');
    if (server === undefined) return { isError: true, content: [{ type: 'text', text: 'no errand server' }] };
    state.mcp ??= await openMcp(server);
    return state.mcp.callTool(name, input);
  };
  const execution_id = env.NOVA_EXECUTION_ID;
  return {
    say,
    think: (words) => update(sessionId, 'agent_thought_chunk', text(words)),
    tool: (kind, title) => {
      update(sessionId, 'tool_call_update', { toolCallId: tool(kind, title), status: 'completed' });
    },
    step: async (step_name, status) => {
      const made = await mcp('create_step', { execution_id, step_name });
      const step_id = made.structuredContent?.data?.step_id;
      if (step_id === undefined) say(`create_step: ${JSON.stringify(made).slice(0, 500)}`);
      else if (status !== 'running') await mcp('update_step', { execution_id, step_id, status });
    },
    plan: (contents) => {
      for (let at = 0; at <= contents.length; at += 1) {
        const entries = contents.map((content, i) => ({
          content,
          priority: 'medium',
          status: i < at ? 'completed' : i === at ? 'in_progress' : 'pending',
        }));
        update(sessionId, 'plan', { entries });
      }
    },
    ask: async (title) => {
      const toolCallId = tool('execute', title);
      const toolCall = { toolCallId, title, kind: 'execute', rawInput: { command: title } };
      const { result } = await request('session/request_permission', { sessionId, toolCall, options: OPTIONS });
      const outcome = result?.outcome?.outcome === 'selected' ? result.outcome.optionId : 'cancelled';
      const status = outcome === 'yes' || outcome === 'always' ? 'completed' : 'failed';
      update(sessionId, 'tool_call_update', { toolCallId, status });
      say(`${title}: ${outcome}`);
    },
    question: async (message) => {
      const requestedSchema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
      const { result } = await request('elicitation/create', { sessionId, mode: 'form', message, requestedSchema });
      say(`${message} ${result?.action}: ${result?.content?.answer ?? ''}`);
    },
    usage: (inputTokens, outputTokens) => {
      state.usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
      update(sessionId, 'usage_update', { used: inputTokens, size: 100_000, cost: { amount: 0.01, currency: 'USD' } });
    },
    mcp: async (name, input) => say(JSON.stringify((await mcp(name, input)).structuredContent ?? null)),
    print: (count, line = 'line') => {
      for (let i = 1; i <= count; i += 1) say(`${line} ${i}`);
    },
    garble: (words) => stdout.write(`${words}\n`),
    stop: (reason) => {
      state.stopReason = reason;
    },
  };
}

async function prompt({ sessionId, prompt: blocks }) {
  const state = sessions.get(sessionId);
  if (state === undefined) throw fail(-32002, 'Resource not found');
  // What comes before the last block is there to be known, not to be done.
  const words = blocks.map((block) => block.text ?? '');
  note('prompt', { agent: 'acp', prompt: words.at(-1), before: words.slice(0, -1).join('\n'), session: sessionId });
  const cancelled = new Promise((resolve) => {
    state.cancel = () => resolve('cancelled');
  });
  const acting = play(words.at(-1) ?? '', sessionId, actor(sessionId, state)).then(() => state.stopReason);
  const stopReason = await Promise.race([acting, cancelled]);
  state.mcp?.close();
  state.mcp = undefined;
  return { stopReason, ...(state.usage === undefined ? {} : { usage: state.usage }) };
}

const methods = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'scripted-acp', version: '1.0.0' },
    agentCapabilities: {
      loadSession: resume === 'load' || resume === 'pretended',
      mcpCapabilities: { http: transport === 'http', sse: false },
      sessionCapabilities: ['resume', 'broken', 'pretended'].includes(resume) ? { resume: {} } : {},
    },
    authMethods: auth === 'required' ? [{ id: 'login', name: 'Log in' }] : [],
  }),
  'session/new': (params) => {
    if (auth === 'required') throw fail(-32000, 'Authentication required');
    const sessionId = open(newSession(), params);
    writeSession(sessionId, {});
    return { sessionId };
  },
  'session/resume': (params) => {
    if (resume === 'pretended') throw fail(-32601, 'Method not found');
    reopen(params);
    return {};
  },
  'session/load': (params) => {
    const sessionId = reopen(params);
    update(sessionId, 'user_message_chunk', text('what was asked before'));
    update(sessionId, 'agent_message_chunk', text('what was said before'));
    update(sessionId, 'tool_call', { toolCallId: 'old', title: 'What was done before', status: 'completed' });
    return {};
  },
  'session/prompt': prompt,
};

async function answer({ id, method, params }) {
  try {
    if (methods[method] === undefined) throw fail(-32601, `Method not found: ${method}`);
    send({ id, result: await methods[method](params ?? {}) });
  } catch (error) {
    send({ id, error: { code: error.code ?? -32603, message: error.message } });
  }
}

note('start', { agent: 'acp', args: argv.slice(2) });
if (fault === 'exit') process.exit(7);
if (fault === 'silent') await setTimeout(600_000);
if (fault === 'garbage') stdout.write('this is not JSON\n[1, 2]\n"text"\n{"id": 99, "jsonrpc": "2.0", "result": {}}\n');
if (fault === 'huge') stdout.write(`${'x'.repeat(10 * 1024 * 1024)}\n`);

for await (const line of createInterface({ input: stdin })) {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  } else if (message.method === 'session/cancel') {
    note('cancel', { agent: 'acp' });
    if (env.AGENT_CANCEL !== 'deaf') sessions.get(message.params.sessionId)?.cancel?.();
  } else if (message.id !== undefined) {
    void answer(message);
  }
}
note('end', { agent: 'acp' });
process.exit(0);
