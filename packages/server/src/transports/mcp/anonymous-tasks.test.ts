import { describe, expect, it } from 'vitest';
import { a2025Client, initialize } from '#testing/mcp-2025-client';
import { createServed } from '#testing/served';

const CALL = { name: 'todo_add_task', arguments: { user_id: 'me', title: 'Water the plants' }, task: {} };

const taskIn = ({ json }: { readonly json: Record<string, unknown> }): string =>
  String((json.result as { task?: { taskId?: string } }).task?.taskId);

describe('tasks of callers without a token', () => {
  it('[O1, SEC-01] belong to the session in which they were made', async () => {
    await using served = await createServed({}, { allowAnonymous: true });
    const client = a2025Client(null);
    const [own, other] = [await client.open(served.url), await client.open(served.url)];
    const call = { ...CALL, arguments: { ...CALL.arguments, user_id: served.world.owner.user_id } };
    const taskId = taskIn(await client.request(served.url, 'tools/call', call, own));

    const found = await client.request(served.url, 'tasks/get', { taskId }, own);
    const foreign = await client.request(served.url, 'tasks/get', { taskId }, other);
    const listed = await client.request(served.url, 'tasks/list', {}, other);

    expect(found.json).toMatchObject({ result: { taskId } });
    expect(foreign.json).toMatchObject({ error: { code: -32602, message: 'Task not found.' } });
    expect(listed.json).toMatchObject({ result: { tasks: [] } });
  });

  it('[O1, SEC-01, SEC-07] are refused without a session, and the refusal says what to send', async () => {
    await using served = await createServed({}, { allowAnonymous: true });
    const client = a2025Client(null);
    const call = { ...CALL, arguments: { ...CALL.arguments, user_id: served.world.owner.user_id } };

    const opened = await client.post(served.url, initialize({}));
    const plain = await client.request(served.url, 'tools/call', call);
    const got = await client.request(served.url, 'tasks/list', {});

    expect(opened.json).not.toHaveProperty('result.capabilities.tasks');
    expect(plain.json).toMatchObject({ result: { structuredContent: { status: 'created' } } });
    expect(got.json).toMatchObject({ error: { code: -32602, message: expect.stringContaining('send a token') } });
  });
});
