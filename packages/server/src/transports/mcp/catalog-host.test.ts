import { a2025Request, a2026Request, openHttp } from '@errand/mcp/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { say } from '#advice';
import type { Call, Gateway, Outcome } from '#gateway/gateway';
import { taskVisibility } from '#gateway/task-visibility';
import { catalog, type Tool } from '#tools/catalog';
import { type Definition, defineTool } from '#tools/define';
import { isObject, type JsonObject } from '#transports/json';
import { type Caller, createCatalogHost } from './catalog-host.ts';
import { createWording } from './catalog-wording.ts';

const input = z.object({
  title: z.string().describe('What to do.'),
  due: z.string().default('never').describe('When.'),
});
const output = z.object({ id: z.string().describe('Its id.') });

const addTask: Definition = defineTool({
  name: 'add_task',
  title: 'Add a task',
  description: 'Adds a task.',
  scope: 'todo:write',
  effect: 'create',
  route: 'POST /todos',
  input,
  output,
  run: async () => ({ id: 'a' }),
});

const tool = (definition: Definition, profile: Tool['profile'], prefix: string): Tool => ({
  ...definition,
  profile,
  full_name: `${prefix}${definition.name}`,
});

const add = tool(addTask, 'todo', 'todo_');
const list = tool({ ...addTask, name: 'list_tasks', effect: 'read', idempotent: true }, 'todo', 'todo_');
const remove = tool(
  {
    ...addTask,
    destructive: true,
    name: 'delete_task',
    effect: 'delete',
    description: 'Deletes a task.',
    input: z.object({ title: z.string().describe('Its title.') }),
  },
  'todo',
  'todo_',
);
const hidden = tool({ ...addTask, name: 'for_people', mcp: false }, 'todo', 'todo_');
const block = tool({ ...addTask, name: 'block_user' }, 'admin', 'admin_');
const TOOLS = [add, list, remove, hidden, block];

// A stand-in for a caller: the gateway below only reads which tools it may see.
const caller = (scope_key: string): Caller => ({ scope_key }) as Caller;

function aGateway(answer: (call: Call) => Outcome): Gateway & { readonly calls: Call[] } {
  const calls: Call[] = [];
  const visible = new Map([
    ['all', TOOLS],
    ['read', [list]],
  ]);
  return {
    calls,
    authenticate: async () => caller('all'),
    local: async () => caller('all'),
    knowsSignInKey: async () => false,
    hasPasswords: async () => false,
    asAgent: async (who) => who,
    sawSession: () => {},
    passOf: () => 'local',
    recall: async () => caller('all'),
    inRun: async (who) => who,
    ...taskVisibility,
    narrow: (who) => who,
    visible: ({ scope_key }) => visible.get(scope_key) ?? [],
    find: (name, profile) =>
      TOOLS.find((candidate) =>
        profile === 'all' ? candidate.full_name === name : candidate.profile === profile && candidate.name === name,
      ),
    dispatch: async (call) => {
      calls.push(call);
      return answer(call);
    },
    close: async () => {},
    withdraw: async () => null,
    follow: async function* () {},
    stop: async () => {},
    events: {
      listen: () => Promise.reject(new Error('nobody listens')),
      listeners: () => 0,
      lag: () => null,
      backlog: () => 0,
    },
    client_sessions: {
      open: async () => false,
      find: async () => null,
      end: async () => {},
      announceTask: async () => {},
      tasksMade: async () => new Map(),
      claimQuestion: async () => false,
      renewQuestions: async () => {},
      releaseQuestion: async () => {},
    },
  };
}

const host = (gateway: Gateway, profile: 'todo' | 'all') =>
  createCatalogHost({ gateway, profile, transport: 'mcp-http', version: '9.9.9', tools: TOOLS });

const done = (): Outcome => ({ ok: true, json: '{"id":"a"}' });

const names = (listed: readonly { readonly name: string }[]) => listed.map(({ name }) => name);

// The call context of the wire layer; these tools use nothing else of it.
const client = { client: { title: 'Codex', version: '1' }, protocol_version: '2025-06-18' };
const context = { caller: caller('all'), correlation_id: 'trace', meta: {}, ...client } as never;

