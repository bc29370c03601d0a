import { describe, expect, it } from 'vitest';
import { type Answer, aStub, failureOf, says, saysJson } from './testing/stub-task-manager.ts';

const TOKEN = 'top/secret"token';

/** Repeats the token in every form that a server may use. */
const mirror: Answer = (socket, heard) => {
  const { authorization = '' } = heard.headers;
  const token = authorization.slice('Bearer '.length);
  const forms = [authorization, encodeURIComponent(token), JSON.stringify({ token }), token.replace('s', 's\u200B')];
  const words = forms.join(' ');
  const status = heard.line.includes('/e-refused') ? 400 : 200;
  saysJson(status, { id: 's1', step_name: words, session_id: words, message: words, error: words })(socket, heard);
};

describe('the token', () => {
  it.each(['e1', 'e-refused'])('is in no answer, in whatever form it is repeated: %s', async (execution_id) => {
    await using stub = await aStub(mirror);
    const manager = stub.manager({ token: TOKEN });
    const said = (asked: Promise<object>): Promise<string> =>
      asked.then(
        (answer) => JSON.stringify(answer),
        (error: unknown) => JSON.stringify({ words: String(error) }),
      );

    const answers = [
      await said(manager.patchExecution(execution_id, { session_id: 'x' })),
      await said(manager.createStep(execution_id, { step_name: 'Build' })),
      await said(manager.patchStep(execution_id, 's1', { message: 'x' })),
    ];

    for (const answer of answers) {
      expect(answer).toContain('[redacted]');
      expect(answer).not.toMatch(/secret.{0,4}token/);
    }
  });

  it('is no part of an id that can be used', async () => {
    await using stub = await aStub((socket, heard) =>
      saysJson(201, { id: heard.headers.authorization })(socket, heard),
    );

    const error = await failureOf(stub.manager({ token: 'secret-token' }).createStep('e1', { step_name: 'Build' }));

    expect(error.error_code).toBe('bad_response');
  });

  it('leaves words and ids that contain a short token unchanged', async () => {
    await using stub = await aStub(saysJson(201, { id: 'best-1', step_name: 'tests of est: est' }));

    const step = await stub.manager({ token: 'est' }).createStep('e1', { step_name: 'Build' });

    expect(step).toEqual({ id: 'best-1', step_id: 'best-1', step_name: 'tests of [redacted]: [redacted]' });
  });
});

describe('an answer of success that reports a failure', () => {
  it.each([
    [{ success: false, error: 'No such run.', error_code: 'not_found' }, 'No such run.', 'not_found'],
    [{ success: false, id: 's1' }, 'Task Manager answered 200 and "success": false', 'refused'],
  ])('[R1.3, R2.8, R6.7] is a refusal: %j', async (body, message, error_code) => {
    await using stub = await aStub(saysJson(200, body));

    const failures = [
      await failureOf(stub.manager().patchExecution('e1', { session_id: 'x' })),
      await failureOf(stub.manager().createStep('e1', { step_name: 'Build' })),
      await failureOf(stub.manager().patchStep('e1', 's1', { message: 'x' })),
    ];

    for (const error of failures) expect(error).toMatchObject({ message, error_code, status_code: 200 });
  });

  it.each([
    [{ status: 'degraded' }, 'Task Manager is not healthy: degraded'],
    [{ status: 'DOWN', message: 'The database is away.' }, 'The database is away.'],
    [{ success: false }, 'Task Manager is not healthy'],
    [{ status: 'ok', success: false, error: 'Not today.' }, 'Not today.'],
  ])('[R4.1, R4.3] is not healthy: %j', async (body, message) => {
    await using stub = await aStub(saysJson(200, body));

    const error = await failureOf(stub.manager().checkHealth());

    expect(error).toMatchObject({ message, error_code: 'unhealthy', status_code: 200 });
  });

  it.each([
    {},
    { status: 'OK' },
    { status: 'Healthy' },
    { status: 'UP' },
    { status: 'pass' },
    { status: 1 },
    { up: true },
  ])('[R4.1] is healthy: %j', async (body) => {
    await using stub = await aStub(saysJson(200, body));

    expect((await stub.manager().checkHealth()).status).toBe('healthy');
  });
});

describe('an answer to an update', () => {
  it.each<[string, Answer]>([
    ['204', (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')],
    ['nothing', says(200, '')],
    ['no id', saysJson(200, {})],
    ['the ids as numbers', saysJson(200, { step_id: 1, execution_id: 7 })],
  ])('[R3.6] is a success for what was asked: %s', async (_, answer) => {
    await using stub = await aStub(answer);

    const step = await stub.manager().patchStep('7', '1', { status: 'completed' });

    expect(step).toEqual({ step_id: '1', execution_id: '7' });
  });

  it.each([{ id: 's2' }, { step_id: 's2', id: 's1' }, { id: 's1', execution_id: 'e2' }, { execution_id: 2 }])(
    'is no success when it is about another step: %j',
    async (body) => {
      await using stub = await aStub(saysJson(200, body));

      const error = await failureOf(stub.manager().patchStep('e1', 's1', { status: 'completed' }));

      expect(error).toMatchObject({ error_code: 'bad_response', status_code: 200 });
      expect(error.message).toBe('Task Manager answered about another step than the one asked for');
    },
  );

  it.each<[string, Answer]>([
    ['204', (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')],
    ['nothing', says(200, '')],
  ])('[R1.2] repeats the session that was registered: %s', async (_, answer) => {
    await using stub = await aStub(answer);

    const execution = await stub.manager().patchExecution('e1', { session_id: 'mine', worktree_path: undefined });

    expect(execution).toEqual({ execution_id: 'e1', session_id: 'mine' });
  });
});
