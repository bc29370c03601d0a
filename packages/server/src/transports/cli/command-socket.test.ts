import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTokenThere } from '#compose-commands';
import { readConfig } from '#config';
import { createWorld, type World } from '#testing/world';
import { catalog } from '#tools/catalog';
import { askRunning } from './ask-running.ts';
import { commandPlace, preparePlace, readRecord, writeRecord } from './command-place.ts';
import { openCommandSocket } from './command-socket.ts';
import { HELLO, LINES, type Piece } from './typed-line.ts';

const VERSION = '1.2.3';
const LIST = ['project', 'list', '--json'];

let open: AsyncDisposableStack;
let data: string;
let reported: unknown[];

beforeEach(() => {
  open = new AsyncDisposableStack();
  data = mkdtempSync(join(tmpdir(), 'errand-socket-'));
  open.defer(() => rmSync(data, { recursive: true, force: true }));
  reported = [];
});
afterEach(() => open.disposeAsync());

const place = () => commandPlace(data);

/** A server on the data folder. Returns the function that stops it. */
function listen({ gateway }: Pick<World, 'gateway'>, env: Readonly<Record<string, string>> = {}) {
  const tokenThere = createTokenThere(readConfig({ ...env, ERRAND_DATA: data }, {}));
  const report = (error: unknown): void => void reported.push(error);
  return openCommandSocket({ place: place(), gateway, tools: catalog, version: VERSION, tokenThere, report });
}

async function serving(env?: Readonly<Record<string, string>>): Promise<World> {
  const world = await createWorld();
  open.defer(() => world.store.close());
  open.defer(await listen(world, env));
  return world;
}

/** Types a line in this process. `code` is null when the process would have to run it itself. */
async function type(words: readonly string[], env: Readonly<Record<string, string>> = {}, version = VERSION) {
  const said: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    }),
  );
  try {
    const code = await askRunning({ words, env: { ERRAND_DATA: data, ...env }, version });
    return { code, said: said.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const OWN = { code: null, said: '' };

/** Sends a request past the command line. Resolves with the status. */
const knock = (path: string, authorization: string, body = ''): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ socketPath: place().socket, path, method: 'POST', headers: { authorization } }, (res) => {
      res.resume();
      resolve(res.statusCode);
    })
      .on('error', reject)
      .end(body);
  });

/** A server of the test at the socket, which knows the secret. */
async function standIn(answer: Parameters<typeof createServer>[1]): Promise<void> {
  preparePlace(place());
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(place().socket, resolve));
  writeRecord(place(), { version: VERSION, secret: 'secret' });
  open.defer(() => {
    server.closeAllConnections();
    server.close();
  });
}

