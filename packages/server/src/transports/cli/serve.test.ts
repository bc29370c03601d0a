import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, createServed } from '#testing/served';
import { createWorld } from '#testing/world';
import { ownAddresses } from '#transports/own-addresses';
import { type FirstScreen, firstScreen, type Started } from './first-screen.ts';
import { issueFirstToken } from './first-token.ts';
import { listenNear, listenOn } from './listen.ts';
import { findRunningServer, removeRunningServer, writeRunningServer } from './running-server.ts';
import { serve, unusedPort } from './serve.ts';

const place = { data: '' };
beforeEach(() => {
  place.data = mkdtempSync(join(tmpdir(), 'errand-serve-'));
});
afterEach(() => rmSync(place.data, { recursive: true, force: true }));

const occupied = (): Promise<{ port: number; server: Server }> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      resolve({ port: (server.address() as { port: number }).port, server });
    });
  });

/** The options of a server that a person starts on a port of their own. */
const nowhere = () => ({
  version: '1.2.3',
  host: '127.0.0.1',
  is_port_given: true,
  folder: place.data,
  database: 'a.db',
  is_exclusive: true,
  data: 'a.db',
  onAnnounced: () => undefined,
  findClients: async () => [],
});

describe('the server of a data folder', () => {
  it('is found while it runs and answers', async () => {
    await using served = await createServed();
    writeRunningServer(place.data, 'a.db', { pid: process.pid, url: served.url, config: null });

    expect(await findRunningServer(place.data, 'a.db')).toEqual({ pid: process.pid, url: served.url, config: null });
    expect(await findRunningServer(place.data, 'another.db')).toBeNull();
    expect(statSync(join(place.data, readdirSync(place.data)[0] ?? '')).mode & 0o777).toBe(0o600);
  });

  it('is not found when its process has gone', async () => {
    await using served = await createServed();
    const { pid } = spawnSync('true');
    writeRunningServer(place.data, 'a.db', { pid, url: served.url, config: null });

    expect(await findRunningServer(place.data, 'a.db')).toBeNull();
  });

  it('is not found when nothing answers at its address', async () => {
    writeRunningServer(place.data, 'a.db', { pid: process.pid, url: 'http://127.0.0.1:9', config: null });

    expect(await findRunningServer(place.data, 'a.db')).toBeNull();
  });

  it.each([
    [{ is_port_given: true, port: 9000 }, /^Port 9000 is not used: .* it listens at http:\/\/127\.0\.0\.1:8080\./],
    [{ is_port_given: true, port: 8080 }, null],
    [{ is_port_given: true, port: 0 }, null],
    [{ is_port_given: false, port: 9000 }, null],
  ])('does not use a port that was given as %j, and says so', (asked, said) => {
    const running = { pid: 1, url: 'http://127.0.0.1:8080', config: null };

    if (said === null) expect(unusedPort(running, asked)).toBeNull();
    else expect(unusedPort(running, asked)).toMatch(said);
  });

  it('removes only its own file', () => {
    writeRunningServer(place.data, 'a.db', { pid: 1, url: 'http://127.0.0.1:9', config: null });
    removeRunningServer(place.data, 'a.db');
    expect(readdirSync(place.data)).toHaveLength(1);

    writeRunningServer(place.data, 'a.db', { pid: process.pid, url: 'http://127.0.0.1:9', config: null });
    removeRunningServer(place.data, 'a.db');
    expect(readdirSync(place.data)).toEqual([]);
  });
});

describe('listening', () => {
  it('moves on to the next free port', async () => {
    const { port, server } = await occupied();
    await using served = await createServed();
    await served.server.drain(0);

    const address = await listenNear(served.server, '127.0.0.1', port);

    expect(address.port).toBeGreaterThan(port);
    server.close();
  });

  it('refuses a given port that is taken', async () => {
    const { port, server } = await occupied();
    await using served = await createServed();
    await served.server.drain(0);

    const listening = listenOn(served.server, '127.0.0.1', port);

    await expect(listening).rejects.toMatchObject({ code: 'validation_error', message: `Port ${port} is taken.` });
    server.close();
  });

  it('is refused before anything is opened, when a given port is taken', async () => {
    const { port, server } = await occupied();
    let isOpened = false;
    const open = async () => {
      isOpened = true;
      throw new Error('opened');
    };

    const serving = serve({ ...nowhere(), port, open });

    await expect(serving).rejects.toMatchObject({ message: `Port ${port} is taken.` });
    expect(isOpened).toBe(false);
    server.close();
  });

  it('answers under the machine’s own addresses when it listens on all of them', async () => {
    await using served = await createServed();
    await served.server.drain(0);
    const { port } = await listenNear(served.server, '0.0.0.0', 0);
    const statusOf = async (host: string) =>
      (await ask(`http://127.0.0.1:${port}/healthz`, { headers: { host } })).status;

    expect(await Promise.all(ownAddresses('0.0.0.0').map((address) => statusOf(`${address}:${port}`)))).toEqual(
      ownAddresses('0.0.0.0').map(() => 200),
    );
    expect(await statusOf('foreign.example')).toBe(403);
    expect(ownAddresses('127.0.0.1')).toEqual([]);
  });

  it('names an address that this machine does not have', async () => {
    await using served = await createServed();
    await served.server.drain(0);

    const listening = listenNear(served.server, '203.0.113.7', 0);

    await expect(listening).rejects.toMatchObject({ code: 'validation_error', message: /203\.0\.113\.7/ });
  });
});

