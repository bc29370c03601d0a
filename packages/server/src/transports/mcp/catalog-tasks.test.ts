import { createTasks, type JsonObject, type TaskContext } from '@errand/tasks';
import { memoryStore } from '@errand/tasks/memory';
import { describe, expect, it } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createServed } from '#testing/served';
import { createWorld } from '#testing/world';
import { catalog } from '#tools/catalog';
import { createTaskPart, createTaskTools } from './catalog-tasks.ts';

type Answer = { readonly result?: Record<string, unknown>; readonly error?: Record<string, unknown> };

const taskIdOf = ({ result }: Answer): string => (result?.task as { taskId: string } | undefined)?.taskId ?? '';

/** Clients of both protocol generations, for the token's owner and for another user. */
async function aServer() {
  const served = await createServed();
  const bearer = async (fields: Record<string, unknown>) =>
    `Bearer ${String((await served.world.token({ kind: 'user', name: 'other', scopes: ['todo:read'], ...fields })).token)}`;

  const post = async (path: string, body: unknown, headers: Record<string, string>): Promise<Answer> =>
    (await served.call('POST', path, body, { accept: 'application/json, text/event-stream', ...headers })).json;

  const in2025 = (method: string, params: object, { path = '/mcp', ...headers }: Record<string, string> = {}) =>
    post(path, { jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': '2025-11-25', ...headers });

  const in2026 = (method: string, params: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { extensions },
    };
    const name = String(params.taskId ?? params.name ?? '');
    return post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== '' && { 'mcp-name': name }),
        ...headers,
      },
    );
  };

  const create = async (name: string, args: object, headers?: Record<string, string>) => {
    const { result } = await in2025('tools/call', { name, arguments: args, task: { ttl: 60_000 } }, headers);
    return (result?.task ?? {}) as { readonly taskId: string; readonly status: string; readonly ttl: number };
  };
  return { ...served, bearer, in2025, in2026, create, [Symbol.asyncDispose]: served[Symbol.asyncDispose] };
}

