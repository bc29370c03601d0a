import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MESSAGES } from './database.ts';
import { mcpHttp, mcpPost } from './drivers/mcp-http.ts';
import { rpc } from './drivers/mcp-messages.ts';
import { resultOf } from './drivers/mcp-wire.ts';
import { bearer, send, sendJson } from './http.ts';
import { errand, placeFlags, serve, temporaryFolder } from './program.ts';
import { openWorld, type World } from './world.ts';

const TOOLS = ['add_task', 'list_tasks', 'complete_task', 'update_task', 'delete_task'];

let world: World;
beforeAll(async () => {
  world = await openWorld('sqlite');
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: string; readonly properties: Record<string, { description?: string }> };
  readonly outputSchema: { readonly type: string };
  readonly annotations: Readonly<Record<string, unknown>>;
}

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)('tools/list of %s', (revision) => {
  const list = async (path: string): Promise<readonly ListedTool[]> => {
    const message = rpc(revision, 1, 'tools/list');
    const { status, text } = await mcpPost(world.server.origin, path, world.service, revision, message);
    expect(status).toBe(200);
    return resultOf(revision, message, text).tools as ListedTool[];
  };

  it('[FR-001] names the five tools, and prefixes them where all profiles meet', async () => {
    const own = await list('/mcp/todo');
    const all = await list('/mcp');

    expect(own.map(({ name }) => name)).toEqual(TOOLS);
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(TOOLS.map((name) => `todo_${name}`)));
  });

  it('[FR-002] describes every tool, every field, and all four hints', async () => {
    const tools = await list('/mcp/todo');

    for (const { description, inputSchema, outputSchema, annotations } of tools) {
      expect(description).toMatch(/\w/);
      expect(inputSchema.type).toBe('object');
      expect(outputSchema.type).toBe('object');
      for (const field of Object.values(inputSchema.properties)) expect(field.description).toMatch(/\w/);
      expect(Object.keys(annotations)).toEqual(
        expect.arrayContaining(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']),
      );
    }
  });
});

describe('the server', () => {
  it('[FR-065, FR-066] writes a line of JSON for every call', async () => {
    const user_id = world.person();
    const client = await mcpHttp('2026-07-28', world.server.origin).connect(world.service);

    await client.call('add_task', { user_id, title: 'Buy milk' });
    await client.call('list_tasks', { user_id });

    await expect
      .poll(() => logged(user_id))
      .toEqual([
        expect.objectContaining({ tool: 'todo_add_task', user_id, latency_ms: expect.any(Number), outcome: 'ok' }),
        expect.objectContaining({ tool: 'todo_list_tasks', user_id, latency_ms: expect.any(Number), outcome: 'ok' }),
      ]);
    expect(world.server.lines.join('\n')).not.toContain('Buy milk');
  });

  it('[FR-067] logs a failed call with the correlation id of its error', async () => {
    const user_id = world.person();
    const client = await mcpHttp('2026-07-28', world.server.origin).connect(world.service);

    const answer = await client.call('complete_task', { user_id, task_id: 'none' });

    const correlation_id = answer.ok ? '' : answer.error.correlation_id;
    await expect
      .poll(() => logged(user_id))
      .toEqual([expect.objectContaining({ tool: 'todo_complete_task', outcome: 'TASK_NOT_FOUND', correlation_id })]);
  });

  it('[SC-002] takes fifty calls at once, without an error and without losing one', async () => {
    const user_id = world.person();
    const client = await mcpHttp('2026-07-28', world.server.origin).connect(world.service);
    const titles = Array.from({ length: 50 }, (_, index) => `task ${index}`);

    const answers = await Promise.all(titles.map((title) => client.call('add_task', { user_id, title })));

    expect(answers.filter(({ ok }) => !ok)).toEqual([]);
    const rows = await world.database.rows('select title from work_items where owner_id = ?', [user_id]);
    expect(rows.map(({ title }) => title).sort()).toEqual(titles.toSorted());
  });

  it('[SC-001] answers each of the five tools within half a second while ten callers call at once', async () => {
    const user_id = world.person();
    const callAll = async (round: number): Promise<void> => {
      const client = await mcpHttp('2026-07-28', world.server.origin).connect(world.service);
      const added = await client.call('add_task', { user_id, title: `task ${round}` });
      const task_id = added.ok ? added.value.task_id : '';
      await client.call('list_tasks', { user_id });
      await client.call('update_task', { user_id, task_id, title: 'y' });
      await client.call('complete_task', { user_id, task_id });
      await client.call('delete_task', { user_id, task_id });
    };

    await Promise.all(Array.from({ length: 10 }, (_, round) => callAll(round)));

    // Use the server's own measurement and the median per tool: other programs may slow a busy machine.
    await expect.poll(() => logged(user_id).length).toBe(50);
    for (const tool of TOOLS) {
      const latencies = logged(user_id).flatMap((line) =>
        line.tool === `todo_${tool}` ? [Number(line.latency_ms)] : [],
      );
      expect(latencies).toHaveLength(10);
      expect(latencies.toSorted((a, b) => a - b)[4]).toBeLessThan(500);
    }
  });

  it('[TSK-05] keeps the hash of a token in its files, and no part of the token', async () => {
    const user_id = world.person();
    const client = await mcpHttp('2026-07-28', world.server.origin).connect(world.service);
    await client.call('add_task', { user_id, title: 'x' });
    const secret = world.service.split('_').at(-1) ?? '';

    const files = await Promise.all(
      (await readdir(world.place.data, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
    );

    expect(secret.length).toBeGreaterThan(30);
    expect(files.some((text) => text.includes(hash('sha256', world.service)))).toBe(true);
    for (const text of [...files, ...world.server.lines]) expect(text.includes(secret.slice(0, 16))).toBe(false);
  });

  it('[CL-2] listens on port 8001 when it serves the todo profile alone, or says that the port is taken', async () => {
    await using folder = await temporaryFolder();
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false));
      probe.listen(8001, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    await using todo = await serve({ data: folder.path }, {}, ['--profile', 'todo']);

    if (isFree) expect(new URL(todo.origin).port).toBe('8001');
    else await expect.poll(() => todo.lines.join()).toContain('port 8001 is taken');
  });

  it('names the address of the first server when it is started twice on the same data', async () => {
    const { code, stdout } = await errand(['serve', '--port', '0', ...placeFlags(world.place)]);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ mcp: `${world.server.origin}/mcp`, pid: world.server.pid });
  });

  it('prints a link for its first admin while others reach it and nobody has a password', async () => {
    await using folder = await temporaryFolder();
    const start = (host: string) => serve({ data: folder.path }, {}, ['--port', '0', '--host', host]);
    const choose = async (link: string, origin: string) => {
      const key = new URL(link).searchParams.get('first');
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
      const body = JSON.stringify({ key, name: 'Anna', password: 'correct horse battery' });
      return send(origin, { path: '/signin/first', headers, body });
    };

    const alone = await start('127.0.0.1');
    await alone.stop();
    await using shared = await start('0.0.0.0');
    const chosen = await choose(shared.first_admin ?? '', shared.origin);
    await shared.stop();
    await using again = await start('0.0.0.0');

    expect(alone.first_admin).toBeUndefined();
    expect(shared.first_admin).toMatch(/^http:\/\/[^/]+\/signin\?first=[\w-]{22}$/);
    expect(chosen.status).toBe(204);
    expect(again.first_admin).toBeUndefined();
    expect(shared.lines.join('')).not.toContain('correct horse');
  });

  it('answers health, readiness and metrics without a token, and reveals nothing', async () => {
    const answers = await Promise.all(
      ['/healthz', '/readyz', '/metrics'].map((path) => send(world.server.origin, { method: 'GET', path })),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { text } of answers) expect(text).not.toContain(world.place.data);
  });
});