describe('the first token', () => {
  it('is issued once, and works for the todo list of the owner', async () => {
    const { gateway, installation } = await createWorld();

    const token = await issueFirstToken(gateway, installation);

    expect((await gateway.authenticate(token)).user_id).toBe(installation.owner_id);
    expect(await issueFirstToken(gateway, installation)).toBeNull();
  });
});

describe('the first screen', () => {
  const started: Started = {
    version: '1.2.3',
    ready_ms: 1_280,
    url: 'http://127.0.0.1:8080',
    others: [],
    board_url: 'http://127.0.0.1:8080/?key=abc',
    first_admin: null,
    data: '~/.errand/errand.db',
    is_new: true,
    first_token: null,
    taken_port: null,
  };

  const FOUND = ['Claude Code 2.1.325', 'Codex 0.166.0'];
  const whole = ({ at_once, rest }: FirstScreen): string => at_once + rest(FOUND);

  it('says where everything is before agents were looked for', () => {
    const { at_once } = firstScreen(started);

    expect(at_once).toContain('Board     http://127.0.0.1:8080/?key=abc');
    expect(at_once).not.toContain('Found');
  });

  it('says where everything is, with the remarks in one column', () => {
    expect(whole(firstScreen(started))).toBe(
      [
        '',
        '  Errand 1.2.3                                 ready in 1.3 s',
        '  Board     http://127.0.0.1:8080/?key=abc     opens once, then a cookie keeps you in',
        '  Agents    http://127.0.0.1:8080/mcp          also stdio: errand mcp',
        '  Data      ~/.errand/errand.db                new',
        '  Found     Claude Code 2.1.325 · Codex 0.166.0',
        '  Next      errand connect                     Docs http://127.0.0.1:8080/docs    Stop Ctrl-C',
        '',
        '',
      ].join('\n'),
    );
  });

  it('[L-CLI] puts remarks below their values where 80 columns have no room for them', () => {
    const board_url = 'http://127.0.0.1:8080/?key=jW3dTEEGWzpvtvMBpoJnig';

    expect(whole(firstScreen({ ...started, board_url }, 80))).toBe(
      [
        '',
        '  Errand 1.2.3                                 ready in 1.3 s',
        '  Board     http://127.0.0.1:8080/?key=jW3dTEEGWzpvtvMBpoJnig',
        '            opens once, then a cookie keeps you in',
        '  Agents    http://127.0.0.1:8080/mcp          also stdio: errand mcp',
        '  Data      ~/.errand/errand.db                new',
        '  Found     Claude Code 2.1.325 · Codex 0.166.0',
        '  Next      errand connect',
        '            Docs http://127.0.0.1:8080/docs    Stop Ctrl-C',
        '',
        '',
      ].join('\n'),
    );
  });

  it('has the link of the first admin while nobody has a password', () => {
    const first_admin = 'http://10.0.0.5:8080/signin?first=abc';

    expect(whole(firstScreen({ ...started, first_admin }))).toContain(
      '  Admin     http://10.0.0.5:8080/signin?first=abc  choose a name and a password; once, within a day\n',
    );
    expect(whole(firstScreen(started))).not.toContain('Admin');
  });

  it('shows the first token with lines to paste', () => {
    const screen = whole(firstScreen({ ...started, first_token: 'errand_agent_x' }));

    expect(screen).toContain('claude mcp add -s user --transport http errand http://127.0.0.1:8080/mcp');
    expect(screen).toContain('"Authorization: Bearer errand_agent_x"');
    expect(screen).toContain('gemini mcp add -s user');
  });

  it('shows the addresses for other machines', () => {
    const others = ['http://192.0.2.7:8080', 'http://[2001:db8::7]:8080'];

    const screen = whole(firstScreen({ ...started, others }));

    for (const other of others) expect(screen).toContain(`  Network   ${other} `);
  });

  it('says when it is not on the given port', () => {
    expect(whole(firstScreen({ ...started, taken_port: 8080 }))).toContain('port 8080 is taken');
  });
});
