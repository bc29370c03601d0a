import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { createRemoteTools } from '#clients/remote-tools';
import { databaseName, readConfig } from '#config';
import { environment } from '#environment';
import { createLog } from '#observability/log';
import { AS_OWNER } from '#store/opening';
import { createServed } from '#testing/served';
import type { Finding } from '#transports/cli/doctor/finding';
import { remoteCalls } from '#transports/cli/remote-calls';
import { writeRunningServer } from '#transports/cli/running-server';
import { type Errand, openErrand } from './compose.ts';
import { runDoctor } from './compose-doctor.ts';
import { openServed } from './compose-http.ts';

const log = createLog({ level: 'silent', fd: 2 });

/** Runs the doctor and returns what it says to a script, by the parts that it looked at. */
async function asked(place: Parameters<typeof runDoctor>[0], home: string, port = 0) {
  const said: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  try {
    const machine = { env: environment(), home, platform: process.platform };
    const code = await runDoctor(place, { machine, port, json: true });
    const { findings } = JSON.parse(said.join('')) as { findings: readonly Finding[] };
    const of = (check: string) => findings.filter((finding) => finding.check === check);
    return { code, states: Object.fromEntries(findings.map(({ check, state }) => [check, state])), of };
  } finally {
    spy.mockRestore();
  }
}

async function aHome() {
  const home = await mkdtemp(join(tmpdir(), 'errand-doctor-'));
  const data = join(home, 'data');
  const config = readConfig({}, { data }, home);
  return {
    data,
    config,
    path: join(data, 'errand.db'),
    open: (): Promise<Errand> => openErrand(config, log, { opening: AS_OWNER }),
    write: (text: string) => {
      mkdirSync(data, { recursive: true, mode: 0o700 });
      writeFileSync(join(data, 'config.json'), text, { mode: 0o600 });
    },
    ask: (port?: number) => asked(config, home, port),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true }),
  };
}

it('[L-DOCTOR] finds nothing wrong before the first start, and creates nothing', async () => {
  await using home = await aHome();

  const { code, states } = await home.ask();

  expect(code).toBe(0);
  expect(states).toMatchObject({ Node: 'ok', git: 'ok', data: 'warning', database: 'warning', server: 'warning' });
  expect(existsSync(home.data)).toBe(false);
});

it('[L-DOCTOR] reads the database while it is open and after it was closed, and writes no file beside it', async () => {
  await using home = await aHome();
  const errand = await home.open();
  const [open, openFiles] = [await home.ask(), readdirSync(home.data)];
  await errand.close();
  const files = readdirSync(home.data);

  const closed = await home.ask();

  expect([open.code, closed.code]).toEqual([0, 0]);
  expect([open.states.database, closed.states.database]).toEqual(['ok', 'ok']);
  expect(openFiles).toContain('errand.db-wal');
  expect(readdirSync(home.data)).toEqual(files);
});

it('[L-DOCTOR] leaves a database that was not closed to the next process that uses it', async () => {
  await using home = await aHome();
  const errand = await home.open();
  const left = { db: `${home.path}.left`, log: `${home.path}-wal.left` };
  copyFileSync(home.path, left.db);
  copyFileSync(`${home.path}-wal`, left.log);
  await errand.close();
  for (const file of ['', '-wal', '-shm']) rmSync(`${home.path}${file}`, { force: true });
  copyFileSync(left.db, home.path);
  copyFileSync(left.log, `${home.path}-wal`);
  const files = readdirSync(home.data);

  const { code, states } = await home.ask();

  expect([code, states.database]).toEqual([0, 'warning']);
  expect(readdirSync(home.data)).toEqual(files);
});

it.each([
  ['is damaged', /backup/, (path: string) => writeFileSync(path, 'not a database'.repeat(100))],
  ['has lost its content', /Put a backup in its place/, (path: string) => writeFileSync(path, '')],
  [
    'is of a newer version',
    /Update Errand to open it/,
    (path: string) => {
      using db = new DatabaseSync(path);
      db.exec("insert into migrations (name, applied_at) values ('9999-later', 0)");
    },
  ],
])('[L-DOCTOR] says what to do when the database %s', async (_, advice, spoil) => {
  await using home = await aHome();
  await (await home.open()).close();
  spoil(home.path);

  const { code, of } = await home.ask();

  expect(code).toBe(1);
  expect(of('database')).toHaveLength(1);
  expect(`${of('database')[0]?.says} ${of('database')[0]?.todo}`).toMatch(advice);
});

