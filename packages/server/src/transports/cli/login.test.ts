import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRemoteTools } from '#clients/remote-tools';
import { createServed } from '#testing/served';
import { type LoginOptions, logIn, logOut } from './login.ts';
import { loginPath, readLogin, writeLogin } from './login-file.ts';
import { hiddenLine } from './read-token.ts';
import { remoteCalls } from './remote-calls.ts';

const folder = { path: '' };
const file = (): string => loginPath({ env: { XDG_CONFIG_HOME: folder.path }, home: '/nowhere' });

beforeEach(async () => {
  folder.path = await mkdtemp(join(tmpdir(), 'errand-login-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder.path, { recursive: true, force: true });
});

async function logInAt(url: string, token: string, more: Partial<LoginOptions> = {}) {
  const printed: string[] = [];
  const remarks: string[] = [];
  const code = await logIn({
    url,
    readToken: async () => `${token}\n`,
    callsOf: (login) => remoteCalls(createRemoteTools(login), '1.2.3'),
    path: file(),
    json: false,
    print: (text) => void printed.push(text),
    remark: (text) => void remarks.push(text),
    ...more,
  });
  return { code, printed: printed.join('\n'), remarks: remarks.join('\n') };
}

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('errand login', () => {
  it('[L-CLI] keeps address and token in a file that only its owner reads', async () => {
    await using served = await createServed();
    const { token } = await served.world.token({ scopes: ['board:read'] });

    const { code, printed } = await logInAt(served.url, String(token));

    expect(code).toBe(0);
    expect(printed).toContain(`Commands now work on ${served.url}.`);
    expect(printed).not.toContain(String(token));
    expect(readLogin(file())).toEqual({ url: served.url, token });
    expect([await modeOf(file()), await modeOf(dirname(file()))]).toEqual([0o600, 0o700]);
  });

  it('takes a token that may not read the board', async () => {
    await using served = await createServed();
    const { token } = await served.world.token({ scopes: ['todo:read'] });

    expect((await logInAt(served.url, String(token))).code).toBe(0);
  });

  it('[L-CLI] keeps nothing when the token does not work, and what was kept before stays', async () => {
    await using served = await createServed();
    const before = { url: 'https://errand.example.com', token: 'errand_user_before' };
    writeLogin(file(), before);
    const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

    const { code } = await logInAt(served.url, 'errand_user_wrong');

    expect(code).toBe(3);
    expect(String(errors.mock.calls[0]?.[0])).toContain('does not work at');
    expect(readLogin(file())).toEqual(before);
  });

  it('refuses a text that is no token before it sends anything', async () => {
    const login = logInAt('http://127.0.0.1:9', 'hunter2');

    await expect(login).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('warns of an address whose traffic others can read', async () => {
    const callsOf = () => ({ ask: async () => ({}), close: async () => {} }) as never;

    const open = await logInAt('http://errand.example.com', 'errand_user_x', { callsOf });
    const closed = await logInAt('https://errand.example.com', 'errand_user_x', { callsOf });

    expect(open.remarks).toContain('Others on the network can read');
    expect(closed.remarks).toBe('');
  });

  it('reads a typed token without its corrections', async () => {
    const modes: boolean[] = [];
    const keys = {
      setRawMode: (mode: boolean) => modes.push(mode),
      setEncoding: () => keys,
      pause: () => keys,
      async *[Symbol.asyncIterator]() {
        yield* ['errand_usex', '\u007fr_', 'abc\r', 'more'];
      },
    };

    expect(await hiddenLine(keys as never)).toBe('errand_user_abc');
    expect(modes).toEqual([true, false]);
  });
});

describe('a stored login', () => {
  it('[L-CLI] is refused when others can read it', async () => {
    writeLogin(file(), { url: 'http://127.0.0.1:1', token: 'errand_user_x' });
    await chmod(file(), 0o644);

    expect(() => readLogin(file())).toThrow(`${file()} can be read by other users. Run: chmod 600 '${file()}'`);
  });

  it('that cannot be read says so without its contents', async () => {
    writeLogin(file(), { url: 'http://127.0.0.1:1', token: 'errand_user_x' });
    await writeFile(file(), '{"token":"errand_user_secret"');

    expect(() => readLogin(file())).toThrow('holds no login. Remove it with errand logout');
  });

  it('ends with errand logout', async () => {
    writeLogin(file(), { url: 'http://127.0.0.1:1', token: 'errand_user_x' });
    const printed: string[] = [];

    const codes = [
      logOut(file(), false, (text) => printed.push(text)),
      logOut(file(), true, (text) => printed.push(text)),
    ];

    expect(codes).toEqual([0, 0]);
    expect(printed[0]).toContain('You are logged out.');
    expect(printed[1]).toBe('{"was_logged_in":false}');
    expect(readLogin(file())).toBeNull();
    await expect(readFile(file())).rejects.toThrow('ENOENT');
  });

  it('is in the configuration folder of the person', () => {
    expect(loginPath({ env: {}, home: '/home/ana' })).toBe('/home/ana/.config/errand/login.json');
    expect(loginPath({ env: { XDG_CONFIG_HOME: 'relative' }, home: '/home/ana' })).toContain('/home/ana/.config');
  });
});
