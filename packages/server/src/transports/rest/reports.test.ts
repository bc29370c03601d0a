import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ask, createServed } from '#testing/served';

const UNKNOWN = '00000000-0000-7000-8000-00000000ffff';

/** The API for an agent whose token may report runs. */
async function createReporting() {
  const served = await createServed();
  const { token, token_id } = await served.world.token({ scopes: ['execution:report'] });
  const authorization = `Bearer ${String(token)}`;
  const call: typeof served.call = (method, path, body, headers = {}) =>
    served.call(method, path, body, { authorization, ...headers });
  const run = async (): Promise<string> => String((await call('POST', '/api/executions', { name: 'Tidy up' })).json.id);
  return { ...served, authorization, token_id, call, run };
}

describe('the Task Manager API', () => {
  it('accepts a run and its steps, without an envelope', async () => {
    await using reporting = await createReporting();

    const run = await reporting.call('POST', '/api/executions', { name: 'Tidy up' });
    const path = `/api/executions/${run.json.id}`;
    const step = await reporting.call('POST', `${path}/steps`, { step_name: 'Look around', message: 'Two rooms' });
    const ended = await reporting.call('PATCH', `${path}/steps/${step.json.step_id}`, { status: 'completed' });
    const known = await reporting.call('PATCH', path, { session_id: 'abc', worktree_path: '/trees/login' });
    const listed = await reporting.call('GET', `${path}/steps?limit=5`);
    const read = await reporting.call('GET', path);

    expect(run).toMatchObject({ status: 201, json: { execution_id: run.json.id, name: 'Tidy up' } });
    expect(step).toMatchObject({ status: 201, json: { seq: 1, step_name: 'Look around', status: 'running' } });
    expect(ended).toMatchObject({ status: 200, json: { step_id: step.json.step_id, status: 'completed' } });
    expect(known).toMatchObject({ status: 200, json: { session_id: 'abc', worktree_path: '/trees/login' } });
    expect(listed).toMatchObject({
      status: 200,
      json: { steps: [{ step_name: 'Look around', message: 'Two rooms' }] },
    });
    expect(read).toMatchObject({ status: 200, json: { id: run.json.id, session_id: 'abc' } });
  });

  it('says what went wrong in one sentence, with a code for programs', async () => {
    await using reporting = await createReporting();
    const path = `/api/executions/${await reporting.run()}/steps`;

    const wrong = await reporting.call('POST', path, { step_name: 'Look around', status: 'done' });
    const nothing = await reporting.call('PATCH', `${path}/${UNKNOWN}`, {});
    const unknown = await reporting.call('POST', `/api/executions/${UNKNOWN}/steps`, { step_name: 'Look around' });

    expect(wrong).toMatchObject({ status: 400 });
    expect(wrong.json).toEqual({
      error: "Invalid status 'done'. Must be one of: running, completed, failed, skipped",
      error_code: 'validation_error',
      valid_statuses: ['running', 'completed', 'failed', 'skipped'],
    });
    expect(nothing).toMatchObject({
      status: 400,
      json: { error: 'Provide at least status or message to update', error_code: 'validation_error' },
    });
    expect(unknown).toMatchObject({
      status: 404,
      json: { error: expect.stringContaining('No execution'), error_code: 'not_found' },
    });
  });

  it.each([
    ['no token', undefined, 'Bearer realm="errand"'],
    ['a wrong token', 'Bearer errand_user_nobody', 'Bearer realm="errand", error="invalid_token"'],
  ])('answers 401 and a challenge to %s', async (_, authorization, challenge) => {
    await using reporting = await createReporting();

    const said = await ask(`${reporting.url}/api/executions`, {
      headers: authorization === undefined ? {} : { authorization },
    });

    expect(said).toMatchObject({ status: 401, headers: { 'www-authenticate': challenge } });
    expect(said.json).toEqual({ error: expect.any(String), error_code: 'unauthenticated' });
  });

  it('refuses a token without the scope', async () => {
    await using served = await createServed();

    const said = await served.call('POST', '/api/executions', {});

    expect(said).toMatchObject({ status: 403, json: { error_code: 'insufficient_scope' } });
  });

  it('writes nothing for a token that is revoked before the body has arrived', async () => {
    await using reporting = await createReporting();
    const body = JSON.stringify({ name: 'Too late' });
    const socket = connect(reporting.port, '127.0.0.1');
    const answer = text(socket);
    socket.write(
      [
        'POST /api/executions HTTP/1.1',
        `host: 127.0.0.1:${reporting.port}`,
        `authorization: ${reporting.authorization}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
        'connection: close',
        '\r\n',
      ].join('\r\n'),
    );
    await reporting.call('GET', '/api/executions');

    await reporting.world.ask('admin_revoke_token', { token_id: reporting.token_id });
    socket.write(body);

    expect(await answer).toContain('"error_code":"unauthenticated"');
    expect(await reporting.world.ask('list_executions', {})).toMatchObject({ executions: [] });
  });

  it('answers a call that is repeated with its key with the first answer', async () => {
    await using reporting = await createReporting();
    const path = `/api/executions/${await reporting.run()}/steps`;
    const key = { 'idempotency-key': 'step-1' };

    const first = await reporting.call('POST', path, { step_name: 'Look around' }, key);
    const again = await reporting.call('POST', path, { step_name: 'Look around' }, key);
    const other = await reporting.call('POST', path, { step_name: 'Go home' }, key);

    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(other).toMatchObject({ status: 409, json: { error_code: 'idempotency_key_conflict' } });
    expect((await reporting.call('GET', path)).json.steps).toHaveLength(1);
  });

  it('takes the session of an agent from the headers of its client', async () => {
    await using reporting = await createReporting();
    const path = `/api/executions/${await reporting.run()}`;

    await reporting.call('POST', `${path}/steps`, { step_name: 'Look around' }, { 'errand-session': 'native-7' });

    expect((await reporting.call('GET', path)).json).toMatchObject({ session_id: 'native-7' });
  });

  it.each(['/api/executions/', '/api/health/'])('tolerates the slash at the end of %s', async (path) => {
    await using reporting = await createReporting();

    const said = await reporting.call('GET', path);

    expect(said.status).toBe(200);
  });

  it('decodes a part of the address once, and keeps it one part', async () => {
    await using reporting = await createReporting();
    const id = await reporting.run();

    const encoded = await reporting.call('GET', `/api/executions/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`);
    const twice = await reporting.call('GET', `/api/executions/%25${id.charCodeAt(0).toString(16)}${id.slice(1)}`);
    const slash = await reporting.call('GET', `/api/executions/${id}%2Fsteps`);

    expect(encoded).toMatchObject({ status: 200, json: { id } });
    for (const { status, json } of [twice, slash]) {
      expect({ status, json }).toMatchObject({ status: 404, json: { error: expect.stringContaining('No execution') } });
    }
  });

  it.each(['/api/executions/%', '/api/executions/%E0%A4/steps'])('answers 400 to the address %s', async (path) => {
    await using reporting = await createReporting();

    const said = await reporting.call('GET', path);

    expect(said).toMatchObject({ status: 400, json: { error_code: 'validation_error' } });
  });

  it.each(['/api/executions//steps', '/api/executions/x/nothing', '/api/executions/x/steps/y/z', '/api/health/now'])(
    'has nothing at %s',
    async (path) => {
      await using reporting = await createReporting();

      const said = await reporting.call('GET', path);

      expect(said.status).toBe(404);
      expect(said.json).toEqual({ error: expect.stringContaining(path), error_code: 'not_found' });
    },
  );

  it('leaves other addresses below /api to others', async () => {
    await using reporting = await createReporting();

    const said = await reporting.call('GET', '/api/executionsx');

    expect(said).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } });
  });

  it('names the methods that an address takes', async () => {
    await using reporting = await createReporting();

    const said = await reporting.call('DELETE', `/api/executions/${UNKNOWN}`);

    expect(said).toMatchObject({ status: 405, json: { error_code: 'method_not_allowed' } });
    expect(String(said.headers.allow).split(', ').toSorted()).toEqual(['GET', 'HEAD', 'PATCH']);
  });

  it.each([
    ['text/plain', '{}', 415, 'unsupported_media_type'],
    ['application/json', '{', 400, 'validation_error'],
    ['application/json', '[]', 400, 'validation_error'],
    ['application/json', '['.repeat(65) + ']'.repeat(65), 400, 'validation_error'],
    ['application/json', `"${'x'.repeat(1024 * 1024)}"`, 413, 'payload_too_large'],
  ])('refuses a body of %s that it cannot accept', async (type, body, status, error_code) => {
    await using reporting = await createReporting();
    const { authorization } = reporting;

    const said = await ask(`${reporting.url}/api/executions`, {
      method: 'POST',
      headers: { authorization, 'content-type': type },
      body,
    });

    expect(said).toMatchObject({ status, json: { error: expect.any(String), error_code } });
  });

  it('checks the Host first, and says so in its own form', async () => {
    await using reporting = await createReporting();

    const said = await ask(`${reporting.url}/api/executions`, { headers: { host: 'evil.example' } });

    expect(said).toMatchObject({ status: 403, json: { error: expect.any(String), error_code: 'forbidden_host' } });
  });
});

describe('the health of the Task Manager', () => {
  it('[R4.1] is shown to everyone, and nothing else', async () => {
    await using reporting = await createReporting();

    const said = await ask(`${reporting.url}/api/health`);

    expect(said.status).toBe(200);
    expect(said.json).toEqual({ status: 'healthy', client: 'in_process' });
  });

  it('[R4.3] is 503 without a reason while nothing can be stored', async () => {
    await using reporting = await createReporting();
    reporting.ready.check = () => Promise.reject(new Error('the disk at /secret is gone'));

    const said = await ask(`${reporting.url}/api/health`);

    expect(said).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(said.json).toEqual({ error: expect.not.stringContaining('secret'), error_code: 'database_error' });
  });

  it('shares its check of the store with /readyz', async () => {
    await using reporting = await createReporting();
    let asked = 0;
    reporting.ready.check = async () => {
      asked += 1;
    };

    const paths = ['/api/health', '/readyz', '/api/health'];
    const said = await Promise.all(paths.map((path) => ask(`${reporting.url}${path}`)));

    expect(said.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(asked).toBe(1);
  });

  it('checks a token that was sent', async () => {
    await using reporting = await createReporting();

    const good = await reporting.call('GET', '/api/health');
    const bad = await ask(`${reporting.url}/api/health`, { headers: { authorization: 'Bearer errand_user_nobody' } });

    expect(good).toMatchObject({ status: 200, json: { status: 'healthy', client: 'in_process' } });
    expect(bad).toMatchObject({ status: 401, json: { error_code: 'unauthenticated' } });
  });
});
