import { describe, expect, it } from 'vitest';
import type { ToolShape } from '#host';
import type { JsonObject } from '#json';
import { readMessage } from '#json-rpc';
import { checkHeaders, checkParamHeaders, type Headers } from './headers.ts';

const region = { type: 'string', 'x-mcp-header': 'Region' };
const count = { type: 'integer', 'x-mcp-header': 'Count' };
const tools: readonly ToolShape[] = [
  {
    name: 'run',
    description: 'Runs.',
    inputSchema: { type: 'object', properties: { region, nested: { type: 'object', properties: { count } } } },
  },
];

function request(method: string, params: JsonObject) {
  const message = readMessage({ jsonrpc: '2.0', id: 1, method, params });
  if (message.kind !== 'request') throw new Error('not a request');
  return message;
}

const checkedParams = (args: unknown, headers: Headers) => () =>
  checkParamHeaders(request('tools/call', { name: 'run', arguments: args }), headers, tools);

describe('2026 headers', () => {
  it.each<[string, Headers]>([
    ['as it is', { 'mcp-name': 'run' }],
    ['with spaces around it', { 'mcp-name': '  run ' }],
    ['encoded', { 'mcp-name': '=?base64?cnVu?=' }],
  ])('[M2.3] take a name %s', (_name, headers) => {
    const call = request('tools/call', { name: 'run' });

    expect(() => checkHeaders(call, { 'mcp-method': 'tools/call', ...headers })).not.toThrow();
  });

  it.each<[string, Headers]>([
    ['another name', { 'mcp-name': 'walk' }],
    ['another case', { 'mcp-name': 'RUN' }],
    ['broken encoding', { 'mcp-name': '=?base64?cnV?=' }],
    ['encoded bytes that are no text', { 'mcp-name': '=?base64?/w==?=' }],
    ['no name', {}],
  ])('[M2.3] refuse %s', (_name, headers) => {
    const call = request('tools/call', { name: 'run' });

    expect(() => checkHeaders(call, { 'mcp-method': 'tools/call', ...headers })).toThrow('Mcp-Name');
  });

  it('[M2.3] name a resource by its uri', () => {
    const read = request('resources/read', { uri: 'file:///a' });

    expect(() => checkHeaders(read, { 'mcp-method': 'resources/read', 'mcp-name': 'file:///a' })).not.toThrow();
    expect(() => checkHeaders(read, { 'mcp-method': 'resources/read', 'mcp-name': 'file:///b' })).toThrow('Mcp-Name');
  });

  it.each<[string, unknown, Headers]>([
    ['equal to the argument', { region: 'eu' }, { 'mcp-param-region': 'eu' }],
    ['encoded', { region: 'ü' }, { 'mcp-param-region': '=?base64?w7w=?=' }],
    ['that look encoded but are not', { region: '=?base64?ZQ==' }, { 'mcp-param-region': '=?base64?ZQ==' }],
    ['as a number', { nested: { count: 42 } }, { 'mcp-param-count': '42.0' }],
    ['missing like the argument', {}, {}],
    ['missing for null', { region: null }, {}],
  ])('[M2.3] take params %s', (_name, args, headers) => {
    expect(checkedParams(args, headers)).not.toThrow();
  });

  it.each<[string, unknown, Headers]>([
    ['that differ', { region: 'eu' }, { 'mcp-param-region': 'us' }],
    ['that are missing', { region: 'eu' }, {}],
    ['of broken padding', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }],
    ['of broken characters', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }],
    ['that are another number', { nested: { count: 42 } }, { 'mcp-param-count': '43' }],
    ['that are no number', { nested: { count: 0 } }, { 'mcp-param-count': '' }],
  ])('[M2.3] refuse params %s', (_name, args, headers) => {
    expect(checkedParams(args, headers)).toThrow('Mcp-Param');
  });
});
