import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Answer, aStub, failureOf, says, saysJson } from './testing/stub-task-manager.ts';

const HTML = '<html><body><h1>Internal Server Error</h1></body></html>';
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const MIB = 1_048_576;

/** Writes the piece again and again while the connection is open. */
const endless =
  (head: string, piece: Buffer): Answer =>
  (socket) => {
    socket.write(head);
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };

const drip: Answer = (socket) => {
  socket.write(`${HEAD}content-length: 100000\r\n\r\n`);
  const timer = setInterval(() => socket.write(' '), 20);
  socket.on('close', () => clearInterval(timer));
};

describe('a Task Manager that does not answer in time', () => {
  it.each<[string, Answer]>([
    ['says nothing', () => {}],
    ['stops in the middle of the head', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-')],
    ['stops in the middle of the body', (socket) => socket.write(`${HEAD}content-length: 10\r\n\r\n{"id"`)],
    ['drips', drip],
  ])('[R6.5] is a timeout when it %s', async (_, answer) => {
    await using stub = await aStub(answer);

    const error = await failureOf(stub.manager({ timeout_s: 0.25 }).createStep('e1', { step_name: 'Build' }));

    expect(error).toMatchObject({ message: 'Request timeout', error_code: 'timeout', status_code: undefined });
  });

  it('[R6.5] is a timeout after a fraction of a millisecond, too', async () => {
    await using stub = await aStub(() => {});

    const error = await failureOf(stub.manager({ timeout_s: 0.0015 }).checkHealth());

    expect(error.message).toBe('Request timeout');
  });
});

describe('a Task Manager that cannot be reached', () => {
  it('[R6.6, R4.3] is named when nothing listens there', async () => {
    const stub = await aStub(() => {});
    await stub.close();

    const error = await failureOf(stub.manager({ token: 'secret-token' }).checkHealth());

    expect(error).toMatchObject({
      message: `Connection failed to ${stub.base_url}`,
      error_code: 'connection_failed',
      status_code: undefined,
    });
    expect(error.cause).toBeUndefined();
  });

  it.each<[string, Answer]>([
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['closes it in silence', (socket) => socket.end()],
    ['resets it in the middle of the head', (socket) => socket.write('HTTP/1.1 200 O', () => socket.resetAndDestroy())],
    ['speaks another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['changes the protocol', (socket) => socket.end('HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')],
    [
      'has more to say in its head than anybody needs',
      (socket) => socket.end(`${HEAD}x: ${'y'.repeat(100_000)}\r\n\r\n{}`),
    ],
  ])('[R6.6] is named when it %s', async (_, answer) => {
    await using stub = await aStub(answer);

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error).toMatchObject({ message: `Connection failed to ${stub.base_url}`, error_code: 'connection_failed' });
  });
});

describe('a Task Manager that refuses', () => {
  it.each([
    [{ error: 'No such run.', error_code: 'not_found' }, 'No such run.', 'not_found'],
    [{ error: { code: 'gone', message: 'It is over.' } }, 'It is over.', 'gone'],
    [{ error: 'No.', code: 'nope' }, 'No.', 'nope'],
    [{ detail: 'Not found' }, 'Not found', 'http_error'],
    [
      { detail: [{ loc: ['body'], msg: 'Field required' }, { msg: 'Too long' }] },
      'Field required; Too long',
      'http_error',
    ],
    [{ message: 'Away' }, 'Away', 'http_error'],
    [{ error: '', error_code: 7 }, 'Task Manager answered 422', 'http_error'],
    [['No'], 'Task Manager answered 422', 'http_error'],
    [null, 'Task Manager answered 422', 'http_error'],
  ])('[R6.7] is quoted: %j', async (body, message, error_code) => {
    await using stub = await aStub(saysJson(422, body));

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error).toMatchObject({ message, error_code, status_code: 422 });
  });

  it.each<[string, Answer]>([
    ['HTML', says(500, HTML, { 'content-type': 'text/html' })],
    ['HTML that claims to be JSON', says(500, HTML)],
    ['nothing', says(500, '')],
    ['JSON of 10 MB', saysJson(500, { error: 'x'.repeat(10_000_000) })],
  ])('[R6.7] is identified by its status when it says %s', async (_, answer) => {
    await using stub = await aStub(answer);

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error).toMatchObject({ message: 'Task Manager answered 500', error_code: 'http_error', status_code: 500 });
  });

  it('is quoted without invisible characters, and shortened', async () => {
    await using stub = await aStub(
      saysJson(400, {
        error: `\u202Eno\u0000\u200B ${'x'.repeat(2_000)}`,
        error_code: `c\u001B[31m${'y'.repeat(200)}`,
      }),
    );

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error.message).toBe(`no ${'x'.repeat(497)}...`);
    expect(error.error_code).toBe(`c[31m${'y'.repeat(59)}...`);
  });

  it.each([200, 500])('is understood under any number of wrapping objects: %i', async (status) => {
    const layers = 100_000;
    await using stub = await aStub(says(status, `${'{"error":'.repeat(layers)}1${'}'.repeat(layers)}`));

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error.status_code).toBe(status);
  });

  it.each([
    [{ error: 'No such token' }, 'No such token. Set TASK_MANAGER_TOKEN to '],
    [{ error: 'Who are you?' }, 'Who are you? Set TASK_MANAGER_TOKEN to '],
    [{ error: 'Send "Authorization: Bearer <token>".' }, 'Task Manager answered 401. Set TASK_MANAGER_TOKEN to '],
    [{}, 'Task Manager answered 401. Set TASK_MANAGER_TOKEN to '],
  ])('says where the token is set, for %j', async (body, words) => {
    await using stub = await aStub(saysJson(401, body));

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error.message.slice(0, words.length)).toBe(words);
  });

  it('is quoted without the token', async () => {
    await using stub = await aStub((socket, heard) =>
      saysJson(401, { error: `Unknown: ${heard.headers.authorization}, secret-token`, error_code: 'secret-token' })(
        socket,
        heard,
      ),
    );

    const error = await failureOf(stub.manager({ token: 'secret-token' }).checkHealth());

    expect(error.message).toContain('Unknown: ');
    expect(`${error.message}${error.error_code}`).not.toContain('secret-token');
  });

  it('is quoted without the tokens of others', async () => {
    await using stub = await aStub(saysJson(403, { error: `Not for errand_agent_${'x'.repeat(30)} today.` }));

    const error = await failureOf(stub.manager().checkHealth());

    expect(error.message).toBe('Not for [redacted] today.');
  });
});

