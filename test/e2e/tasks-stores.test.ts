import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { adminOf, adminToken } from './admin.ts';
import { mcpHeaders, rpc } from './drivers/mcp-messages.ts';
import { send } from './http.ts';
import { errand, placeFlags, serve, temporaryFolder } from './program.ts';
import { type Backend, openPlace } from './world.ts';

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

async function ask(origin: string, token: string, method: string, params: object): Promise<Answer> {
  const message = rpc('2025-11-25', 1, method, { ...params });
  const headers = { ...mcpHeaders('2025-11-25', token, message), accept: 'application/json' };
  return JSON.parse((await send(origin, { path: '/mcp', headers, body: JSON.stringify(message) })).text) as Answer;
}

interface Trial {
  readonly name: string;
  readonly backend: Backend;
  readonly store: () => Readonly<Record<string, string>>;
  readonly survives: boolean;
}

const TRIALS: readonly Trial[] = [
  { name: 'SQLite unless told otherwise', backend: 'sqlite', store: () => ({}), survives: true },
  { name: 'the database of Postgres unless told otherwise', backend: 'postgres', store: () => ({}), survives: true },
  {
    name: 'Redis',
    backend: 'sqlite',
    store: () => ({ ERRAND_TASK_STORE: inject('redisUrl') }),
    survives: true,
  },
  { name: 'memory', backend: 'sqlite', store: () => ({ ERRAND_TASK_STORE: 'memory' }), survives: false },
];

describe.concurrent.each(TRIALS)('errand serve with its tasks in $name', ({ backend, store, survives }) => {
  it('[TEST-08, R1] answers a task, and after kill -9 whatever the store kept', async () => {
    await using place = await openPlace(backend);
    const extra = store();
    await using first = await serve(place, extra);
    const admin = adminOf(first.origin, await adminToken(place));
    const user_id = await admin.addUser('Al');
    const { token } = await admin.createToken({ kind: 'user', user_id });
    const call = { name: 'todo_add_task', arguments: { user_id, title: `Milk ${randomUUID()}` }, task: {} };
    const { result = {} } = await ask(first.origin, token, 'tools/call', call);
    const { taskId } = result.task as { taskId: string };
    const before = await ask(first.origin, token, 'tasks/result', { taskId });

    await first.stop('SIGKILL');
    await using second = await serve(place, extra);
    const after = await ask(second.origin, token, 'tasks/result', { taskId });
    const listed = await ask(second.origin, token, 'tasks/list', {});

    expect(before.result).toMatchObject({ structuredContent: { status: 'created' } });
    expect(after).toEqual(
      survives ? before : { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code: -32602 }) },
    );
    expect(listed.result?.tasks).toHaveLength(survives ? 1 : 0);
  });
});

describe.concurrent('two installations that share a store of tasks', () => {
  it('[O2, R7] do their own work only', async () => {
    await using here = await openPlace('sqlite');
    await using there = await openPlace('sqlite');
    const extra = { ERRAND_TASK_STORE: inject('redisUrl') };
    await using first = await serve(here, extra);
    await using _second = await serve(there, extra);
    const admin = adminOf(first.origin, await adminToken(here));
    const user_id = await admin.addUser('Al');
    const { token } = await admin.createToken({ kind: 'user', user_id });

    const titles = Array.from({ length: 40 }, (_, i) => `Milk ${i}`);
    const made = await Promise.all(
      titles.map((title) =>
        ask(first.origin, token, 'tools/call', { name: 'todo_add_task', arguments: { user_id, title }, task: {} }),
      ),
    );
    const ended = await Promise.all(
      made.map(({ result = {} }) => {
        const { taskId } = result.task as { taskId: string };
        return ask(first.origin, token, 'tasks/result', { taskId });
      }),
    );
    const { result = {} } = await ask(first.origin, token, 'tools/call', {
      name: 'todo_list_tasks',
      arguments: { user_id, limit: 100 },
    });

    expect(ended.filter((answer) => answer.result?.isError === true || answer.error !== undefined)).toEqual([]);
    expect((result.structuredContent as { tasks: object[] }).tasks).toHaveLength(40);
  });
});

const AWAY = {
  'store of tasks': { env: { ERRAND_TASK_STORE: 'redis://127.0.0.1:1' }, says: 'ERRAND_TASK_STORE, redis' },
  database: { env: { ERRAND_DATABASE_URL: 'postgres://errand@127.0.0.1:1/errand' }, says: '127.0.0.1:1' },
} as const;

describe.concurrent('a start that fails half-way', () => {
  it.each([
    ['store of tasks', ['serve', '--port', '0']],
    ['store of tasks', ['worker']],
    ['store of tasks', ['mcp']],
    ['database', ['serve', '--port', '0']],
    ['database', ['worker']],
    ['database', ['mcp']],
    ['database', ['task', 'list']],
    ['database', ['task', 'add', 'Buy milk']],
  ] as const)('for want of the %s ends errand %j with one line', async (part, command) => {
    await using folder = await temporaryFolder();
    const { env, says } = AWAY[part];

    const { code, stderr } = await errand([...command, '--data', folder.path], env);

    expect({
      code,
      lines: stderr
        .trim()
        .split('\n')
        .filter((line) => line.includes(says)),
    }).toEqual({
      code: 5,
      lines: [expect.stringContaining(says)],
    });
  });
});

describe('errand serve', () => {
  it('refuses an unknown store of tasks', async () => {
    await using place = await openPlace('sqlite');

    const { code, stderr } = await errand(['serve', '--port', '0', ...placeFlags(place)], {
      ERRAND_TASK_STORE: 'mysql',
    });

    expect(code).toBe(2);
    expect(stderr).toContain('ERRAND_TASK_STORE');
  });
});