it('[L-DOCTOR] notices a clock that is behind the latest change', async () => {
  await using home = await aHome();
  await (await home.open()).close();
  {
    using db = new DatabaseSync(home.path);
    const later = String(Date.now() + 3_600_000);
    db.prepare(
      "insert into settings (name, value) values ('latest_time', ?) on conflict (name) do update set value = excluded.value",
    ).run(later);
  }

  const { code, of } = await home.ask();

  expect(code).toBe(1);
  expect(of('clock')).toMatchObject([
    { state: 'failed', says: expect.stringMatching(/^This machine is 3\d{3} s behind/) },
  ]);
});

it('[L-DOCTOR] names the part of config.json that is wrong, and projects in it that there are not', async () => {
  await using home = await aHome();
  const errand = await home.open();
  const caller = await errand.gateway.local();
  const [tool] = (await import('#tools/catalog')).catalog.filter(({ full_name }) => full_name === 'admin_add_project');
  if (tool === undefined) throw new Error('There is no such tool.');
  await errand.gateway.dispatch({ caller, tool, input: { name: 'Website' }, transport: 'cli' });
  await errand.close();
  const checks = (name: string) => JSON.stringify({ checks: { [name]: [{ name: 'test', command: ['true'] }] } });

  home.write('{"executors":{"mine":{}}}');
  const invalid = await home.ask();
  home.write(checks('WEBB'));
  const unknown = await home.ask();
  home.write(checks('WEB'));
  const valid = await home.ask();
  home.write('{"executors":{"mine":{"kind":"command","command":["/nowhere/agent"]}}}');
  const missing = await home.ask();

  expect([invalid.code, unknown.code, valid.code, missing.code]).toEqual([1, 1, 0, 1]);
  expect(invalid.of('config')).toMatchObject([{ state: 'failed', says: expect.stringContaining('executors.mine') }]);
  expect(unknown.of('config')).toMatchObject([{ state: 'failed', says: expect.stringContaining('"WEBB"') }]);
  expect(valid.states.config).toBe('ok');
  expect(missing.of('agents')).toContainEqual(
    expect.objectContaining({ state: 'failed', todo: expect.stringContaining('/nowhere/agent') }),
  );
});

it('[L-DOCTOR] says which port is taken, and which folder others can read', async () => {
  await using home = await aHome();
  home.write('{}');
  chmodSync(home.data, 0o755);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };

  const { code, of } = await home.ask(port);
  await new Promise((resolve) => other.close(resolve));

  expect(code).toBe(0);
  expect(of('server')).toMatchObject([{ state: 'warning', says: expect.stringContaining(`Port ${port} is taken`) }]);
  expect(of('data')).toMatchObject([{ state: 'warning', todo: `Run: chmod 700 '${home.data}'` }]);
});

it('[L-DOCTOR] tells whether a server elsewhere answers, and whether the token works', async () => {
  await using home = await aHome();
  await using served = await createServed();
  const { token } = await served.world.token({ scopes: ['board:read'], user_ids: undefined });
  const at = (url: string, own: string) => ({
    url,
    calls: remoteCalls(createRemoteTools({ url, token: own }), '1.2.3'),
  });

  const works = await asked(at(served.url, String(token)), home.data);
  const wrong = await asked(at(served.url, 'errand_user_wrong'), home.data);
  const away = await asked(at('http://127.0.0.1:9', String(token)), home.data);

  expect([works.code, wrong.code, away.code]).toEqual([0, 1, 1]);
  expect(works.states).toMatchObject({ server: 'ok', clock: 'ok' });
  expect(wrong.of('server')).toMatchObject([{ todo: expect.stringContaining('errand login') }]);
  expect(away.of('server')).toMatchObject([{ says: expect.stringContaining('ECONNREFUSED') }]);
});

it('[L-DOCTOR] says that config.json was changed after the server had read it', async () => {
  await using home = await aHome();
  home.write('{}');
  const served = await openServed(home.config, { profile: 'all', version: '1.2.3', errand_argv: ['errand'], log });
  try {
    const { port } = await served.server.listen('127.0.0.1', 0);
    const server = { pid: process.pid, url: `http://127.0.0.1:${port}`, config: served.config_digest };
    writeRunningServer(home.data, databaseName(home.config.database), server);

    const unchanged = await home.ask();
    home.write('{"budgets":{"run":{"minutes":5}}}');
    const changed = await home.ask();

    expect(unchanged.of('config')).toMatchObject([{ state: 'ok' }]);
    expect(changed.of('config')).toMatchObject([
      { state: 'warning', says: expect.stringContaining('was changed after the server started') },
    ]);
  } finally {
    await served.server.drain(0);
    await served.close();
  }
});