describe('an answer that cannot be used', () => {
  it.each<[string, Answer]>([
    ['garbage', says(200, '{"id": ')],
    ['HTML', says(200, HTML, { 'content-type': 'text/html' })],
    ['JSON under another name', says(200, '{"id":"s1"}', { 'content-type': 'text/plain' })],
    ['a list', saysJson(200, [{ id: 's1' }])],
    ['a text', saysJson(200, 's1')],
    ['null', saysJson(200, null)],
  ])('[R4.3] is a bad response: %s', async (_, answer) => {
    await using stub = await aStub(answer);

    const failures = [
      await failureOf(stub.manager().createStep('e1', { step_name: 'Build' })),
      await failureOf(stub.manager().patchExecution('e1', { session_id: 'x' })),
      await failureOf(stub.manager().checkHealth()),
    ];

    for (const error of failures) {
      expect(error.message).toBe('Task Manager answered something that is not a JSON object');
      expect(error.error_code).toBe('bad_response');
    }
  });

  it.each<[string, Answer]>([
    ['10 MB', says(200, Buffer.alloc(10_000_000, ' '))],
    ['a byte more than it may be', says(200, `{"id":"s1"}${' '.repeat(MIB - 10)}`)],
    ['no end', endless(`${HEAD}content-length: 9999999999\r\n\r\n`, Buffer.alloc(65_536, ' '))],
  ])('is too long: %s', async (_, answer) => {
    await using stub = await aStub(answer);

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error).toMatchObject({
      message: 'Task Manager answered more than 1 MiB',
      error_code: 'bad_response',
      status_code: 200,
    });
  });

  it.each<[string, Answer]>([
    [
      'resets it in the middle of the body',
      (socket) => socket.write(`${HEAD}content-length: 50\r\n\r\n{"id":`, () => socket.resetAndDestroy()),
    ],
    ['says less than it announced', (socket) => socket.end(`${HEAD}content-length: 50\r\n\r\n{"id":"s1"}`)],
    ['ends a chunked answer early', (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"id"`)],
    ['has a chunk of no size', (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n{}`)],
    ['packs what nobody asked to be packed', says(200, gzipSync('{"id":"s1"}'), { 'content-encoding': 'gzip' })],
  ])('[R4.3] cannot be read when the Task Manager %s', async (_, answer) => {
    await using stub = await aStub(answer);

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error).toMatchObject({
      message: 'Task Manager answered something that cannot be read',
      error_code: 'bad_response',
      status_code: 200,
    });
    expect(stub.heard[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('[R6.7] is a refusal by its status, even when it is cut off', async () => {
    await using stub = await aStub((socket) => socket.end('HTTP/1.1 503 Away\r\ncontent-length: 50\r\n\r\n{"er'));

    const error = await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    expect(error).toMatchObject({ message: 'Task Manager answered 503', error_code: 'http_error', status_code: 503 });
  });

  it.each([says(200, ''), (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')] satisfies Answer[])(
    '[R4.3] is a bad response when an answer is required',
    async (answer) => {
      await using stub = await aStub(answer);

      const failures = [
        await failureOf(stub.manager().createStep('e1', { step_name: 'Build' })),
        await failureOf(stub.manager().checkHealth()),
      ];

      expect(failures.map(({ error_code }) => error_code)).toEqual(['bad_response', 'bad_response']);
    },
  );

  it('is read up to the size limit', async () => {
    await using stub = await aStub(says(200, `{"id":"s1"}${' '.repeat(MIB - 11)}`));

    expect(await stub.manager().createStep('e1', { step_name: 'Build' })).toEqual({ id: 's1', step_id: 's1' });
  });

  it.each([
    ['it is too long', HEAD],
    ['it points elsewhere', 'HTTP/1.1 307 Elsewhere\r\nlocation: /other\r\n'],
  ])('is no longer received once %s', async (_, head) => {
    const closed = Promise.withResolvers<void>();
    await using stub = await aStub((socket, heard) => {
      socket.on('close', () => closed.resolve());
      endless(`${head}content-length: 9999999999\r\n\r\n`, Buffer.alloc(65_536, ' '))(socket, heard);
    });

    await failureOf(stub.manager().createStep('e1', { step_name: 'Build' }));

    await closed.promise;
  });

  it('is parsed as JSON when it has no content type', async () => {
    await using stub = await aStub((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"id":"s1"}'));

    expect(await stub.manager().createStep('e1', { step_name: 'Build' })).toEqual({ id: 's1', step_id: 's1' });
  });

  it.each([300, 304])('is neither a success nor a redirect with %i', async (status) => {
    await using stub = await aStub((socket) => socket.end(`HTTP/1.1 ${status} Said\r\n\r\n`));

    const error = await failureOf(stub.manager().patchStep('e1', 's1', { message: 'x' }));

    expect(error).toMatchObject({ error_code: 'bad_response', status_code: status });
    expect(error.message).not.toContain('redirect');
  });

  it('is a redirect that is not followed, so the token stays here', async () => {
    await using elsewhere = await aStub(saysJson(201, { id: 's1' }));
    await using stub = await aStub(says(307, '', { location: `${elsewhere.base_url}/api/executions/e1/steps` }));

    const error = await failureOf(stub.manager({ token: 'secret-token' }).createStep('e1', { step_name: 'Build' }));

    expect(error).toMatchObject({ error_code: 'bad_response', status_code: 307 });
    expect(error.message).toBe('Task Manager answered 307, a redirect, which is not followed');
    expect(elsewhere.heard).toEqual([]);
  });
});
