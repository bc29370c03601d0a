import { describe, expect, it } from 'vitest';
import { createServed } from '#testing/served';
import { DEFAULT_TRAFFIC } from '#transports/traffic';

const HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-03-26' };

const call = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { user_id: 'me', ...args } },
});

interface Answer {
  readonly id: number;
  readonly result?: { readonly structuredContent: { readonly tasks?: { readonly title: string }[] } };
  readonly error?: { readonly code: number; readonly data: { readonly code: string; readonly retryable: boolean } };
}

describe('a batch', () => {
  it('is processed in order, one request after another', async () => {
    await using served = await createServed();
    const messages = [
      call(1, 'add_task', { title: 'one' }),
      call(2, 'list_tasks', {}),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call(3, 'add_task', { title: 'two' }),
      call(4, 'list_tasks', {}),
    ];

    const said = await served.call('POST', '/mcp/todo', messages, HEADERS);

    const answers = JSON.parse(said.text) as readonly Answer[];
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(answers[1]?.result?.structuredContent.tasks).toHaveLength(1);
    expect(answers[3]?.result?.structuredContent.tasks).toHaveLength(2);
  });

  it('runs none of the requests that come after too many bytes of answers', async () => {
    await using served = await createServed({ traffic: { ...DEFAULT_TRAFFIC, max_batch_bytes: 100 } });
    const messages = [call(1, 'list_tasks', {}), call(2, 'add_task', { title: 'late' }), call(3, 'list_tasks', {})];

    const said = await served.call('POST', '/mcp/todo', messages, HEADERS);

    const [first, ...rest] = JSON.parse(said.text) as readonly Answer[];
    expect(first?.result).toBeDefined();
    expect(rest).toMatchObject([
      { id: 2, error: { data: { code: 'rate_limited', retryable: true } } },
      { id: 3, error: { data: { code: 'rate_limited', retryable: true } } },
    ]);
    expect(await served.world.ask('todo_list_tasks', { user_id: 'me' })).toEqual({ tasks: [] });
  });

  it('of notifications only is accepted without an answer', async () => {
    await using served = await createServed();

    const said = await served.call('POST', '/mcp', [{ jsonrpc: '2.0', method: 'notifications/initialized' }], HEADERS);

    expect([said.status, said.text]).toEqual([202, '']);
  });
});

describe('a name of 500 kB', () => {
  it.each(['tools/call', 'x'.repeat(500_000)])('is repeated in part only', async (method) => {
    await using served = await createServed();
    const message = { jsonrpc: '2.0', id: 1, method, params: { name: 'x'.repeat(500_000) } };

    const said = await served.call('POST', '/mcp', message, { ...HEADERS, 'mcp-protocol-version': '2025-06-18' });

    expect(said.text).toMatch(/x…/);
    expect(said.text.length).toBeLessThan(1_000);
  });
});
