import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { ask, createServed } from '#testing/served';

type Served = Awaited<ReturnType<typeof createServed>>;

/** Makes a task that another worker holds during the test. */
async function aHeldTask({ tasks, namespace, world }: Served): Promise<string> {
  const owner_id = `sub:${world.owner.user_id}`;
  const request = {
    owner_id,
    tool: `${namespace}:todo_add_task`,
    arguments: {},
    context: { pass: 'local', acts_for: 'self' },
  };
  const made = await tasks.create(request);
  const ended = await tasks.wait(owner_id, made.task_id);
  const task_id = randomUUID();
  const lease = { worker_id: 'elsewhere', until: tasks.store.now() + 3_600_000 };
  await tasks.store.insert({ ...ended, task_id, status: 'working', outcome: null, version: 1, lease }, 100);
  return task_id;
}

/** Waits for the result of the task. Returns it, or that there will be none. */
function resultOf({ url }: Served, token: string, taskId: string, accept: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/result', params: { taskId } });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
    accept,
  };
  return ask(`${url}/mcp`, { method: 'POST', headers, body }).then(
    ({ json, text }) => (Object.keys(json).length > 0 ? json : text),
    () => 'cut off',
  );
}

/** Resolves when a call waits for the end of a task. */
function whenWaiting({ tasks }: Served): () => Promise<void> {
  const wait = vi.spyOn(tasks, 'wait');
  return () => vi.waitFor(() => expect(wait).toHaveBeenCalledOnce());
}

describe.concurrent.each(['application/json', 'text/event-stream'])('a call that lasts, with %s', (accept) => {
  it('[O1] ends without an answer when its token is revoked', async () => {
    await using served = await createServed();
    const { token, token_id } = await served.world.token({});
    const task_id = await aHeldTask(served);
    const isWaiting = whenWaiting(served);
    const waiting = resultOf(served, String(token), task_id, accept);
    await isWaiting();

    await served.world.ask('admin_revoke_token', { token_id });

    expect(await waiting).toBe('cut off');
  });

  it('[R11, A4] is answered when the server stops, and the task goes on', async () => {
    await using served = await createServed();
    const { token } = await served.world.token({});
    const task_id = await aHeldTask(served);
    const isWaiting = whenWaiting(served);
    const waiting = resultOf(served, String(token), task_id, accept);
    await isWaiting();

    const drained = served.server.drain(10_000);

    expect(JSON.stringify(await waiting)).toContain('Ask for the result again');
    await drained;
    expect(await served.tasks.get(`sub:${served.world.owner.user_id}`, task_id)).toMatchObject({ status: 'working' });
  });
});
