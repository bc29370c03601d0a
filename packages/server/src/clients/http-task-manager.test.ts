import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createHttpTaskManager } from './http-task-manager.ts';
import { aStub, failureOf, saysJson } from './testing/stub-task-manager.ts';

const STEP = { id: 's1', step_id: 's1', execution_id: 'e1', seq: 1, step_name: 'Build', status: 'running' };

async function atFirstFree([port, ...more]: readonly number[]): ReturnType<typeof aStub> {
  if (more.length === 0) return await aStub(saysJson(200, {}), port);
  return await aStub(saysJson(200, {}), port).catch(() => atFirstFree(more));
}

describe('a report over HTTP', () => {
  it('[R6.1] patches an execution at its path', async () => {
    await using stub = await aStub(saysJson(200, { id: 'e1', session_id: 'mine' }));

    const execution = await stub.manager().patchExecution('e1', { session_id: 'mine', worktree_path: '/w' });

    expect(stub.heard.map(({ line }) => line)).toEqual(['PATCH /api/executions/e1 HTTP/1.1']);
    expect(JSON.parse(stub.heard[0]?.body ?? '')).toEqual({ session_id: 'mine', worktree_path: '/w' });
    expect(stub.heard[0]?.headers['content-type']).toBe('application/json');
    expect(execution).toEqual({ id: 'e1', session_id: 'mine' });
  });

  it('[R6.2] posts a step below its execution', async () => {
    await using stub = await aStub(saysJson(201, STEP));

    const step = await stub.manager().createStep('e1', { step_name: 'Build', message: 'All of it', status: 'running' });

    expect(stub.heard.map(({ line }) => line)).toEqual(['POST /api/executions/e1/steps HTTP/1.1']);
    expect(JSON.parse(stub.heard[0]?.body ?? '')).toEqual({
      step_name: 'Build',
      message: 'All of it',
      status: 'running',
    });
    expect(step).toEqual(STEP);
  });

  it('[R6.3] patches a step below its execution', async () => {
    await using stub = await aStub(saysJson(200, { ...STEP, status: 'failed' }));

    const step = await stub.manager().patchStep('e1', 's1', { status: 'failed', message: undefined });

    expect(stub.heard.map(({ line }) => line)).toEqual(['PATCH /api/executions/e1/steps/s1 HTTP/1.1']);
    expect(stub.heard[0]?.body).toBe('{"status":"failed"}');
    expect(step.status).toBe('failed');
  });

  it('[R6.4, R4.1, R4.2] asks for the health and reports the address', async () => {
    await using stub = await aStub(saysJson(200, { status: 'ok' }));

    const health = await stub.manager().checkHealth();

    expect(stub.heard.map(({ line }) => line)).toEqual(['GET /api/health HTTP/1.1']);
    expect(health).toEqual({
      status: 'healthy',
      client: 'http',
      config: { host: '127.0.0.1', port: stub.port, base_url: stub.base_url },
    });
  });

  it('[R4.3] says why the health is unknown', async () => {
    await using stub = await aStub(saysJson(503, { error: 'The database is away.', error_code: 'database_error' }));

    const error = await failureOf(stub.manager().checkHealth());

    expect(error).toMatchObject({
      message: 'The database is away.',
      error_code: 'database_error',
      status_code: 503,
    });
  });

  it('writes the address of IPv6 in brackets', async () => {
    const manager = createHttpTaskManager({ host: '::1', port: 9, timeout_s: 5, token: null });

    expect((await failureOf(manager.checkHealth())).message).toBe('Connection failed to http://[::1]:9');
  });

  it('uses ports that web pages must not', async () => {
    await using stub = await atFirstFree([10_080, 6_000, 6_566, 6_697, 4_190]);

    expect((await stub.manager().checkHealth()).config?.port).toBe(stub.port);
  });

  it('carries the token in its header alone', async () => {
    await using stub = await aStub(saysJson(201, STEP));

    await stub.manager({ token: 'secret-token' }).createStep('e1', { step_name: 'Build' });

    expect(stub.heard[0]?.headers.authorization).toBe('Bearer secret-token');
    expect(stub.heard[0]?.line).not.toContain('secret-token');
    expect(stub.heard[0]?.body).not.toContain('secret-token');
  });

  it('carries no authorization without a token', async () => {
    await using stub = await aStub(saysJson(201, STEP));

    await stub.manager().createStep('e1', { step_name: 'Build' });

    expect(stub.heard[0]?.headers).not.toHaveProperty('authorization');
  });

  it('carries client facts in headers, encoded', async () => {
    await using stub = await aStub(saysJson(200, {}));
    const client_facts = { session_id: 'a\r\nb: c', client: 'Editor 1.0', folder: '/häuser/%41', branch: '\uD800' };

    await stub.manager({ client_facts: { ...client_facts, source: 'script' } }).checkHealth();

    expect(stub.heard[0]?.headers).toMatchObject({
      'errand-session': 'a%0D%0Ab%3A%20c',
      'errand-client': 'Editor%201.0',
      'errand-folder': '%2Fh%C3%A4user%2F%2541',
      'errand-branch': '%EF%BF%BD',
      'errand-source': 'script',
    });
  });

  it('uses a new connection, because the server could close an old one under the next report', async () => {
    await using stub = await aStub(saysJson(201, STEP));

    await stub.manager().createStep('e1', { step_name: 'Build' });

    expect(stub.heard[0]?.headers.connection).toBe('close');
  });

  it('lets the process end when the report is sent', async () => {
    await using stub = await aStub(saysJson(201, STEP));
    const script = `
      import { createHttpTaskManager } from ${JSON.stringify(import.meta.resolve('./http-task-manager.ts'))};
      const access = { host: '127.0.0.1', port: ${stub.port}, timeout_s: 600, token: null };
      const { step_id } = await createHttpTaskManager(access).createStep('e1', { step_name: 'Build' });
      process.stdout.write(step_id);
    `;

    const child = spawn(process.execPath, ['--conditions=errand-source', '--input-type=module', '-e', script]);
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);

    expect({ said, code }).toEqual({ said: 's1', code: 0 });
  });
});

