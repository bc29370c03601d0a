import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { adminOf } from '../../../test/e2e/admin.ts';
import { mcpHeaders, rpc } from '../../../test/e2e/drivers/mcp-messages.ts';
import { bearer, type Sent, send } from '../../../test/e2e/http.ts';
import { cleanEnvironment } from '../../../test/e2e/program.ts';
import { seedBoard } from '../board-seed.ts';
import { serve } from '../errand.ts';
import { openReporters } from '../reporters.ts';
import { openStdio, type Stdio } from './stdio.ts';

const run = promisify(execFile);
const REVISION = '2026-07-28';
const SCOPES = ['admin', 'todo:read', 'todo:write', 'execution:report', 'board:read', 'board:write'];
const ROWS = 10;
/** A quarter of them can be claimed. */
const BOARD = { tasks: 20_000, attempts: 1, cancelled: 0 };
const A_TASK = '00000000-0000-7000-8000-100000000005';
const RUNS = { runs: 100, at_once: 20, steps: 20 };

/** One server of a comparison, with the requests that are made of it. */
export interface Subject extends AsyncDisposable {
  readonly pid: number;
  readonly stdio: Stdio;
  /** Sends the request of a path. Throws for an answer that reports an error. */
  readonly ask: (path: HttpPath) => Promise<void>;
}

export const HTTP_PATHS = [
  'add_task',
  'list_tasks',
  'get_task',
  'create_step',
  'next_task',
  'board list by REST',
  'tools/list',
] as const;
export type HttpPath = (typeof HTTP_PATHS)[number];

/** Starts a program with the same data as every other subject: a todo list, a large board and runs that report. */
export async function openSubject(program: string, data: string): Promise<Subject> {
  await using opened = new AsyncDisposableStack();
  const json = async (...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const { stdout } = await run(execPath, [program, ...words, '--data', data, '--json'], { env: cleanEnvironment() });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const project_id = String((await json('project', 'add', 'Shop')).project_id);
  const named = ['token', 'create', '--kind', 'user', '--name', 'bench', '--scopes', SCOPES.join(',')];
  const token = String((await json(...named)).token);
  const { origin, pid } = opened.use(await serve({ data }, program));
  await seedBoard({ data }, { project_id, ...BOARD });
  const requests = await requestsOf(origin, token, project_id);

  const ask = async (path: HttpPath): Promise<void> => {
    const { status, text } = await send(origin, requests[path]());
    if (status >= 300 || text.includes('"isError":true')) throw new Error(`${path} answered ${status}: ${text}`);
  };
  const stdio = opened.use(await openStdio(program, data));
  const all = opened.move();
  return { pid, stdio, ask, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function requestsOf(origin: string, token: string, project_id: string) {
  const admin = adminOf(origin, token);
  const personal = async (name: string) => {
    const user_id = await admin.addUser(name);
    return { user_id, token: (await admin.createToken({ kind: 'user', user_id })).token };
  };
  const mcp = (profile: string, as: string, method: string, params: object = {}): Sent => {
    const message = rpc(REVISION, 1, method, { ...params });
    return { path: `/mcp/${profile}`, headers: mcpHeaders(REVISION, as, message), body: JSON.stringify(message) };
  };
  const writer = await personal('writer');
  const reader = await personal('reader');
  let keys = 0;
  const addTask = ({ user_id, token: as }: typeof writer): Sent => {
    const idempotency_key = `bench-${++keys}`;
    const args = { user_id, title: `Buy groceries ${keys}`, description: 'Milk, bread and eggs', idempotency_key };
    return mcp('todo', as, 'tools/call', { name: 'add_task', arguments: args });
  };
  for (let row = 0; row < ROWS; row++) await send(origin, addTask(reader));
  const { paths, shot } = await openReporters({ origin, admin, user_id: writer.user_id }, RUNS);
  const list = { name: 'list_tasks', arguments: { user_id: reader.user_id } };
  const fixed = {
    list_tasks: mcp('todo', reader.token, 'tools/call', list),
    get_task: mcp('board', token, 'tools/call', { name: 'get_task', arguments: { task_id: A_TASK } }),
    next_task: mcp('board', token, 'tools/call', { name: 'next_task', arguments: { project_id } }),
    'board list by REST': {
      method: 'GET',
      path: `/api/v1/board/projects/${project_id}/tasks?limit=50`,
      headers: bearer(token),
    },
    'tools/list': mcp('todo', reader.token, 'tools/list'),
  };
  let steps = 0;
  const step = (): Sent => ({ path: paths[++steps % paths.length] ?? '', headers: shot.headers, body: shot.body });
  return {
    add_task: () => addTask(writer),
    list_tasks: () => fixed.list_tasks,
    get_task: () => fixed.get_task,
    create_step: step,
    next_task: () => fixed.next_task,
    'board list by REST': () => fixed['board list by REST'],
    'tools/list': () => fixed['tools/list'],
  } satisfies Readonly<Record<HttpPath, () => Sent>>;
}
