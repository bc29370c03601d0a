import { describe, expect, it } from 'vitest';
import { aHost } from '#testing/a-host';
import { a2025Request, a2026Request, type Message, VERSION } from '#testing/messages';
import { codeOf, openHttp } from '#testing/open-http';

const echo = { name: 'echo', arguments: { a: 1 } };

const without = ({ body, headers }: Message, header: string): Message => ({
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header)),
});

function under({ body, headers }: Message, header: string, value: string): Message {
  return { body, headers: { ...headers, [header]: value } };
}

function unknownVersion(version: string): Message {
  const { body, headers } = a2026Request('tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': version });
  return { body, headers: { ...headers, 'mcp-protocol-version': version } };
}

describe('mcp over http, when something is wrong', () => {
  const call2026 = a2026Request('tools/call', echo);
  const list2026 = a2026Request('tools/list');
  it.each<[string, Message, number, number]>([
    ['the version header is missing', without(list2026, 'mcp-protocol-version'), 400, -32020],
    ['the method header is missing', without(list2026, 'mcp-method'), 400, -32020],
    ['the name header is missing', without(call2026, 'mcp-name'), 400, -32020],
    ['the version header differs', under(list2026, 'mcp-protocol-version', '2025-11-25'), 400, -32020],
    ['the method header differs', under(list2026, 'mcp-method', 'TOOLS/LIST'), 400, -32020],
    ['the name header differs', under(call2026, 'mcp-name', 'fail'), 400, -32020],
    [
      'capabilities are missing',
      a2026Request('tools/list', {}, { 'io.modelcontextprotocol/clientCapabilities': 1 }),
      400,
      -32602,
    ],
    ['the version is unknown', unknownVersion('2027-01-01'), 400, -32022],
    ['the method is unknown', a2026Request('tools/burn'), 404, -32601],
    ['the method is of 2025', a2026Request('logging/setLevel', { level: 'info' }), 404, -32601],
    ['the method is a property of objects', a2026Request('constructor'), 404, -32601],
    ['the host has no such part', a2026Request('resources/list'), 404, -32601],
    ['the client lacks a capability', a2026Request('tools/call', { name: 'ask' }), 400, -32021],
    ['input is not what it must be', a2026Request('tools/call', { ...echo, inputResponses: null }), 400, -32602],
    ['the tool is unknown', a2026Request('tools/call', { name: 'burn' }), 200, -32602],
    ['the tool has no name', a2026Request('tools/call', {}), 200, -32602],
    ['the arguments are a list', a2026Request('tools/call', { name: 'echo', arguments: [] }), 200, -32602],
    ['the cursor is not ours', a2026Request('tools/list', { cursor: 'x' }), 200, -32602],
    ['the host breaks', a2026Request('tools/call', { name: 'crash' }), 200, -32603],
  ])('[M2.4] answers 2026 when %s', async (_name, message, status, code) => {
    await using http = await openHttp(aHost());

    const answer = await http.send(message);

    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: 1 });
  });

  it.each<[string, Message, number, number]>([
    ['the method is unknown', a2025Request('tools/burn'), 200, -32601],
    ['the method is of 2026', a2025Request('subscriptions/listen'), 200, -32601],
    ['the tool is unknown', a2025Request('tools/call', { name: 'burn' }), 200, -32602],
    ['the arguments are a text', a2025Request('tools/call', { name: 'echo', arguments: 'a' }), 200, -32602],
    ['the client cannot be asked', a2025Request('tools/call', { name: 'ask' }), 200, -32602],
    ['the level is none', a2025Request('logging/setLevel', { level: 'loud' }), 200, -32602],
    ['nothing is remembered to subscribe', a2025Request('resources/subscribe', { uri: 'a:b' }), 200, -32601],
    ['initialize names no version', a2025Request('initialize'), 200, -32602],
    ['the host breaks', a2025Request('tools/call', { name: 'crash' }), 200, -32603],
    ['the version is unknown', under(a2025Request('ping'), 'mcp-protocol-version', '2027-01-01'), 400, -32022],
  ])('[M2.4] answers 2025 when %s', async (_name, message, status, code) => {
    await using http = await openHttp(aHost());

    const answer = await http.send(message);

    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: 1 });
  });

  it('[M2.4] names its versions to a client that asked for another', async () => {
    await using http = await openHttp(aHost());

    const answer = await http.send(unknownVersion('2027-01-01'));

    expect(answer.json).toMatchObject({ error: { data: { supported: [VERSION], requested: '2027-01-01' } } });
  });

  it('[M2.4, M6.2] names the capability that a client lacks', async () => {
    await using http = await openHttp(aHost());

    const answer = await http.send(a2026Request('tools/call', { name: 'ask' }));

    expect(answer.json).toMatchObject({ error: { data: { requiredCapabilities: { elicitation: {} } } } });
  });

  it('[M3.5] hides the message of an unexpected failure', async () => {
    const host = aHost();
    await using http = await openHttp(host);

    const answer = await http.send(a2025Request('tools/call', { name: 'crash' }));

    expect(answer.text).not.toContain('secret words');
    expect(http.reported).toMatchObject([{ message: 'secret words' }]);
  });

  it.each<[string, string, Readonly<Record<string, string>>, number, number]>([
    ['invalid JSON', '{', {}, 400, -32700],
    ['a malformed envelope', '{"jsonrpc":"2.0","id":null,"method":"ping"}', {}, 400, -32600],
    ['JSON that is too deep', '['.repeat(65), {}, 400, -32600],
    ['2 MiB', ' '.repeat(2 * 1024 * 1024), {}, 413, -32600],
    ['another media type', '{}', { 'content-type': 'text/plain' }, 415, -32600],
    ['a client that reads neither', '{}', { accept: 'text/html' }, 406, -32600],
  ])('refuses %s', async (_name, body, headers, status, code) => {
    await using http = await openHttp(aHost());

    const answer = await http.post(body, headers);

    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it('[M2.3] compares the headers that mirror arguments of a tool', async () => {
    const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
    const shapes = [{ name: 'echo', description: 'Echoes.', inputSchema: { type: 'object', properties } }];
    const host = aHost();
    await using http = await openHttp({ ...host, tools: { ...host.tools, list: () => shapes, mirroring: shapes } });
    const call = a2026Request('tools/call', { name: 'echo', arguments: { region: 'eu' } });

    const matching = await http.send(call, { 'mcp-param-region': 'eu' });
    const missing = await http.send(call);

    expect(matching.json).toMatchObject({ result: { structuredContent: { region: 'eu' } } });
    expect([missing.status, codeOf(missing)]).toEqual([400, -32020]);
  });
});
