import { describe, expect, it } from 'vitest';
import { createRpc, type Handlers, type Peer } from './rpc.ts';

/** A view, and the window around it. */
function aView(handlers: Partial<Handlers> = {}) {
  const sent: unknown[] = [];
  const host: Peer = { postMessage: (message) => void sent.push(message) };
  const listeners: ((event: MessageEvent) => void)[] = [];
  const rpc = createRpc(
    host,
    { addEventListener: (_type, listener) => void listeners.push(listener) },
    { notifications: {}, requests: {}, ...handlers },
  );
  // The cast: a view reads nothing else of an event.
  const receive = (data: unknown, source: unknown = host) =>
    listeners.forEach((listener) => {
      listener({ source, data } as MessageEvent);
    });
  return { rpc, sent, receive };
}

describe('JSON-RPC with the host of a view', () => {
  it('gives each answer to its request, in any order', async () => {
    const { rpc, receive, sent } = aView();

    const first = rpc.request('tools/call', { name: 'a' });
    const second = rpc.request('tools/call', { name: 'b' });
    receive({ jsonrpc: '2.0', id: 2, result: { of: 'b' } });
    receive({ jsonrpc: '2.0', id: 1, result: { of: 'a' } });

    expect(await Promise.all([first, second])).toEqual([{ of: 'a' }, { of: 'b' }]);
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'b' } },
    ]);
  });

  it('rejects with the words of an error', async () => {
    const { rpc, receive } = aView();

    const call = rpc.request('tools/call', {});
    receive({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'The person said no.' } });

    await expect(call).rejects.toThrow('The person said no.');
  });

  it('answers known requests, and refuses unknown ones', () => {
    const { receive, sent } = aView({ requests: { ping: () => ({}) } });

    receive({ jsonrpc: '2.0', id: 'a', method: 'ping' });
    receive({ jsonrpc: '2.0', id: 'b', method: 'toString' });

    expect(sent).toMatchObject([
      { id: 'a', result: {} },
      { id: 'b', error: { code: -32_601 } },
    ]);
  });

  it('hears nobody but its host', () => {
    const heard: unknown[] = [];
    const { receive } = aView({ notifications: { news: (params) => heard.push(params) } });

    receive({ jsonrpc: '2.0', method: 'news', params: { from: 'a stranger' } }, {});
    receive('news');
    receive({ jsonrpc: '2.0', method: 'news', params: { from: 'the host' } });

    expect(heard).toEqual([{ from: 'the host' }]);
  });
});
