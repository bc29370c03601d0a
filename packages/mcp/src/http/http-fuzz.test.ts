import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '#json';
import { aHost } from '#testing/a-host';
import { META, VERSION } from '#testing/messages';
import { type Answer, openHttp } from '#testing/open-http';

const METHODS = ['tools/list', 'tools/call', 'initialize', 'ping', 'server/discover', 'resources/read', 'prompts/get'];

const envelope = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: fc.oneof(fc.constantFrom(...METHODS), fc.string(), fc.jsonValue()),
    params: fc.oneof(
      fc.record(
        {
          name: fc.oneof(fc.constantFrom('echo', 'fail', 'crash', 'ask', '__proto__'), fc.jsonValue()),
          arguments: fc.jsonValue(),
          uri: fc.jsonValue(),
          cursor: fc.jsonValue(),
          protocolVersion: fc.jsonValue(),
          inputResponses: fc.jsonValue(),
          _meta: fc.oneof(fc.constant(META), fc.jsonValue()),
        },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    ),
    result: fc.jsonValue(),
    error: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

const headers = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom('2024-11-05', '2025-03-26', '2025-11-25', VERSION, '2027-01-01'),
    'mcp-method': fc.constantFrom(...METHODS),
    'mcp-name': fc.constantFrom('echo', 'fail', '=?base64?ZWNobw==?=', '=?base64?!?='),
    accept: fc.constantFrom('application/json', 'text/event-stream', 'application/json, text/event-stream'),
  },
  { requiredKeys: [] },
);

const isAnswer = (message: unknown): boolean => {
  if (!isObject(message)) return false;
  const {
    jsonrpc,
    result,
    error,
  }: { readonly jsonrpc?: unknown; readonly result?: unknown; readonly error?: unknown } = message;
  return jsonrpc === '2.0' && (isObject(result) ? error === undefined : isObject(error));
};

function isSound({ status, text, json }: Answer): boolean {
  if (status === 202) return text === '';
  return Array.isArray(json) ? json.length > 0 && json.every(isAnswer) : isAnswer(json);
}

describe('mcp over http, given anything', () => {
  it('[M3.4] answers every envelope with JSON-RPC or with nothing, and never breaks', async () => {
    await using http = await openHttp(aHost());

    await fc.assert(
      fc.asyncProperty(fc.oneof(envelope, fc.array(envelope, { maxLength: 3 })), headers, async (body, given) => {
        const answer = await http.post(JSON.stringify(body), given);

        expect(answer).toSatisfy(isSound);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
    expect(http.reported.every((error) => error instanceof Error && error.message === 'secret words')).toBe(true);
  });

  it('[M3.4] answers every text with JSON-RPC or with nothing, and never breaks', async () => {
    await using http = await openHttp(aHost());

    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (body) => {
        const answer = await http.post(body);

        expect(answer).toSatisfy(isSound);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });
});