describe('catalog host', () => {
  it('lists the tools for agents that the caller may call, by their names at the address', () => {
    const gateway = aGateway(done);

    expect(names(host(gateway, 'todo').tools.list(caller('all'), {}))).toEqual([
      'add_task',
      'list_tasks',
      'delete_task',
    ]);
    expect(names(host(gateway, 'all').tools.list(caller('read'), {}))).toEqual(['todo_list_tasks']);
  });

  it('gives the same array for the same tools, so that its bytes can be cached', () => {
    const todo = host(aGateway(done), 'todo');

    expect(todo.tools.list(caller('all'), {})).toBe(todo.tools.list(caller('all'), {}));
    expect(todo.tools.list(caller('all'), {})).not.toBe(todo.tools.list(caller('read'), {}));
  });

  it('describes a tool by flat schemas without surprises', () => {
    const [shape] = host(aGateway(done), 'todo').tools.list(caller('all'), {});

    expect(shape).toMatchObject({ name: 'add_task', title: 'Add a task', description: 'Adds a task.' });
    expect(shape?.inputSchema).toMatchObject({ type: 'object', required: ['title'], additionalProperties: false });
    expect(shape?.outputSchema).toMatchObject({ type: 'object', properties: { id: { type: 'string' } } });
    expect(shape?.outputSchema).not.toHaveProperty('required');
    expect(Object.keys(propertiesOf(shape?.inputSchema))).toEqual(['title', 'due', 'idempotency_key']);
    expect(JSON.stringify(shape)).not.toContain('$schema');
  });

  it('states all four hints honestly', () => {
    const shapes = host(aGateway(done), 'todo').tools.list(caller('all'), {});

    expect(shapes.map(({ annotations }) => annotations)).toEqual([
      { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    ]);
  });

  it('dispatches a call with its caller, its arguments as they came, and its trace', async () => {
    const gateway = aGateway(done);

    const answer = await host(gateway, 'all').tools.call('todo_add_task', { title: 1 }, context);

    expect(answer).toEqual({ kind: 'json', json: '{"id":"a"}', failed: false });
    expect(gateway.calls).toMatchObject([
      {
        caller: { scope_key: 'all' },
        tool: add,
        input: { title: 1 },
        transport: 'mcp-http',
        correlation_id: 'trace',
        client,
      },
    ]);
  });

  it('tells a client about the tools that its caller has, and no others', () => {
    const todo = host(aGateway(done), 'all');

    expect(todo.instructions?.(caller('all'))).toContain('idempotency_key');
    expect(todo.instructions?.(caller('read'))).toMatch(/^Todo list \(todo_\*\): /);
    expect(todo.instructions?.(caller('none'))).toBe('');
  });

  it('advises no tool that the caller lacks', async () => {
    const hint = [say`${{ call: 'todo_list_tasks' }} for ids.`, say`Or ${{ call: 'todo_delete_task' }}.`];
    const error = { code: 'not_found', message: 'No.', hint, retryable: false, correlation_id: 'c' };
    const gateway = aGateway(() => ({ ok: false, error, status: 404 }));
    const hintFor = async (who: string) => {
      const answer = await host(gateway, 'all').tools.call('todo_add_task', {}, {
        caller: caller(who),
        correlation_id: 'trace',
        meta: {},
      } as never);
      return (JSON.parse((answer as { json: string }).json) as { error: { hint?: string } }).error.hint;
    };

    expect(await hintFor('all')).toBe('Call todo_list_tasks for ids. Or call todo_delete_task.');
    expect(await hintFor('read')).toBe('Call todo_list_tasks for ids.');
    expect(await hintFor('none')).toBeUndefined();
  });

  it('passes a failure to the model unchanged', async () => {
    const error = { code: 'insufficient_scope', message: 'No.', retryable: false, correlation_id: 'c' };
    const gateway = aGateway(() => ({ ok: false, error, status: 403 }));

    const answer = await host(gateway, 'todo').tools.call('add_task', {}, context);

    expect(answer).toEqual({ kind: 'json', json: JSON.stringify({ error }), failed: true });
  });

  it.each([
    ['todo', 'burn'],
    ['todo', 'todo_add_task'],
    ['all', 'add_task'],
    ['todo', 'for_people'],
    ['all', 'admin_block_user'],
  ] as const)('knows no tool of /mcp/%s called %s', (profile, name) => {
    const gateway = aGateway(done);

    expect(host(gateway, profile).tools.call(name, {}, context)).toBeUndefined();
    expect(gateway.calls).toEqual([]);
  });

  it.each([
    ['all', 'add_task', 'todo_add_task'],
    ['all', 'todo_ad_task', 'todo_add_task'],
    ['todo', 'todo_add_task', 'add_task'],
    ['all', 'task', null],
    ['all', 'launch', null],
  ] as const)('suggests at /mcp/%s for %s: %s', (profile, typed, meant) => {
    const { tools } = host(aGateway(done), profile);

    expect(tools.meant?.(typed, caller('all'))).toBe(meant);
  });

  it('has nothing but tools to offer', async () => {
    const todo = host(aGateway(done), 'todo');
    await using http = await openHttp({
      server_info: todo.server_info,
      tools: {
        list: () => todo.tools.list(caller('all'), {}),
        call: (name, args) => todo.tools.call(name, args, context),
      },
    });

    const discovered = await http.send(a2026Request('server/discover'));
    const listed = await http.send(a2025Request('tools/list'));

    expect(discovered.json).toMatchObject({ result: { capabilities: { tools: {} } } });
    expect(listed.json).toMatchObject({ result: { tools: [{ name: 'add_task' }, {}, {}] } });
    expect((await http.send(a2026Request('prompts/list'))).status).toBe(404);
    expect((await http.send(a2026Request('subscriptions/listen', { notifications: {} }))).status).toBe(404);
  });

  it('tells an agent in the first sentence what the address is for', () => {
    const gateway = aGateway(done);
    const everything = createWording('all').instructions(catalog);

    expect(host(gateway, 'todo').instructions?.(caller('all'))).toMatch(/^Keeps durable todo lists/);
    expect(everything.length).toBeLessThanOrEqual(2000);
    expect(everything).not.toContain('Administration');
  });
});

function propertiesOf(schema: JsonObject | undefined): JsonObject {
  const { properties }: { readonly properties?: unknown } = schema ?? {};
  return isObject(properties) ? properties : {};
}
