import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { adminOf, adminToken } from '../admin.ts';
import { type Server, serve, sourceEnvironment, temporaryFolder } from '../program.ts';

export interface FloodOptions {
  readonly seconds: number;
  /** Of each abuser. */
  readonly connections: number;
  /** The tasks of each token that requests lists without reading them. */
  readonly tasks: number;
  /** Settings of the server under test. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The measurements of a well-behaved token and of the operator's probes. */
export interface FloodReport {
  readonly calls: number;
  readonly errors: readonly string[];
  readonly p99_ms: number;
  readonly max_rss_mb: number;
  /** Every answer of `/healthz` and `/readyz` that was not 200. */
  readonly probe_errors: readonly string[];
  /** How long after the flood the server needed to answer as before, with no connection of the flood left. */
  readonly recovery_ms: number;
  readonly has_recovered: boolean;
  readonly is_alive: boolean;
}

const TOKENS = 7;
const WIDE = '字'.repeat(1_000);
const RECOVERED_MS = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
}

const ask = (origin: string, { method = 'GET', path, token, body }: Ask): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }),
    };
    const req = request(origin + path, { method, agent, headers, timeout: 20_000 }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text })).on('error', reject);
    });
    req.on('timeout', () => req.destroy(new Error('no answer in 20 s'))).on('error', reject);
    req.end(body === undefined ? undefined : JSON.stringify(body));
  });

const callTool = (origin: string, token: string, name: string, args: object) =>
  ask(origin, {
    method: 'POST',
    path: '/mcp/todo',
    token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });

const rssOf = ({ pid }: Server): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Calls as a well-behaved client, one call after another, until the signal. */
async function behave(origin: string, token: string, signal: AbortSignal) {
  const took: number[] = [];
  const errors: string[] = [];
  for (let turn = 0; !signal.aborted; turn += 1) {
    const began = performance.now();
    const said = await (turn % 10 === 0
      ? callTool(origin, token, 'add_task', { user_id: 'me', title: `Task ${turn}` })
      : callTool(origin, token, 'list_tasks', { user_id: 'me', limit: 10 })
    ).catch((error: Error) => ({ status: 0, text: error.message }));
    took.push(performance.now() - began);
    if (said.status !== 200 || said.text.includes('"isError":true')) {
      errors.push(`${said.status} ${said.text.slice(0, 200)}`);
    }
    await pause(10);
  }
  return { took, errors };
}

async function probe(origin: string, signal: AbortSignal): Promise<readonly string[]> {
  const errors: string[] = [];
  while (!signal.aborted) {
    for (const path of ['/healthz', '/readyz']) {
      const { status, text } = await ask(origin, { path }).catch((error: Error) => ({
        status: 0,
        text: error.message,
      }));
      if (status !== 200) errors.push(`${path} ${status} ${text.slice(0, 100)}`);
    }
    await pause(200);
  }
  return errors;
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

/** Runs all abusers at once against a new server, with a well-behaved client beside them. */
export async function flood({ seconds, connections, tasks, settings = {} }: FloodOptions): Promise<FloodReport> {
  await using folder = await temporaryFolder();
  await using server = await serve({ data: folder.path }, { ERRAND_WRITE_TIMEOUT: '5', ...settings });
  const { origin } = server;
  const admin = adminOf(origin, await adminToken({ data: folder.path }));
  const newToken = async (name: string): Promise<string> => {
    const user_id = await admin.addUser(name);
    const scopes = ['todo:read', 'todo:write', 'execution:report'];
    return (await admin.createToken({ kind: 'user', user_id, scopes })).token;
  };
  const good = await newToken('good');
  const tokens: string[] = [];
  for (let index = 0; index < TOKENS; index += 1) tokens.push(await newToken(`abuser ${index}`));
  for (const token of tokens.slice(0, 2)) {
    const add = () => callTool(origin, token, 'add_task', { user_id: 'me', title: 'wide', description: WIDE });
    await Promise.all(Array.from({ length: tasks }, add));
  }
  for (let index = 0; index < 10; index += 1) {
    await callTool(origin, good, 'add_task', { user_id: 'me', title: `Task ${index}` });
  }

  const ms = seconds * 1_000;
  const order = JSON.stringify({ port: Number(new URL(origin).port), tokens, connections, ms });
  const child = spawn(execPath, [join(import.meta.dirname, 'run-abusers.ts'), order], {
    env: sourceEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const over = once(child, 'close');
  const stop = new AbortController();
  let max_rss_mb = 0;
  const watch = setInterval(() => {
    max_rss_mb = Math.max(max_rss_mb, rssOf(server));
  }, 200);
  const behaving = behave(origin, good, stop.signal);
  const probing = probe(origin, stop.signal);
  await over;
  const ended = performance.now();
  stop.abort();
  clearInterval(watch);
  const [{ took, errors }, probe_errors] = await Promise.all([behaving, probing]);

  const recovered = AbortSignal.timeout(RECOVERED_MS);
  const isClear = async (): Promise<boolean> => {
    const said = await callTool(origin, tokens[3] ?? '', 'list_tasks', { user_id: 'me' });
    const pages = await ask(origin, { path: '/openapi.json' });
    return said.status === 200 && pages.status === 200;
  };
  while (!recovered.aborted && !(await isClear().catch(() => false))) await pause(100);
  const recovery_ms = performance.now() - ended;
  const { status } = await ask(origin, { path: '/healthz' }).catch(() => ({ status: 0 }));

  return {
    calls: took.length,
    errors,
    p99_ms: percentile(took, 0.99),
    max_rss_mb,
    probe_errors,
    recovery_ms,
    has_recovered: !recovered.aborted,
    is_alive: status === 200,
  };
}
