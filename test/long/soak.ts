import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminToken } from '../e2e/admin.ts';
import { mcpHttp } from '../e2e/drivers/mcp-http.ts';
import { createRandom, type Random } from '../e2e/durability/random.ts';
import { bearer, send, sendJson } from '../e2e/http.ts';
import { cleanEnvironment, temporaryFolder } from '../e2e/program.ts';

const SERVER = join(import.meta.dirname, 'soak-server.ts');
const AT_ONCE = 6;
const QUIET_MS = 1_000;

/** The resources of a process after garbage collection. */
export interface Held {
  readonly heap: number;
  readonly files: number;
  readonly timers: number;
}

export interface Soak {
  readonly seed: number;
  readonly warm_up_ms: number;
  readonly duration_ms: number;
  readonly plant?: 'leak' | undefined;
}

export interface SoakReport {
  readonly calls: number;
  readonly before: Held;
  readonly after: Held;
}

interface Target {
  readonly origin: string;
  readonly token: string;
}

async function addAndDelete({ origin, token }: Target, random: Random): Promise<void> {
  const rest = async (tool: string, args: object) =>
    JSON.parse((await sendJson(origin, `/api/v1/tools/todo_${tool}`, token, args)).text) as Record<string, unknown>;
  const key = `key ${random.next()}`;
  const { task_id } = await rest('add_task', { user_id: 'me', title: key, idempotency_key: key });
  await rest('update_task', { user_id: 'me', task_id, title: `${key} again` });
  await rest('complete_task', { user_id: 'me', task_id });
  await rest('delete_task', { user_id: 'me', task_id });
}

/** Sends a request and disconnects before the answer. */
const vanish = ({ origin, token }: Target): Promise<void> =>
  new Promise((resolve) => {
    const outgoing = request(`${origin}/api/v1/todo/tasks?user_id=me`, { headers: bearer(token), agent: false });
    outgoing.on('error', () => {}).on('close', resolve);
    outgoing.end(() => outgoing.destroy());
  });

const CALLS: readonly ((target: Target, random: Random) => Promise<unknown>)[] = [
  addAndDelete,
  async ({ origin, token }) =>
    (await mcpHttp('2025-11-25', origin).connect(token)).call('list_tasks', { user_id: 'me' }),
  async ({ origin, token }) =>
    (await mcpHttp('2026-07-28', origin).connect(token)).call('list_tasks', { user_id: 'me' }),
  ({ origin, token }) => sendJson(origin, '/api/v1/tools/todo_add_task', token, { user_id: 'me' }),
  ({ origin, token }) => send(origin, { path: '/mcp', headers: bearer(token), body: '{"jsonrpc": ' }),
  ({ origin }) => sendJson(origin, '/mcp', 'errand_user_nobody', {}),
  vanish,
];

/** Makes calls of all kinds until the time is over. Returns how many. */
async function load(target: Target, random: Random, duration_ms: number): Promise<number> {
  const end = performance.now() + duration_ms;
  let calls = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      await CALLS[random.between(0, CALLS.length - 1)]?.(target, random);
      calls++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  // Wait until the last calls have been cleaned up.
  await sleep(QUIET_MS);
  return calls;
}

async function ask(child: ChildProcess): Promise<Held> {
  const answer = once(child, 'message') as Promise<[Held]>;
  child.send('measure');
  return (await answer)[0];
}

async function originOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The server has no output.');
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  child.stdout.resume();
  const { mcp } = JSON.parse(line.split('\n')[0] ?? '') as { mcp: string };
  return new URL(mcp).origin;
}

/** Measures a server's resources before and after a period of mixed calls. */
export async function soak({ seed, warm_up_ms, duration_ms, plant }: Soak): Promise<SoakReport> {
  await using folder = await temporaryFolder();
  const token = await adminToken({ data: folder.path });
  const child = fork(SERVER, [folder.path, ...(plant === undefined ? [] : [plant])], {
    env: cleanEnvironment(),
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  try {
    const target = { origin: await originOf(child), token };
    const random = createRandom(seed);
    await load(target, random, warm_up_ms);
    const before = await ask(child);
    const calls = await load(target, random, duration_ms);
    return { calls, before, after: await ask(child) };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
