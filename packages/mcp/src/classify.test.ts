import { describe, expect, it } from 'vitest';
import { classify } from './classify.ts';
import type { JsonObject } from './json.ts';
import { RpcError, readMessage } from './json-rpc.ts';
import { META, VERSION } from './testing/messages.ts';

const CLAIM = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

function outcome(method: string, meta: JsonObject | undefined, header: string | undefined | null): string | number {
  const params = meta === undefined ? {} : { _meta: meta };
  const message = readMessage({ jsonrpc: '2.0', id: 1, method, params });
  if (message.kind !== 'request') throw new Error('not a request');
  const generation = classify(message, header === null ? null : { version: header });
  return generation instanceof RpcError ? generation.code : generation;
}

describe('classify', () => {
  it.each<[string, string, JsonObject | undefined, string | undefined | null, string | number]>([
    ['its own claim', 'tools/list', META, VERSION, '2026'],
    ['its own claim, on a line', 'tools/list', META, null, '2026'],
    ['its own claim, even to initialize', 'initialize', META, VERSION, '2026'],
    ['initialize', 'initialize', undefined, undefined, '2025'],
    ['initialize under a header', 'initialize', undefined, '2025-06-18', '2025'],
    ['no header', 'tools/list', undefined, undefined, '2025'],
    ['the oldest version', 'tools/list', undefined, '2024-11-05', '2025'],
    ['a 2025 version', 'tools/list', undefined, '2025-11-25', '2025'],
    ['a line without claim', 'tools/list', undefined, null, '2025'],
    ['a foreign meta', 'tools/list', { progressToken: 1 }, '2025-11-25', '2025'],
    ['a claim without header', 'tools/list', META, undefined, -32020],
    ['a claim under another header', 'tools/list', META, '2025-11-25', -32020],
    ['an unknown claim under another header', 'tools/list', { ...META, [CLAIM]: '2027-01-01' }, VERSION, -32020],
    ['an unknown claim', 'tools/list', { ...META, [CLAIM]: '2027-01-01' }, '2027-01-01', -32022],
    ['a claim to be of 2025', 'tools/list', { ...META, [CLAIM]: '2025-11-25' }, '2025-11-25', -32022],
    ['an unknown header', 'tools/list', undefined, '2027-01-01', -32022],
    ['a claim that is no text', 'tools/list', { ...META, [CLAIM]: 1 }, VERSION, -32602],
    ['a claim without capabilities', 'tools/list', { [CLAIM]: VERSION }, VERSION, -32602],
    ['capabilities that are a list', 'tools/list', { ...META, [CAPABILITIES]: [] }, VERSION, -32602],
    ['a 2026 header without claim', 'tools/list', undefined, VERSION, -32602],
    ['discover without claim', 'server/discover', undefined, undefined, -32602],
    ['discover without claim, on a line', 'server/discover', undefined, null, -32602],
  ])('[M2.1] sorts a request with %s', (_name, method, meta, header, expected) => {
    expect(outcome(method, meta, header)).toBe(expected);
  });
});
