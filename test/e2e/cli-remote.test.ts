import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_SCOPES } from '../../packages/server/src/domain/scope.ts';
import { typedLines } from '../../packages/server/src/testing/typed-words.ts';
import { catalog } from '../../packages/server/src/tools/catalog.ts';
import { type Actions, createProgram } from '../../packages/server/src/transports/cli/program.ts';
import { IS_LONG } from './counts.ts';
import { errand, errandJson, type Server, serve, temporaryFolder } from './program.ts';

// All that a signed-in person has: `errand open` hands out no more than its caller holds.
const SCOPES = ALL_SCOPES.filter((scope) => scope !== 'todo:act_as').join(',');

/** Every command that calls a tool, with arguments that name nothing. */
const LINES = typedLines(createProgram(catalog, '1.2.3', {} as Actions));

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the command line of another machine', () => {
  const open = new AsyncDisposableStack();
  let server: Server;
  let home: string;
  let token: string;

  beforeAll(async () => {
    const folder = open.use(await temporaryFolder());
    const data = join(folder.path, 'data');
    home = open.use(await temporaryFolder()).path;
    server = open.use(await serve({ data }));
    const create = ['token', 'create', '--kind', 'user', '--name', 'laptop', '--scopes', SCOPES, '--data', data];
    token = String((await errandJson(create)).token);
  });
  afterAll(() => open.disposeAsync());

  const own = () => ({ HOME: home, XDG_CONFIG_HOME: '' });
  const type = (...words: string[]) => errand(words, { ...own(), ERRAND_URL: server.origin, ERRAND_TOKEN: token });

  it('[L-CLI] works by key on the server, and writes nothing where it is typed', async () => {
    const project = await type('project', 'add', 'Website');
    const added = await type('task', 'add', 'Fix the login', '--project', 'WEB');
    const edited = await type('task', 'edit', 'web-1', '--priority', 'high');
    const commented = await type('task', 'comment', 'WEB-1', 'Since Monday.');
    const taken = await type('task', 'next', '--project', 'WEB');
    const listed = await type('task', 'list', '--project', 'WEB');
    const opened = await type('open');

    const all = [project, added, edited, commented, taken, listed, opened];
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, '']));
    expect([added.stdout, edited.stdout, commented.stdout]).toEqual([
      'WEB-1\n',
      'WEB-1  Fix the login\n',
      'Commented on WEB-1.\n',
    ]);
    expect(taken.stdout).toMatch(/^WEB-1 {2}Fix the login\nProject Website \(WEB\)\n/);
    expect(listed.stdout).toMatch(/^WEB-1 {2}inprogress {2}claimed by \S+ +Fix the login$/m);
    expect(opened.stdout).toContain(`${server.origin}/?key=`);
    expect(await readdir(home)).toEqual([]);
  });

  it('[L-CLI] ends with the exit codes of failures, in words', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;
    const [unknown, wrong, none] = await Promise.all([
      type('task', 'show', 'WEB-99'),
      errand(['task', 'list'], { ...own(), ERRAND_URL: server.origin, ERRAND_TOKEN: 'errand_user_wrong' }),
      errand(['task', 'list', '--json'], { ...own(), ERRAND_URL: dead }),
    ]);

    expect([unknown, wrong, none].map(({ code, stdout }) => [code, stdout])).toEqual([
      [4, ''],
      [3, ''],
      [5, ''],
    ]);
    expect(wrong.stderr).toContain(`Log in: errand login ${server.origin}`);
    expect(JSON.parse(none.stderr)).toMatchObject({ error: { code: 'not_reachable', retryable: true } });
    expect(await readdir(home)).toEqual([]);
  });

  it('[L-CLI] reads no local data, and makes none, when no server is named', async () => {
    const { code, stderr } = await errand(['task', 'list'], own());

    expect(code).toBe(4);
    expect(stderr).toContain('There is no data at');
    expect(await readdir(home)).toEqual([]);
  });

  it('[L-CLI] makes no data for a command that needs some', async () => {
    const lines = ['merge WEB-1', 'task edit WEB-1 --title x', 'task next', 'tell WEB-1 x', 'review WEB-1', 'open'];
    for (const line of lines) {
      const { code, stderr } = await errand(line.split(' '), own());
      expect([code, stderr], line).toEqual([4, expect.stringContaining('There is no data at')]);
    }
    expect(await readdir(home)).toEqual([]);
  });

  it('[L-DOCTOR] says what works, here and on the server, and ends with 1 when something does not', async () => {
    const [here, there, away] = await Promise.all([
      errand(['doctor'], own()),
      type('doctor'),
      errand(['doctor', '--json'], { ...own(), ERRAND_URL: `http://127.0.0.1:${await freePort()}` }),
    ]);

    expect([here, there, away].map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [1, ''],
    ]);
    // A long path is on a line of its own.
    expect(here.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /warning data There is no folder \S*\.errand yet\. Make it: errand serve/,
    );
    expect(there.stdout).toContain(`ok       server    ${server.origin} answers, and the token works\n`);
    expect(JSON.parse(away.stdout)).toMatchObject({ ok: false });
    expect(await readdir(home)).toEqual([]);
  });

  it.skipIf(!IS_LONG)('[L-CLI] sends every command of the catalogue to the server', { timeout: 600_000 }, async () => {
    for (const line of LINES) {
      const { code, stderr } = await type(...line);
      expect([0, 1, 2, 3, 4], `errand ${line.join(' ')}: ${stderr}`).toContain(code);
      expect(await readdir(home), line.join(' ')).toEqual([]);
    }
  });
});
