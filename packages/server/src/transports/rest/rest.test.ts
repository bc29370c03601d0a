import { describe, expect, it } from 'vitest';
import { SCOPES } from '#domain/scope';
import { ask, createServed } from '#testing/served';
import { catalog } from '#tools/catalog';

const add = { user_id: 'me', title: 'Buy milk' };

describe('REST', () => {
  it('serves a tool at its route: 201 for what it creates, 200 for the rest', async () => {
    await using served = await createServed();

    const made = await served.call('POST', '/api/v1/todo/tasks', add);
    const { task_id } = made.json as { task_id: string };
    const listed = await served.call('GET', '/api/v1/todo/tasks?user_id=me&limit=5&status=pending');
    const completed = await served.call('POST', `/api/v1/todo/tasks/${task_id}/complete`, { user_id: 'me' });
    const deleted = await served.call('DELETE', `/api/v1/todo/tasks/${task_id}?user_id=me`);

    expect(made).toMatchObject({ status: 201, json: { status: 'created', title: 'Buy milk' } });
    expect(listed).toMatchObject({ status: 200, json: { tasks: [{ id: task_id, completed: false }] } });
    expect(completed).toMatchObject({ status: 200, json: { status: 'completed' } });
    expect(deleted).toMatchObject({ status: 200, json: { status: 'deleted' } });
  });

  it('accepts the arguments of any tool by its full name, or by a short one that only one tool has', async () => {
    await using served = await createServed();

    const full = await served.call('POST', '/api/v1/tools/todo_add_task', add);
    const { task_id } = full.json as { task_id: string };
    const plain = await served.call('POST', '/api/v1/tools/complete_task', { user_id: 'me', task_id });
    const unknown = await served.call('POST', '/api/v1/tools/add_everything', {});

    expect(full.status).toBe(201);
    expect(plain).toMatchObject({ status: 200, json: { title: 'Buy milk', completed: true } });
    expect(unknown).toMatchObject({ status: 404, json: { error: { code: 'unknown_tool' } } });
  });

  it('takes the key of an operation from its header', async () => {
    await using served = await createServed();
    const key = { 'idempotency-key': 'k1' };

    const [first, second] = [
      await served.call('POST', '/api/v1/todo/tasks', add, key),
      await served.call('POST', '/api/v1/todo/tasks', { ...add, idempotency_key: 'k1' }),
    ];
    const other = await served.call('POST', '/api/v1/todo/tasks', { ...add, idempotency_key: 'k2' }, key);

    expect(second?.text).toBe(first?.text);
    expect(other).toMatchObject({ status: 400, json: { error: { code: 'validation_error' } } });
  });

  it('ignores the key where a tool takes none', async () => {
    await using served = await createServed();

    const said = await served.call('GET', '/api/v1/todo/tasks?user_id=me', undefined, { 'idempotency-key': 'k1' });

    expect(said.status).toBe(200);
  });

  it.each([
    ['an unknown field', { ...add, colour: 'red' }, 400, 'VALIDATION_ERROR'],
    ['a wrong type', { ...add, title: 7 }, 400, 'VALIDATION_ERROR'],
    ['a list instead of an object', [add], 400, 'VALIDATION_ERROR'],
    ['null', null, 400, 'VALIDATION_ERROR'],
  ])('answers %s with %i %s', async (_, body, status, code) => {
    await using served = await createServed();

    const said = await served.call('POST', '/api/v1/todo/tasks', body);

    expect(said).toMatchObject({ status, json: { error: { code, retryable: false } } });
  });

  it('leaves a query value that cannot be converted to validation', async () => {
    await using served = await createServed();

    const said = await served.call('GET', '/api/v1/todo/tasks?user_id=me&limit=many');

    expect(said).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_ERROR' } } });
  });

  it.each([
    ['text/plain', '{}', 415, 'unsupported_media_type'],
    ['application/json', '{', 400, 'validation_error'],
    ['application/json', `"${'x'.repeat(1024 * 1024)}"`, 413, 'payload_too_large'],
    ['application/json', '['.repeat(65) + ']'.repeat(65), 400, 'validation_error'],
  ])('refuses a body of %s before any tool sees it', async (type, body, status, code) => {
    await using served = await createServed();
    const headers = { authorization: served.authorization, 'content-type': type };

    const said = await ask(`${served.url}/api/v1/todo/tasks`, { method: 'POST', headers, body });

    expect(said).toMatchObject({ status, json: { error: { code } } });
  });

  it('names the methods of a path when asked with another', async () => {
    await using served = await createServed();

    const said = await served.call('PUT', '/api/v1/todo/tasks', add);

    expect(said).toMatchObject({ status: 405, json: { error: { code: 'method_not_allowed' } } });
    expect(said.headers).toMatchObject({ allow: 'POST, GET, HEAD' });
  });

  it('answers an unknown path in the form of every other error', async () => {
    await using served = await createServed();

    const said = await served.call('GET', '/api/v1/nothing');

    expect(said).toMatchObject({ status: 404, json: { error: { code: 'not_found', retryable: false } } });
  });

  it('forbids to cache, sniff or frame every answer', async () => {
    await using served = await createServed();

    const answers = [
      await served.call('GET', '/api/v1/todo/tasks?user_id=me'),
      await served.call('GET', '/api/v1/nothing'),
      await ask(`${served.url}/healthz`),
    ];

    for (const { headers } of answers) {
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('keeps the trace id of the caller', async () => {
    await using served = await createServed();
    const trace = '0af7651916cd43dd8448eb211c80319c';

    const said = await served.call('GET', '/api/v1/todo/tasks', undefined, {
      traceparent: `00-${trace}-b7ad6b7169203331-01`,
    });

    expect(said.json).toMatchObject({ error: { correlation_id: trace } });
  });

  it('does what the token allows and nothing else', async () => {
    await using served = await createServed();

    const said = await served.call('GET', '/api/v1/users');

    expect(said).toMatchObject({ status: 403, json: { error: { code: 'insufficient_scope' } } });
  });

  it('answers as the OpenAPI document says, for every GET route without a path parameter', async () => {
    await using served = await createServed();
    const { token } = await served.world.token({ scopes: Object.keys(SCOPES) });
    const headers = { authorization: `Bearer ${token}` };
    await served.call('POST', '/api/v1/todo/tasks', add);
    const routes = catalog.map(({ route }) => route).filter((route) => /^GET [^{]+$/.test(route));

    const statuses = new Map<string, number>();
    for (const route of routes) {
      const path = `/api/v1${route.replace('GET ', '')}${route.startsWith('GET /todo') ? '?user_id=me' : ''}`;
      // Throws where the answer differs from the document.
      statuses.set(route, (await served.call('GET', path, undefined, headers)).status);
    }

    expect([...statuses.values()].filter((status) => status === 200).length).toBeGreaterThan(10);
  });

  it('answers reports below /api/v1 in an envelope, as the OpenAPI document says', async () => {
    await using served = await createServed();
    const { token } = await served.world.token({ scopes: ['execution:report'] });
    const headers = { authorization: `Bearer ${token}` };
    const made = await served.call('POST', '/api/v1/executions', { name: 'A run' }, headers);
    const path = `/api/v1/executions/${made.json.id}/steps`;

    const step = await served.call('POST', path, { step_name: 'Build' }, headers);
    const refused = await served.call('POST', path, { step_name: 'Build', status: 'lost' }, headers);

    expect(step).toMatchObject({ status: 201, json: { success: true, data: { step_name: 'Build' } } });
    expect(refused).toMatchObject({ status: 400, json: { success: false, status_code: 400 } });
  });
});
