import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  isJson,
  type JsonText,
  MAX_BODY_BYTES,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  parseJson,
  readJson,
  structureProblem,
} from './body.ts';

const read: JsonText[] = [];
/** Whether each request had arrived completely when its body was accepted or refused. */
const isWhole: boolean[] = [];
const server = createServer(async (req: IncomingMessage, res) => {
  const body = await readJson(req);
  read.push(body);
  isWhole.push(req.complete);
  res.end(JSON.stringify(body));
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a server that listens on TCP has an AddressInfo.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function send(body: string | Uint8Array<ArrayBuffer>, type = 'application/json', headers = {}): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': type, ...headers } });
  return await response.json();
}

describe('body', () => {
  it('reads JSON', async () => {
    expect(await send('{"a":[1,"ü"]}')).toEqual({ ok: true, value: { a: [1, 'ü'] } });
  });

  it('[M9.1] takes a body of exactly the largest size and refuses one byte more', async () => {
    const largest = JSON.stringify('x'.repeat(MAX_BODY_BYTES - 2));

    expect(await send(largest)).toMatchObject({ ok: true });
    expect(await send(`${largest} `)).toEqual({ ok: false, problem: 'too_large' });
  });

  it('[M9.1] refuses 2 MiB while the sender can still read the refusal', async () => {
    expect(await send(new Uint8Array(2 * MAX_BODY_BYTES))).toEqual({ ok: false, problem: 'too_large' });
  });

  it('[M9.3] refuses bytes that are not UTF-8', async () => {
    expect(await send(new Uint8Array([0x22, 0xff, 0x22]))).toEqual({ ok: false, problem: 'invalid_utf8' });
  });

  it.each(['', '{', '{"a":}', 'undefined', '\ufeff{}', '{"a":1}{'])('refuses %j as JSON', async (text) => {
    expect(await send(text)).toEqual({ ok: false, problem: 'invalid_json' });
  });

  it('[M9.3] refuses other media types and compressed bodies', async () => {
    expect(await send('{}', 'text/plain')).toEqual({ ok: false, problem: 'media_type' });
    expect(await send('{}', 'application/x-www-form-urlencoded')).toEqual({ ok: false, problem: 'media_type' });
    expect(await send('{}', 'application/json', { 'content-encoding': 'gzip' })).toEqual({
      ok: false,
      problem: 'media_type',
    });
  });

  it('takes any spelling of the media type', () => {
    const spellings = ['application/json', 'Application/JSON', 'application/json; charset=utf-8'];

    expect(spellings.map((type) => isJson(type, undefined))).toEqual([true, true, true]);
    expect(isJson(undefined, undefined)).toBe(false);
    expect(isJson('application/json-seq', undefined)).toBe(false);
  });

  it('ends a request that is cut off', async () => {
    const before = read.length;

    const arrived = once(server, 'request');
    const broken = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 9 },
    });
    broken.on('error', () => undefined);
    broken.write('{"a"');
    await arrived;
    broken.destroy();

    await expect.poll(() => read.slice(before)).toEqual([{ ok: false, problem: 'aborted' }]);
  });

  it('[M9.2] takes 64 levels and refuses 65, whatever the brackets', () => {
    const nested = (depth: number) =>
      '[{"a":'.repeat(depth / 2) + '[]'.repeat(depth % 2) + '0'.repeat(1 - (depth % 2)) + '}]'.repeat(depth / 2);

    expect(parseJson(nested(64))).toMatchObject({ ok: true });
    expect(parseJson(nested(65))).toEqual({ ok: false, problem: 'too_deep' });
    expect(parseJson('['.repeat(100_000))).toEqual({ ok: false, problem: 'too_deep' });
  });

  it('does not count brackets and commas inside strings', () => {
    const brackets = '[{'.repeat(MAX_JSON_DEPTH);
    const text = JSON.stringify({ text: `${brackets}"\\"${','.repeat(MAX_JSON_VALUES)}\\` });

    expect(structureProblem(text)).toBeNull();
    expect(parseJson(text)).toMatchObject({ ok: true });
  });

  it('still counts after a string that ends in a backslash', () => {
    expect(structureProblem(`["\\\\",${'['.repeat(MAX_JSON_DEPTH)}`)).toBe('too_deep');
  });

  it('[M9.2] refuses a text of too many values without parsing it', () => {
    const names = Array.from({ length: MAX_JSON_VALUES }, (_, i) => `"k${i}":1`);
    const most = `[${'0,'.repeat(MAX_JSON_VALUES - 2)}0]`;

    expect(parseJson(`{${names.join(',')}`)).toEqual({ ok: false, problem: 'too_many_values' });
    expect(parseJson(most)).toMatchObject({ ok: true });
    expect(parseJson(`[0,${most.slice(1)}`)).toEqual({ ok: false, problem: 'too_many_values' });
  });

  it('[M9.1] reads 10 MB to the end before it refuses them, so that the sender gets the reason', async () => {
    expect(await send(new Uint8Array(10_000_000))).toEqual({ ok: false, problem: 'too_large' });
    expect(isWhole.at(-1)).toBe(true);
  });
});
