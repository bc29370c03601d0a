import { describe, expect, it, vi } from 'vitest';
import type { WireError } from '#gateway/gateway';
import { createWorld } from '#testing/world';
import { createAddressOf } from '#transports/address';
import { createWeb } from '#transports/web/web';
import { localCalls } from './local-calls.ts';
import { openBoard } from './open.ts';
import { reachable } from './running-server.ts';

async function openCommand() {
  const world = await createWorld();
  const open = async (user?: string) => {
    const printed: string[] = [];
    const code = await openBoard({
      calls: localCalls(world.gateway, world.owner),
      url: 'http://127.0.0.1:8080',
      user,
      json: true,
      print: (text) => printed.push(text),
    });
    return { code, url: (JSON.parse(printed[0] ?? '{}') as { url?: string }).url };
  };
  const web = createWeb({
    addressOf: createAddressOf([]),
    gateway: world.gateway,
    version: '1.0.0',
    report: () => {},
    clock: Date.now,
  });
  /** Who is signed in when a browser opens the link. */
  const whoOpens = async (url = ''): Promise<string> => {
    const opened = await web.request(url.replace('http://127.0.0.1:8080', ''), { headers: { host: '127.0.0.1:8080' } });
    const [, token = ''] = /=(\w+);/.exec(opened.headers.get('set-cookie') ?? '') ?? [];
    return (await world.gateway.authenticate(token)).user_id;
  };
  return { world, open, whoOpens };
}

describe('errand open', () => {
  it('gives out a new link each time, and each signs in', async () => {
    const { world, open, whoOpens } = await openCommand();

    const [first, second] = [await open(), await open()];

    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:8080\/\?key=[\w-]{22}$/);
    expect(first.url).not.toBe(second.url);
    expect(await whoOpens(first.url)).toBe(world.owner.user_id);
    expect(await whoOpens(second.url)).toBe(world.owner.user_id);
  });

  it('signs another person in, by name or id', async () => {
    const { world, open, whoOpens } = await openCommand();
    const user_id = await world.addUser('Anna');

    const [byName, byId] = [await open('Anna'), await open(user_id)];

    expect(await whoOpens(byName.url)).toBe(user_id);
    expect(await whoOpens(byId.url)).toBe(user_id);
  });

  it('refuses an unknown name, and one of two people', async () => {
    const { world, open } = await openCommand();
    const both = [await world.addUser('Anna'), await world.addUser('Anna')];

    const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

    const codes = [(await open('Bert')).code, (await open('Anna')).code];

    const [unknown, ambiguous] = errors.mock.calls.map(([text]) => JSON.parse(String(text)) as { error: WireError });
    errors.mockRestore();
    expect(codes).toEqual([4, 2]);
    expect(unknown?.error.code).toBe('not_found');
    expect(ambiguous?.error).toMatchObject({ code: 'ambiguous', details: { candidates: both.map((id) => ({ id })) } });
  });

  it('removes the oldest of many unused links', async () => {
    const { world, open, whoOpens } = await openCommand();
    const first = await open();

    world.time.now += 1;
    for (let count = 0; count < 20; count++) await open();

    await expect(whoOpens(first.url)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('the servers of a shared database', () => {
  it('are asked at addresses that this machine can reach', () => {
    const servers = [
      { host_name: 'there', url: 'http://127.0.0.1:8080' },
      { host_name: 'here', url: 'http://[::1]:8081' },
      { host_name: 'there', url: 'http://10.0.0.7:8080' },
    ];

    expect(reachable(servers, 'here')).toEqual(['http://[::1]:8081', 'http://10.0.0.7:8080']);
  });
});
