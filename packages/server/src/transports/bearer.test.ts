import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ErrandError } from '#errors';
import { createWorld } from '#testing/world';
import { createAddressOf } from './address.ts';
import { createBearer } from './bearer.ts';

const addressOf = createAddressOf(['10.9.0.0/16']);

// Only the fields that `createBearer` reads: a real request needs a socket.
const request = (authorization: string | undefined, remoteAddress = '10.0.0.1', forwarded?: string) =>
  ({
    headers: { authorization, 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: ErrandError) => error.code,
  );

async function aDoor() {
  const world = await createWorld();
  const { token } = await world.token({});
  const { authenticate, identify } = createBearer(world.gateway, () => world.time.now, addressOf);
  const guess = (times: number, address?: string): Promise<string[]> =>
    Promise.all(Array.from({ length: times }, () => codeOf(authenticate(request('Bearer nonsense', address)))));
  return { world, authenticate, identify, guess, valid: `Bearer ${String(token)}` };
}

describe('bearer tokens', () => {
  it('accepts a valid token, in any case of the scheme', async () => {
    const { authenticate, valid } = await aDoor();

    const caller = await authenticate(request(valid.replace('Bearer', 'bearer')));

    expect(caller.kind).toBe('user');
  });

  it.each([undefined, '', 'Basic abc', 'Bearer', 'Bearer a b'])('refuses %j', async (header) => {
    const { authenticate } = await aDoor();

    expect(await codeOf(authenticate(request(header)))).toBe('unauthenticated');
  });

  it('slows down an address that guesses, and no other', async () => {
    const { guess } = await aDoor();

    const codes = await guess(61);

    expect(codes.slice(0, 60)).toEqual(Array(60).fill('unauthenticated'));
    expect(codes[60]).toBe('rate_limited');
    expect(await guess(1, '10.0.0.2')).toEqual(['unauthenticated']);
  });

  it('counts for each visitor behind a trusted proxy, whatever a visitor has written before', async () => {
    const { authenticate } = await aDoor();
    const guess = (peer: string, forwarded: string) =>
      codeOf(authenticate(request('Bearer nonsense', peer, forwarded)));

    const own = await Promise.all(
      Array.from({ length: 61 }, (_, at) => guess('10.9.0.1', `10.0.1.${at}, 198.51.100.7`)),
    );
    const forged = await Promise.all(Array.from({ length: 61 }, (_, at) => guess('10.0.0.1', `198.51.100.${at}`)));

    expect([own.at(-1), forged.at(-1)]).toEqual(['rate_limited', 'rate_limited']);
    expect(await guess('10.9.0.1', '198.51.100.8')).toBe('unauthenticated');
  });

  it('counts all addresses of one IPv6 network together', async () => {
    const { authenticate } = await aDoor();
    const guess = (address: string) => codeOf(authenticate(request('Bearer nonsense', address)));

    const codes = await Promise.all(Array.from({ length: 61 }, (_, at) => guess(`2001:db8:1:2::${at + 1}`)));

    expect(codes.at(-1)).toBe('rate_limited');
    expect(await guess('2001:db8:1:3::1')).toBe('unauthenticated');
  });

  it('still accepts a valid token from an address that guesses', async () => {
    const { authenticate, guess, valid } = await aDoor();
    await guess(100);

    const caller = await authenticate(request(valid));

    expect(caller.kind).toBe('user');
  });

  it('tell a page that its session has ended, also when its address sends guessed tokens', async () => {
    const { world, guess } = await aDoor();
    const { authenticateAny } = createBearer(world.gateway, () => world.time.now, addressOf);
    await guess(100);
    // Safe: only the fields that `createBearer` reads.
    const page = {
      method: 'GET',
      headers: { cookie: 'errand_session=ended', 'sec-fetch-site': 'same-origin' },
      socket: { remoteAddress: '10.0.0.1' },
    } as unknown as IncomingMessage;

    const codes = await Promise.all(Array.from({ length: 70 }, () => codeOf(authenticateAny(page))));

    expect(codes).toEqual(Array(70).fill('unauthenticated'));
  });

  it('says how long to wait, and forgets after a minute', async () => {
    const { world, authenticate, guess } = await aDoor();
    await guess(61);
    world.time.now += 20_000;

    const refused = authenticate(request('Bearer nonsense'));

    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', retry_after_ms: 40_000 });
    world.time.now += 40_000;
    expect(await guess(1)).toEqual(['unauthenticated']);
  });

  it('does not count requests without a token as guesses', async () => {
    const { authenticate, guess } = await aDoor();
    await Promise.all(Array.from({ length: 100 }, () => codeOf(authenticate(request(undefined)))));

    expect(await guess(1)).toEqual(['unauthenticated']);
  });
});

describe('the caller of a request', () => {
  it('is the same, however its token is spelled', async () => {
    const { identify, valid } = await aDoor();

    const spelt = [valid, valid.replace('Bearer', 'bearer'), valid.replace(' ', '   '), `${valid}  `];
    const found = await Promise.all(spelt.map((header) => identify(request(header))));

    expect(found[0]).toMatch(/^token:/);
    expect(new Set(found).size).toBe(1);
  });

  it.each([undefined, 'Bearer invented', 'Bearer', 'Basic abc'])('is unknown for %j', async (header) => {
    const { identify } = await aDoor();

    expect(await identify(request(header))).toBeNull();
  });

  it('is looked up once for a request, and again for the next request', async () => {
    const { world, authenticate, identify, valid } = await aDoor();
    const req = request(valid);
    await identify(req);

    await world.ask('admin_block_user', { user_id: (await authenticate(req)).user_id }).catch(() => undefined);
    const { tokens } = (await world.ask('admin_list_tokens', {})) as { tokens: { token_id: string }[] };
    for (const { token_id } of tokens) await world.ask('admin_revoke_token', { token_id });

    expect(await codeOf(authenticate(req))).toBe('unauthenticated');
  });
});
