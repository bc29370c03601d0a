import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { env, exit, kill, pid } from 'node:process';
import { setTimeout } from 'node:timers/promises';

/** Appends one line to the log of all agents, by which tests count what was started. */
export function note(event, facts = {}) {
  if (!env.AGENT_LOG) return;
  const execution_id = env.NOVA_EXECUTION_ID ?? null;
  appendFileSync(env.AGENT_LOG, `${JSON.stringify({ event, execution_id, pid, ...facts })}\n`);
}

const fileOf = (session) => join(env.STATE_DIR ?? join(env.HOME, '.scripted-agent'), `${session}.json`);

export const newSession = () => randomUUID();

/** What was remembered in a session; null when there is none of this name. */
export function readSession(session) {
  try {
    return JSON.parse(readFileSync(fileOf(session), 'utf8'));
  } catch {
    return null;
  }
}

export function writeSession(session, memory) {
  mkdirSync(dirname(fileOf(session)), { recursive: true });
  writeFileSync(fileOf(session), JSON.stringify(memory));
}

/** Calls Errand with the token of the run. Resolves to the status and what was answered. */
export async function call(method, path, body) {
  const response = await fetch(new URL(path, env.ERRAND_URL), {
    method,
    headers: { authorization: `Bearer ${env.ERRAND_TOKEN}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : null };
}

function writeText(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

/** Starts a program that outlives this one, in a session of its own and deaf to a polite request to end. */
function spawnOrphan(file) {
  const child = spawn('/bin/sh', ['-c', 'trap "" TERM; while :; do sleep 1; done'], {
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  if (file) writeText(file, String(child.pid));
}

/** Instructions of earlier prompts for a prompt with these words: so an agent mends what it is told of. */
const promised = (session, prompt) =>
  (readSession(session)?.later ?? []).filter(({ words }) => prompt.includes(words)).map(({ line }) => line);

function promise(session, rest) {
  const [, words, line] = rest.match(/^"([^"]+)" (.*)$/);
  const memory = readSession(session);
  writeSession(session, { ...memory, later: [...(memory?.later ?? []), { words, line }] });
}

/** Runs the instructions of a prompt, one a line; lines that are none are passed over. */
export async function play(prompt, session, agent) {
  const actions = {
    say: (text) => agent.say(text),
    think: (text) => agent.think?.(text),
    write: (file, text) => writeText(file, text),
    append: (file, text) => appendFileSync(file, `${text}\n`),
    delete: (file) => rmSync(file),
    step: (name) => agent.step(name, 'completed'),
    'open-step': (name) => agent.step(name, 'running'),
    plan: (entries) => agent.plan(entries.split('|')),
    tool: (kind, title) => agent.tool?.(kind, title),
    ask: (title) => agent.ask(title),
    question: (text) => agent.question(text),
    usage: (input, output) => agent.usage?.(Number(input), Number(output)),
    mcp: (tool, input) => agent.mcp(tool, JSON.parse(input || '{}')),
    api: async (method, rest) => {
      const [, path, body] = rest.match(/^(\S+)\s*(.*)$/);
      const { status, text } = await call(method, path, body === '' ? undefined : JSON.parse(body));
      await agent.say(`${status} ${text}`);
    },
    sleep: (ms) => setTimeout(Number(ms)),
    remember: (pair) => {
      const [key, value] = pair.split('=');
      writeSession(session, { ...readSession(session), [key]: value });
    },
    later: (rest) => promise(session, rest),
    // Several agents may have one prompt.
    only: (name, line) => (name === env.AGENT_NAME ? act(line) : undefined),
    recall: (key) => agent.say(`${key} is ${readSession(session)?.[key] ?? 'forgotten'}`),
    'dump-env': (file) => writeText(file, JSON.stringify(env)),
    commit: (message) => {
      execFileSync('git', ['add', '--all']);
      execFileSync('git', ['-c', 'user.name=Agent', '-c', 'user.email=agent@localhost', 'commit', '-qm', message]);
    },
    'spawn-orphan': (file) => spawnOrphan(file),
    print: (count, text) => agent.print(Number(count), text),
    garble: (text) => agent.garble?.(text),
    stop: (reason) => agent.stop?.(reason),
    exit: (code) => exit(Number(code)),
    crash: async () => {
      kill(pid, 'SIGSEGV');
      await setTimeout(60_000);
    },
  };
  // These take everything behind their name as one.
  const whole = new Set(['say', 'think', 'step', 'open-step', 'plan', 'ask', 'question', 'commit', 'garble', 'later']);
  const act = async (line) => {
    const [, name, rest] = line.match(/^(\S+)\s*(.*)$/) ?? [];
    const action = Object.hasOwn(actions, name ?? '') ? actions[name] : undefined;
    if (action === undefined) return;
    const [, first, second] = rest.match(/^(\S*)\s*(.*)$/);
    await (whole.has(name) ? action(rest) : action(first, second));
  };
  for (const line of [...promised(session, prompt), ...prompt.split('\n')]) await act(line);
}
