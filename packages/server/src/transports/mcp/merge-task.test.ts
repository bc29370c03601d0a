import { expect, it, vi } from 'vitest';
import { aShippable } from '#testing/git-jobs';
import { createServed } from '#testing/served';

type Json = Record<string, unknown>;

it('[L-SHIP] a merge as a task waits for another merge of the attempt, and answers its own end', async () => {
  await using served = await createServed();
  const { world } = served;
  const ship = await aShippable(world);
  const attempt_id = await ship.attempt();
  const { token } = await world.token({ scopes: ['board:read', 'board:merge'] });
  const ask = async (method: string, params: object): Promise<Json> => {
    const headers = {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${String(token)}`,
      'mcp-protocol-version': '2025-11-25',
    };
    const { json } = await served.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers);
    return json.result as Json;
  };
  const other = world.ask('merge_attempt', { attempt_id, mode: 'rebase' });
  const first = await ship.take();

  const params = { name: 'merge_attempt', arguments: { attempt_id, mode: 'squash' }, task: {} };
  const { task } = (await ask('tools/call', params)) as { readonly task: { readonly taskId: string } };
  // Its first call has met the other merge.
  await vi.waitFor(() => expect(world.calls.map(({ outcome }) => outcome)).toContain('merge_in_progress'));
  await ship.jobs.finish(first.job, { status: 'refused', result: { code: 'not_clean', reason: 'Commit first.' } });
  expect(await other).toMatchObject({ status: 'refused' });
  const second = await ship.take();
  expect(await ask('tasks/get', { taskId: task.taskId })).toMatchObject({ status: 'working' });
  await ship.merged(second);

  await vi.waitFor(async () =>
    expect(await ask('tasks/get', { taskId: task.taskId })).toMatchObject({ status: 'completed' }),
  );
  expect(second.mode).toBe('squash');
  expect(await ask('tasks/result', { taskId: task.taskId })).toMatchObject({ structuredContent: { status: 'merged' } });
});