describe('a command while a server runs on its data', () => {
  it('is run by the server, as the owner of the machine', async () => {
    const world = await serving();

    const { code, said } = await type(LIST);

    expect(code).toBe(0);
    expect(JSON.parse(said).projects.map(({ owner_id }: { owner_id: string }) => owner_id)).toContain(
      world.installation.owner_id,
    );
  });

  it('is run as the owner of its token, and refused with one that does not work', async () => {
    const world = await serving();
    const { token } = await world.token({ scopes: ['todo:read'] });

    const allowed = await type(['todo', 'list-tasks', '--json'], { ERRAND_TOKEN: String(token) });
    const refused = await type(LIST, { ERRAND_TOKEN: String(token) });
    const unknown = await type(LIST, { ERRAND_TOKEN: `errand_user_${'x'.repeat(43)}` });

    expect([allowed.code, refused.code, unknown.code]).toEqual([0, 3, 3]);
    expect(unknown.said).toContain('ERRAND_TOKEN holds no token that works');
  });

  it.each([
    ['other settings', LIST, { ERRAND_ALLOW_ANONYMOUS: 'true' }],
    ['a server elsewhere', LIST, { ERRAND_URL: 'http://127.0.0.1:9' }],
    ['another database', [...LIST, '--database-url', 'sqlite:/nowhere/errand.db'], {}],
    ['another database by its environment', LIST, { ERRAND_DATABASE_URL: 'postgres://127.0.0.1:9/errand' }],
    ['keys to listen to', ['run', '--title', 'Fix it', '--wait'], {}],
    ['no command', [], {}],
    ['the work of its own process', ['doctor'], {}],
  ])('is left to its process with %s', async (_, words, env) => {
    await serving();

    expect(await type(words, env)).toEqual(OWN);
  });

  it('is left to its process when the server is of another version', async () => {
    await serving();

    expect(await type(LIST, {}, '1.2.4')).toEqual(OWN);
  });

  it('is left to its process when the server has stopped, which removes its record', async () => {
    const world = await createWorld();
    open.defer(() => world.store.close());
    const stop = await listen(world);
    await stop();

    expect(await type(LIST)).toEqual(OWN);
    expect(readdirSync(place().folder)).toEqual([]);
  });

  it('is left to its process when the server was killed, and the next server takes the place', async () => {
    await standIn((_, res) => void res.end());
    // What a killed server leaves behind: nobody answers at the socket.
    rmSync(place().socket);
    symlinkSync('/nowhere', place().socket);
    expect(await type(LIST)).toEqual(OWN);

    await serving();

    expect((await type(LIST)).code).toBe(0);
    expect(reported).toEqual([]);
  });

  it('is left to its process when the server does not answer in time', async () => {
    const asked: unknown[] = [];
    await standIn((req) => void asked.push(req.url));

    expect(await type(LIST)).toEqual(OWN);
    // The line itself was not sent: it could still be run later.
    expect(asked).toEqual([HELLO]);
  });

  it('ends with an error when the server is killed while it runs the command', async () => {
    const piece: Piece = [1, 'half'];
    await standIn((req, res) => {
      if (req.url === HELLO) return void res.end();
      res.write(`${JSON.stringify(piece)}\n`, () => res.destroy());
    });

    const { code, said } = await type(['project', 'list']);

    expect(code).toBe(5);
    expect(said).toMatch(/^half.*did not answer to the end/s);
  });
});

describe('the socket of a server', () => {
  it('can be reached by its owner alone', async () => {
    await serving();
    const { folder, socket, record } = place();

    const modes = [folder, socket, record].map((path) => statSync(path).mode & 0o777);

    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  it('does nothing for a caller without the secret of this server', async () => {
    await serving();
    const line = JSON.stringify({ argv: LIST, env: { ERRAND_DATA: data }, terminal: {} });
    const { secret = '' } = readRecord(place()) ?? {};

    expect(await knock(LINES, 'Bearer guessed', line)).toBe(401);
    expect(await knock(LINES, '', line)).toBe(401);
    expect(await knock(LINES, `Bearer ${secret}`, line)).toBe(200);
    expect(readFileSync(place().record, 'utf8')).toContain(secret);
  });

  it('is not used when others can look into its folder', async () => {
    await serving();
    chmodSync(place().folder, 0o755);

    expect(await type(LIST)).toEqual(OWN);
  });

  it('has its folder set to mode 0700 again when the next server starts', async () => {
    preparePlace(place());
    chmodSync(place().folder, 0o777);

    await serving();

    expect(statSync(place().folder).mode & 0o777).toBe(0o700);
  });

  it('is not made where the folder is a link to another one', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'errand-elsewhere-'));
    open.defer(() => rmSync(elsewhere, { recursive: true, force: true }));
    symlinkSync(elsewhere, place().folder);

    await serving();

    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('stays with the first of two servers', async () => {
    const first = await serving();
    const { secret } = readRecord(place()) ?? {};

    const stop = await listen(first);
    await stop();

    expect(readRecord(place())?.secret).toBe(secret);
    expect((await type(LIST)).code).toBe(0);
  });

  it('is not made on a system without owners of files, nor at a path that is too long', async () => {
    const long = { folder: join(data, 'x'.repeat(100)), socket: join(data, 'x'.repeat(100), 'socket'), record: '' };
    const world = await createWorld();
    open.defer(() => world.store.close());
    const tokenThere = createTokenThere(readConfig({ ERRAND_DATA: data }, {}));
    const needs = { gateway: world.gateway, tools: catalog, version: VERSION, tokenThere, report: () => undefined };
    const getuid = process.getuid;

    await openCommandSocket({ ...needs, place: long });
    Object.defineProperty(process, 'getuid', { value: undefined, configurable: true });
    try {
      await openCommandSocket({ ...needs, place: place() });
      expect(await type(LIST)).toEqual(OWN);
    } finally {
      Object.defineProperty(process, 'getuid', { value: getuid, configurable: true });
    }

    expect(readdirSync(data)).toEqual([]);
  });
});