describe('Errand’s tools as tasks', () => {
  it('say that the database is away, and do not ask for another token', async () => {
    await using server = await aServer();
    await server.world.store.close();

    const [listed, found] = [
      await server.in2025('tasks/list', {}),
      await server.in2026('tasks/get', { taskId: 'any' }),
    ];

    for (const { error } of [listed, found]) {
      expect(error).toMatchObject({ message: expect.stringContaining('database') });
      expect(String(error?.message)).not.toContain('token');
    }
  });

  it('[INTG-01, INTG-02, SPEC-02, A9] are offered in both generations', async () => {
    await using server = await aServer();

    const initialized = await server.in2025('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    const listed = await server.in2025('tools/list', {});
    const discovered = await server.in2026('server/discover', {});

    const requests = { tools: { call: {} } };
    expect(initialized.result?.capabilities).toMatchObject({ tasks: { cancel: {}, list: {}, requests } });
    expect(initialized.result?.capabilities).toMatchObject({ experimental: { tasks: { requests } } });
    const tools = (listed.result?.tools ?? []) as readonly { readonly execution?: unknown }[];
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.filter(({ execution }) => JSON.stringify(execution) !== '{"taskSupport":"optional"}')).toEqual([]);
    expect(discovered.result?.capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
  });

  it('[INTG-03, INTG-06, SPEC-03, TEST-08, A2, A4] do their work once, and answer as the call itself would', async () => {
    await using server = await aServer();
    const task = await server.create('todo_add_task', { user_id: 'me', title: 'Buy milk' });

    const { result } = await server.in2025('tasks/result', { taskId: task.taskId });
    const { tasks } = await server.world.ask('todo_list_tasks', { user_id: 'me' });

    expect(task).toMatchObject({ status: 'working', ttl: 60_000 });
    expect(result).toMatchObject({ structuredContent: { status: 'created', title: 'Buy milk' } });
    expect(result?._meta).toEqual({ 'io.modelcontextprotocol/related-task': { taskId: task.taskId } });
    expect(tasks).toMatchObject([{ title: 'Buy milk' }]);
  });

  it('[R7] do their work once, also when it is started again after its worker died', async () => {
    await using world = await createWorld();
    const { 'here:todo_add_task': run } = createTaskTools({
      gateway: world.gateway,
      tools: catalog,
      namespace: 'here',
      settle: () => Promise.reject(new Error('nothing is asked')),
    });
    const context = { pass: world.gateway.passOf(world.owner), profile: 'all', transport: 'mcp-http' };
    const args = { user_id: 'me', title: 'Buy milk' };
    // The part of the task context that this work uses.
    const task = { task_id: crypto.randomUUID(), arguments: args, context } as unknown as TaskContext;

    const first = await run?.(task);
    const second = await run?.(task);

    expect(second).toEqual(first);
    expect((await world.ask('todo_list_tasks', { user_id: 'me' })).tasks).toHaveLength(1);
  });

  it('[A7, B6] that fail say so in the words of their profile', async () => {
    await using server = await aServer();
    const call = { user_id: 'me', task_id: '00000000-0000-7000-8000-000000000000' };

    const all = await server.create('todo_complete_task', call);
    const todo = await server.create('complete_task', call, { path: '/mcp/todo' });
    const [inAll, inTodo] = await Promise.all(
      [all, todo].map(async ({ taskId }) => (await server.in2025('tasks/result', { taskId })).result),
    );
    const { result: later } = await server.in2026('tasks/get', { taskId: all.taskId });

    expect(inAll).toMatchObject({ isError: true, structuredContent: { error: { code: 'TASK_NOT_FOUND' } } });
    expect(JSON.stringify(inAll)).toContain('todo_list_tasks');
    expect(JSON.stringify(inTodo)).toMatch(/[^_]list_tasks/);
    expect(later).toMatchObject({ status: 'completed', result: { isError: true, resultType: 'complete' } });
  });

  it('[O2, SEC-02, SEC-03] belong to the token’s owner in both generations', async () => {
    await using server = await aServer();
    const user_id = await server.world.addUser('Mallory');
    const { taskId } = await server.create('todo_add_task', { user_id: 'me', title: 'Buy milk' });
    const headers = { authorization: await server.bearer({ user_id }) };

    const foreign = await server.in2025('tasks/get', { taskId }, headers);
    const unknown = await server.in2025('tasks/get', { taskId: crypto.randomUUID() }, headers);
    const listed = await server.in2025('tasks/list', {}, headers);
    const modern = await server.in2026('tasks/get', { taskId }, headers);
    const own = await server.in2025('tasks/list', {});

    expect(foreign).toEqual(unknown);
    expect(foreign.error).toMatchObject({ code: -32602 });
    expect(modern.error).toMatchObject({ code: -32602 });
    expect(listed.result).toEqual({ tasks: [] });
    expect(own.result?.tasks).toMatchObject([{ taskId }]);
  });

  it('[O2, SEC-02] are found by a token of their owner only if it may call the tool itself', async () => {
    await using server = await aServer();
    const { taskId } = await server.create('todo_add_task', { user_id: 'me', title: 'Secret' });
    const bearers = {
      narrow: await server.bearer({ user_id: server.world.owner.user_id, scopes: ['todo:read'] }),
      equal: await server.bearer({ user_id: server.world.owner.user_id, scopes: ['todo:write'] }),
    };
    const asked = async (authorization: string, id: string) => [
      await server.in2025('tasks/get', { taskId: id }, { authorization }),
      await server.in2025('tasks/result', { taskId: id }, { authorization }),
      await server.in2025('tasks/cancel', { taskId: id }, { authorization }),
      await server.in2026('tasks/get', { taskId: id }, { authorization }),
      await server.in2026('tasks/update', { taskId: id, inputResponses: {} }, { authorization }),
      await server.in2026('tasks/cancel', { taskId: id }, { authorization }),
    ];

    const narrow = await asked(bearers.narrow, taskId);
    const listed = await server.in2025('tasks/list', {}, { authorization: bearers.narrow });
    const equal = await server.in2025('tasks/result', { taskId }, { authorization: bearers.equal });

    expect(narrow).toEqual(await asked(bearers.narrow, crypto.randomUUID()));
    expect(listed.result).toEqual({ tasks: [] });
    expect(equal.result).toMatchObject({ structuredContent: { title: 'Secret' } });
  });

  it('[O2, SEC-02] made by a caller who may act for every user are not found by one who may not', async () => {
    await using server = await aServer();
    const bob = await server.world.addUser('Bob');
    await server.world.ask('todo_add_task', { user_id: bob, title: 'Secret of Bob' });
    const { user_id } = server.world.owner;
    const pass = server.world.gateway.passOf(server.world.owner);
    const { task_id: taskId } = await server.tasks.create({
      owner_id: `sub:${user_id}`,
      tool: `${server.namespace}:todo_list_tasks`,
      arguments: { user_id: bob },
      context: { pass, acts_for: '*', profile: 'all', transport: 'mcp-stdio', correlation_id: null },
    });
    const { outcome } = await server.tasks.wait(`sub:${user_id}`, taskId);

    const asked = await server.in2025('tasks/result', { taskId });
    const listed = await server.in2025('tasks/list', {});

    expect(JSON.stringify(outcome)).toContain('Secret of Bob');
    expect(asked.error).toMatchObject({ code: -32_602 });
    expect(listed.result).toEqual({ tasks: [] });
  });

  it('[O2, SEC-02, TSK-16] are no longer found by an agent that lost a project', async () => {
    await using server = await aServer();
    const { ask } = server.world;
    const add = async (name: string) => (await ask('admin_add_project', { name })).project_id as string;
    const [kept, lost] = [await add('Kept'), await add('Lost')];
    const { agent_id, token } = await ask('admin_create_agent', {
      name: 'robot',
      project_ids: [kept, lost],
      scopes: ['project:read', 'todo:read'],
    });
    const authorization = `Bearer ${String(token)}`;
    const start = async (name: string, args: object) => {
      const made = await server.in2025('tools/call', { name, arguments: args, task: {} }, { authorization });
      return taskIdOf(made);
    };
    const context = await start('tasker_get_project_context', { project_id: lost });
    const todos = await start('todo_list_tasks', { user_id: 'me' });
    const result = (taskId: string) => server.in2025('tasks/result', { taskId }, { authorization });
    const before = await result(context);
    await ask('admin_grant_agent', { agent_id, project_id: await add('More'), scopes: ['project:read'] });
    const widened = await result(context);

    await ask('admin_ungrant_agent', { agent_id, project_id: lost });

    expect(before.result).toBeDefined();
    expect(widened.result).toEqual(before.result);
    expect((await result(context)).error).toMatchObject({ code: -32602 });
    expect((await result(todos)).result).toBeDefined();
  });

  it('[TSK-37] need their key as tasks too', async () => {
    await using server = await aServer();
    const project_id = (await server.world.ask('admin_add_project', { name: 'Site' })).project_id as string;
    const { token } = await server.world.ask('admin_create_agent', {
      name: 'robot',
      project_ids: [project_id],
      scopes: ['issue:create'],
    });
    const authorization = `Bearer ${String(token)}`;

    const made = await server.in2025(
      'tools/call',
      { name: 'tasker_create_issue', arguments: { project_id, name: 'Card' }, task: {} },
      { authorization },
    );
    const { result } = await server.in2025('tasks/result', { taskId: taskIdOf(made) }, { authorization });

    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'validation_error' } } });
  });

  it('[O1] do not start when the token behind them was revoked meanwhile', async () => {
    await using server = await aServer();
    const { token, token_id } = await server.world.token({});
    const pass = server.world.gateway.passOf(await server.world.gateway.authenticate(String(token)));
    await server.world.ask('admin_revoke_token', { token_id });

    const { task_id } = await server.tasks.create({
      owner_id: 'sub:someone',
      tool: `${server.namespace}:todo_add_task`,
      arguments: { user_id: 'me', title: 'Buy milk' },
      context: { pass, acts_for: 'self', profile: 'all', transport: 'mcp-http', correlation_id: null },
    });

    const { outcome } = await server.tasks.wait('sub:someone', task_id);
    expect(outcome).toMatchObject({ kind: 'rpc_error', error: { message: expect.stringContaining('revoked') } });
    expect((await server.world.ask('todo_list_tasks', { user_id: 'me' })).tasks).toEqual([]);
  });

  it('[A6] that are cancelled before their work has begun start nothing', async () => {
    await using world = await createWorld();
    const { gateway, owner } = world;
    const { task_id: item, repo_id } = await aBoard(world);
    await aWorker(world);
    const settle = () => Promise.reject(new Error('nothing is asked'));
    const engine = createTasks({
      store: memoryStore(),
      tools: createTaskTools({ gateway, tools: catalog, namespace: 'here', settle }),
      worker: { concurrency: 0 },
    });
    const part = createTaskPart({
      ...{ tasks: engine, gateway, tools: catalog, namespace: 'here', profile: 'board', transport: 'mcp-http' },
    });
    const args = { task_id: item, executor: 'scripted', repos: [{ repo_id }] } as JsonObject;
    const tasks = part.tasksOf(owner);
    const rights = gateway.rightsForTask(owner);
    const context = { pass: gateway.passOf(owner), ...rights, profile: 'board', transport: 'mcp-http' };
    const owner_id = 'sub:someone';
    const { task_id } = await tasks.create({ owner_id, tool: 'start_task_attempt', arguments: args, context });

    const cancelled = await tasks.cancel(owner_id, task_id);

    expect(cancelled.status).toBe('cancelled');
    expect((await world.ask('list_task_attempts', { task_id: item })).attempts).toEqual([]);
    await engine.close();
  });

  it('[A2] of a hidden tool, or of an unknown one, are not made', async () => {
    await using server = await aServer();

    const admin = await server.in2025('tools/call', { name: 'admin_add_user', arguments: { name: 'x' }, task: {} });
    const none = await server.in2025('tools/call', { name: 'no_such_tool', arguments: {}, task: {} });

    expect(admin.error).toBeDefined();
    expect(none.error).toBeDefined();
    expect((await server.in2025('tasks/list', {})).result).toEqual({ tasks: [] });
  });
});
