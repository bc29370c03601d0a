import { describe, expect, it } from 'vitest';
import { askModern, DECLARING_TASKS } from './testing/modern-http.ts';
import { openSdkHost, type SdkHost } from './testing/sdk-host.ts';

const NOTHING_DECLARED = { capabilities: {} };
const ONLY_ELICITATION = { capabilities: { elicitation: {} } };

const call = (name: string, params = {}) => ({ method: 'tools/call', params: { name, arguments: {}, ...params } });
const task = (method: string, taskId: unknown, params = {}) => ({
  method: `tasks/${method}`,
  params: { taskId, ...params },
});

async function begin({ url }: SdkHost, tool: string): Promise<unknown> {
  const { body } = await askModern(url, call(tool));
  return (body.result as { readonly taskId: string }).taskId;
}

async function settled(host: SdkHost, taskId: unknown) {
  await host.tasks.wait('sub:ann', String(taskId));
  const { body } = await askModern(host.url, task('get', taskId));
  return body.result;
}

describe('a server of the SDK, 2026-07-28', () => {
  it('[B1, B2] answers a call that declares tasks with a task and nothing else', async () => {
    await using host = await openSdkHost();

    const { body } = await askModern(host.url, call('endless'));

    expect(body.result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 3_600_000 });
    expect(body.result).not.toHaveProperty('content');
    expect(body.result).toHaveProperty('_meta.io\\.modelcontextprotocol/serverInfo.name', 'sdk-host');
  });

  it('[B2] does the work within the call for a client that does not declare tasks', async () => {
    await using host = await openSdkHost();

    const { body } = await askModern(host.url, call('count', { arguments: { to: 7 } }), NOTHING_DECLARED);

    expect(body.result).toMatchObject({ resultType: 'complete', content: [{ text: 'counted to 7' }] });
  });

  it('[B2] answers -32021 and 400 when the tool requires a task', async () => {
    await using host = await openSdkHost();

    const { status, body } = await askModern(host.url, call('long'), NOTHING_DECLARED);

    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: -32021, data: { requiredCapabilities: {} } });
  });

  it('[B3, B6] shows a tool error as completed and a JSON-RPC error as failed', async () => {
    await using host = await openSdkHost();

    const failing = await settled(host, await begin(host, 'failing'));
    const broken = await settled(host, await begin(host, 'broken'));

    expect(failing).toMatchObject({ status: 'completed', result: { isError: true, resultType: 'complete' } });
    expect(broken).toMatchObject({
      status: 'failed',
      error: { code: -31_000, message: 'Out of paper.', data: { tray: 2 } },
    });
  });

  it('[B4] takes answers by tasks/update', async () => {
    await using host = await openSdkHost();
    const taskId = await begin(host, 'confirm');

    const answer = { inputResponses: { sure: { action: 'decline' } } };
    const { body } = await askModern(host.url, task('update', taskId, answer));

    expect(body.result).toMatchObject({ resultType: 'complete' });
    expect(await settled(host, taskId)).toMatchObject({ result: { content: [{ text: 'decline null' }] } });
  });

  it('[B7] knows neither tasks/result nor tasks/list', async () => {
    await using host = await openSdkHost();
    const taskId = await begin(host, 'endless');

    const answers = await Promise.all(['result', 'list'].map((name) => askModern(host.url, task(name, taskId))));

    expect(answers).toMatchObject([
      { status: 404, body: { error: { code: -32601 } } },
      { status: 404, body: { error: { code: -32601 } } },
    ]);
  });

  it('[O2] gives the same answer for the task of another user and for an unknown one', async () => {
    await using host = await openSdkHost();
    const taskId = await begin(host, 'endless');
    const ask = (id: unknown) =>
      Promise.all(
        ['get', 'cancel', 'update'].map(async (name) => {
          const request = task(name, id, { inputResponses: {} });
          const { status, body } = await askModern(host.url, request, { user: 'bob' });
          return { status, error: body.error };
        }),
      );

    const foreign = await ask(taskId);

    expect(foreign).toEqual(await ask('11111111-1111-4111-8111-111111111111'));
    expect(foreign[0]).toMatchObject({ error: { code: -32602 } });
  });

  it('[B2] refuses a task with invalid arguments', async () => {
    await using host = await openSdkHost();

    const { body } = await askModern(host.url, call('count', { arguments: { to: 'many' } }));

    expect(body.result).toMatchObject({ resultType: 'complete', isError: true });
    expect((await host.tasks.list('sub:ann')).tasks).toEqual([]);
  });

  it('[C2] asks within the call, and continues the same work when the client calls again', async () => {
    await using host = await openSdkHost();
    const first = await askModern(host.url, call('confirm'), ONLY_ELICITATION);
    const { requestState } = first.body.result as { readonly requestState: string };

    const again = { requestState, inputResponses: { sure: { action: 'accept', content: { sure: false } } } };
    const second = await askModern(host.url, call('confirm', again), ONLY_ELICITATION);

    expect(first.body.result).toMatchObject({ resultType: 'input_required', inputRequests: { sure: {} } });
    expect(second.body.result).toMatchObject({ content: [{ text: 'accept {"sure":false}' }] });
    expect((await host.tasks.list('plain:sub:ann')).tasks).toHaveLength(1);
  });

  it('[SEC-07] does the work of a plain call for an anonymous client, and gives it no task', async () => {
    await using host = await openSdkHost(() => ({}));

    const plain = await askModern(host.url, call('count'), ONLY_ELICITATION);
    const asTask = await askModern(host.url, call('count'));

    expect(plain.body.result).toMatchObject({ content: [{ text: 'counted to 3' }] });
    expect(asTask.body.error).toMatchObject({ code: -32_602 });
  });

  it('[O2] does not give a client the work of another by its id', async () => {
    await using host = await openSdkHost();
    const first = await askModern(host.url, call('confirm'), ONLY_ELICITATION);
    const { requestState } = first.body.result as { readonly requestState: string };

    const again = { requestState, inputResponses: { sure: { action: 'accept' } } };
    const stolen = await askModern(host.url, call('confirm', again), { ...ONLY_ELICITATION, user: 'bob' });

    expect(stolen.body.error).toMatchObject({ code: -32602, message: 'Task not found.' });
  });

  it('[O2] does not give a tool the work of another tool by its id', async () => {
    await using host = await openSdkHost();
    const first = await askModern(host.url, call('confirm'), ONLY_ELICITATION);
    const { requestState } = first.body.result as { readonly requestState: string };

    const other = await askModern(host.url, call('endless', { requestState }), ONLY_ELICITATION);

    expect(other.body.error).toMatchObject({ code: -32602, message: 'Task not found.' });
  });

  it('[R6] cancels the work of a plain call whose client disconnects', async () => {
    await using host = await openSdkHost();
    const hangUp = new AbortController();
    const answer = askModern(host.url, call('endless'), { ...NOTHING_DECLARED, signal: hangUp.signal });
    await expect.poll(async () => (await host.tasks.list('plain:sub:ann')).tasks).toHaveLength(1);

    hangUp.abort();

    await expect(answer).rejects.toThrow();
    await expect.poll(async () => (await host.tasks.list('plain:sub:ann')).tasks[0]?.status).toBe('cancelled');
  });

  it('[B9] answers -32021 to every method of tasks that is called without declaring them', async () => {
    await using host = await openSdkHost();
    const taskId = await begin(host, 'endless');

    const answers = await Promise.all(
      ['get', 'cancel', 'update'].map((name) => askModern(host.url, task(name, taskId), NOTHING_DECLARED)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { error: { code: -32021 } } });
  });

  it('[B2] does not change tools that are not durable', async () => {
    await using host = await openSdkHost();

    const { body } = await askModern(host.url, call('greet'), { capabilities: DECLARING_TASKS });

    expect(body.result).toMatchObject({ resultType: 'complete', content: [{ text: 'hello' }] });
  });
});