describe('an id in a path', () => {
  it.each([
    ['../x', '..%2Fx'],
    ['a/b', 'a%2Fb'],
    ['a?b', 'a%3Fb'],
    ['a#b', 'a%23b'],
    ['a\\b', 'a%5Cb'],
    ['%2e%2e', '%252e%252e'],
    ['a\nb', 'a%0Ab'],
    ['a b HTTP/1.1\r\nx: y', 'a%20b%20HTTP%2F1.1%0D%0Ax%3A%20y'],
    ['...', '...'],
    ['{step-id}', '%7Bstep-id%7D'],
    ['übung-日本', '%C3%BCbung-%E6%97%A5%E6%9C%AC'],
    ['x'.repeat(10_000), 'x'.repeat(10_000)],
  ])('is exactly one segment: %j', async (id, segment) => {
    await using stub = await aStub((socket, heard) =>
      saysJson(200, heard.line.startsWith('POST') ? STEP : {})(socket, heard),
    );

    await stub.manager().patchExecution(id, {});
    await stub.manager().createStep(id, { step_name: 'Build' });
    await stub.manager().patchStep('e1', id, { message: 'x' });

    const lines = stub.heard.map(({ line }) => line);
    expect(lines[0] === `PATCH /api/executions/${segment} HTTP/1.1`).toBe(true);
    expect(lines[1] === `POST /api/executions/${segment}/steps HTTP/1.1`).toBe(true);
    expect(lines[2] === `PATCH /api/executions/e1/steps/${segment} HTTP/1.1`).toBe(true);
  });

  it.each(['', '.', '..', 'a\uD800', '\uDC00'])('is refused before anything is sent: %j', async (id) => {
    await using stub = await aStub(saysJson(200, STEP));

    const failures = await Promise.all([
      failureOf(stub.manager().patchExecution(id, {})),
      failureOf(stub.manager().createStep(id, { step_name: 'Build' })),
      failureOf(stub.manager().patchStep(id, 's1', {})),
      failureOf(stub.manager().patchStep('e1', id, {})),
    ]);

    expect(failures.map(({ error_code }) => error_code)).toEqual(Array(4).fill('validation_error'));
    expect(failures.map(({ status_code }) => status_code)).toEqual(Array(4).fill(400));
    expect(failures.map(({ message }) => message.slice(0, message.indexOf('.')))).toEqual([
      'Invalid execution_id',
      'Invalid execution_id',
      'Invalid execution_id',
      'Invalid step_id',
    ]);
    expect(stub.heard).toEqual([]);
  });
});

describe('an answer of another Task Manager', () => {
  it('has the id of a step under its own name', async () => {
    await using stub = await aStub(saysJson(201, { id: 'their-id' }));

    const step = await stub.manager().createStep('e1', { step_name: 'Build' });

    expect(step).toEqual({ id: 'their-id', step_id: 'their-id' });
  });

  it('has the id of a step when its own name for it is empty', async () => {
    await using stub = await aStub(saysJson(201, { id: 'their-id', step_id: '' }));

    expect((await stub.manager().createStep('e1', { step_name: 'Build' })).step_id).toBe('their-id');
  });

  it.each([{ id: 42 }, { step_id: 42 }, { step_id: 42, id: 'other' }, { step_id: null, id: 42 }])(
    'has the id of a step as text when it is a number: %j',
    async (body) => {
      await using stub = await aStub(saysJson(200, body));

      expect((await stub.manager().patchStep('e1', '42', { message: 'x' })).step_id).toBe('42');
    },
  );

  it('keeps the known fields that have the right type', async () => {
    await using stub = await aStub(
      saysJson(200, { ...STEP, seq: 'first', status: 'on fire', message: null, secret: 'x', __proto__: { a: 1 } }),
    );

    const step = await stub.manager().patchStep('e1', 's1', { message: 'x' });

    expect(step).toEqual({ id: 's1', step_id: 's1', execution_id: 'e1', step_name: 'Build', message: null });
  });

  it.each([
    {},
    { id: '' },
    { step_id: null },
    { step_id: {}, id: [] },
    { id: 1.5 },
    { step_id: 0.5, id: '' },
    { id: '.' },
    { id: '..' },
    { id: 'x'.repeat(201) },
    { id: 's\u200B1' },
    { id: 'a\uD800' },
  ])('[R2.2] is no step without an id: %j', async (body) => {
    await using stub = await aStub(saysJson(201, body));

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error).toMatchObject({ error_code: 'bad_response', status_code: 201 });
    expect(error.message).toBe('Task Manager answered without an id of the step that could be used');
  });
});