describe('the dialogue itself', () => {
  it('[FR-070, FR-071] joins the conversation that the calls are in', async () => {
    const user_id = world.person();
    const client = await mcpHttp('2026-07-28', world.server.origin).connect(world.service);
    await client.call('add_task', { user_id, title: 'Buy milk' });
    const messages = [
      { role: 'user', content: 'Remind me of milk.' },
      { role: 'assistant', content: 'I have put it on your list.' },
    ];

    const { status } = await sendJson(world.server.origin, '/api/v1/conversations/messages', world.service, {
      user_id,
      messages,
    });

    expect(status).toBe(201);
    const stored = await world.database.rows(
      `select role, content, conversation from ${MESSAGES} where user_id = ? order by id, role desc`,
      [user_id],
    );
    expect(stored).toHaveLength(4);
    expect(stored.slice(2)).toMatchObject(messages);
    expect(new Set(stored.map(({ conversation }) => conversation)).size).toBe(1);
  });
});

describe('a client that guesses tokens', () => {
  it('is slowed down after sixty wrong tokens, while a right one passes', async () => {
    const ask = (token: string) =>
      send(world.server.origin, { method: 'GET', path: '/api/v1/todo/tasks?user_id=me', headers: bearer(token) });
    const guesses = await Promise.all(Array.from({ length: 61 }, (_, index) => ask(`errand_user_guess${index}`)));

    const slowed = await ask('errand_user_another');
    const { token } = await world.admin.createToken({ kind: 'user' });
    const right = await ask(token);

    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(60);
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0);
    expect(right.status).toBe(200);
  });
});

describe('two servers on one database', () => {
  it('[FR-003] are one: the second continues a list of the first', async () => {
    await using shared = await openWorld('postgres');
    await using folder = await temporaryFolder();
    await using second = await serve({ data: folder.path, database_url: shared.place.database_url });
    const user_id = shared.person();
    const first = await mcpHttp('2025-11-25', shared.server.origin).connect(shared.service);
    for (const title of ['one', 'two']) await first.call('add_task', { user_id, title });
    const page = await first.call('list_tasks', { user_id, limit: 1 });

    const cursor = page.ok ? page.value.next_cursor : undefined;
    const message = rpc('2025-11-25', 7, 'tools/call', {
      name: 'list_tasks',
      arguments: { user_id, limit: 1, cursor },
    });
    const { text } = await mcpPost(second.origin, '/mcp/todo', shared.service, '2025-11-25', message);

    expect(resultOf('2025-11-25', message, text)).toMatchObject({ structuredContent: { tasks: [{ title: 'two' }] } });
  });
});

/** Returns the log lines of one user's calls. */
const logged = (user_id: string): readonly Record<string, unknown>[] =>
  world.server.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line.user_id === user_id && String(line.tool).startsWith('todo_'));
