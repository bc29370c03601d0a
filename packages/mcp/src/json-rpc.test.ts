import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorText, oneLine, readMessage, resultText } from './json-rpc.ts';

const request = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('json-rpc', () => {
  it.each([
    ['a request', request, 'request'],
    ['a request with a text id', { ...request, id: '' }, 'request'],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 'notification'],
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }, 'response'],
    ['an error', { jsonrpc: '2.0', id: 'a', error: { code: 1, message: 'no' } }, 'response'],
    ['nothing', null, 'malformed'],
    ['a text', 'ping', 'malformed'],
    ['another version', { ...request, jsonrpc: '1.0' }, 'malformed'],
    ['no version', { id: 1, method: 'ping' }, 'malformed'],
    ['the id null', { ...request, id: null }, 'malformed'],
    ['a fraction for an id', { ...request, id: 1.5 }, 'malformed'],
    ['an id that cannot be echoed exactly', { ...request, id: 2 ** 53 }, 'malformed'],
    ['an object for an id', { ...request, id: {} }, 'malformed'],
    ['a number for a method', { ...request, method: 1 }, 'malformed'],
    ['a list for params', { ...request, params: [] }, 'malformed'],
    ['null for params', { ...request, params: null }, 'malformed'],
    ['neither method nor result', { jsonrpc: '2.0', id: 1 }, 'malformed'],
    ['both result and error', { jsonrpc: '2.0', id: 1, result: {}, error: {} }, 'malformed'],
    ['a result without id', { jsonrpc: '2.0', result: {} }, 'malformed'],
  ])('[M1.1] reads %s', (_name, value, kind) => {
    expect(readMessage(value).kind).toBe(kind);
  });

  it('[M1.2] keeps the id of a malformed message, so that its sender gets the error', () => {
    expect(readMessage({ jsonrpc: '2.0', id: 7, method: 1 })).toMatchObject({ kind: 'malformed', id: 7 });
  });

  it('[M1.1] reads any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(['request', 'notification', 'response', 'malformed']).toContain(readMessage(value).kind);
      }),
    );
  });

  it('[M1.2] writes ids unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.maxSafeInteger()), (id) => {
        expect(JSON.parse(resultText(id, '{}'))).toEqual({ jsonrpc: '2.0', id, result: {} });
        expect(JSON.parse(errorText(id, 1, 'no'))).toMatchObject({ id });
      }),
    );
  });

  it('[M1.2] leaves out an id that is not known', () => {
    expect(JSON.parse(errorText(undefined, 1, 'no'))).toEqual({ jsonrpc: '2.0', error: { code: 1, message: 'no' } });
  });

  it('[M1.2] answers an error without its data when JSON cannot hold the data', () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;

    for (const data of [circular, { count: 1n }]) {
      expect(JSON.parse(errorText(7, 1, 'no', data))).toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: { code: 1, message: 'no' },
      });
    }
  });

  it('[M1.3] puts a message on one line without changing it', () => {
    const value = { text: 'a\nb\r\u2028', list: [1, { deep: true }] };

    const line = oneLine(JSON.stringify(value, null, 2));

    expect(line).not.toMatch(/[\r\n]/);
    expect(JSON.parse(line)).toEqual(value);
  });
});
