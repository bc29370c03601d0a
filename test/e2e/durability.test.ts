import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startPostgres } from '../../scripts/postgres.ts';
import { adminToken } from './admin.ts';
import { IS_LONG, times } from './counts.ts';
import { sqliteDatabase } from './database.ts';
import { mcpHttp } from './drivers/mcp-http.ts';
import { type KillLoop, killLoop } from './durability/kill-loop.ts';
import { judge, verifyChain } from './durability/oracle.ts';
import { PLANTS, type Plant } from './durability/planted-store.ts';
import { createRandom } from './durability/random.ts';
import { createLedger, writeUntilGone } from './durability/writers.ts';
import { bearer, send } from './http.ts';
import { errand, serve, sourceEnvironment, temporaryFolder } from './program.ts';
import { openWorld } from './world.ts';

const CYCLES = Number(env.ERRAND_KILL_CYCLES ?? times({ whole: 2_000, part: 8 }));
const TASKS_PER_PROCESS = times({ whole: 2_000, part: 300 });
const TOKENS = times({ whole: 100, part: 20 });
const SEED = Number(env.ERRAND_SEED ?? Date.now() % 1_000_000);

const killed = async (data: string, more: Partial<KillLoop>) =>
  killLoop({ data, token: await adminToken({ data }), cycles: CYCLES, seed: SEED, ...more });

describe('what was answered', () => {
  it(
    `[SC-005] survives ${CYCLES} kills under load, once each (seed ${SEED})`,
    async () => {
      await using folder = await temporaryFolder();

      const verdict = await killed(folder.path, {});

      expect(verdict.faults).toEqual([]);
      expect(verdict.productive).toBeGreaterThan(CYCLES / 2);
      expect(await verifyChain(folder.path)).toBe(true);
    },
    120_000 + CYCLES * 1_500,
  );

  // The counterpart of the test above: a loop that cannot detect these faults would prove nothing.
  it.runIf(IS_LONG).each(Object.keys(PLANTS) as Plant[])(
    'does not survive a store with the fault "%s"',
    async (plant) => {
      await using folder = await temporaryFolder();

      const verdict = await killed(folder.path, { plant, cycles: 40 });

      expect(verdict.faults).not.toEqual([]);
    },
    120_000,
  );

  it('survives a stop under load, which ends the server in order', async () => {
    await using folder = await temporaryFolder();
    const token = await adminToken({ data: folder.path });
    const server = await serve({ data: folder.path });
    const ledger = createLedger();

    const writing = writeUntilGone({ origin: server.origin, token }, ledger, createRandom(SEED), 0);
    await Promise.race([writing.answered, writing.done]);
    const code = await server.stop('SIGTERM');
    await writing.done;

    expect(code).toBe(0);
    expect(ledger.acked.size).toBeGreaterThan(0);
    expect(ledger.torn).toBe(0);
    expect(await judge(folder.path, ledger)).toEqual([]);
    expect(await verifyChain(folder.path)).toBe(true);
  });

  it('[SC-005] is kept across a restart', async () => {
    await using folder = await temporaryFolder();
    const token = await adminToken({ data: folder.path });
    const args = { user_id: 'me', title: 'kept' };
    const first = await serve({ data: folder.path });
    await (await mcpHttp('2026-07-28', first.origin).connect(token)).call('add_task', args);
    await first.stop();

    await using second = await serve({ data: folder.path });
    const listed = await (await mcpHttp('2026-07-28', second.origin).connect(token)).call('list_tasks', {
      user_id: 'me',
    });

    expect(listed).toMatchObject({ ok: true, value: { tasks: [{ title: 'kept' }] } });
  });
});

describe('four processes on one SQLite file', () => {
  it(`write ${TASKS_PER_PROCESS} tasks each, lose none and never get a busy error`, async () => {
    const names = ['north', 'east', 'south', 'west'];
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'errand.db');
    const script = join(import.meta.dirname, 'durability/bulk-writer.ts');

    const outputs = await Promise.all(
      names.map((name) =>
        promisify(execFile)(
          execPath,
          ['--disable-warning=ExperimentalWarning', script, path, name, String(TASKS_PER_PROCESS)],
          {
            env: sourceEnvironment(),
          },
        ),
      ),
    );

    expect(outputs.map(({ stdout }) => JSON.parse(stdout))).toEqual([[], [], [], []]);
    await using database = sqliteDatabase(folder.path);
    const [counted] = await database.rows('select count(*) as n, count(distinct title) as titles from work_items');
    expect(counted).toEqual({ n: names.length * TASKS_PER_PROCESS, titles: names.length * TASKS_PER_PROCESS });
    expect(await verifyChain(folder.path)).toBe(true);
  });
});

describe('an audit trail', () => {
  it('that was edited is detected, by people and by scripts', async () => {
    await using folder = await temporaryFolder();
    for (const title of ['a', 'b', 'c']) await errand(['todo', 'add-task', '--title', title, '--data', folder.path]);
    expect(await verifyChain(folder.path)).toBe(true);

    const database = new DatabaseSync(join(folder.path, 'errand.db'));
    database.exec(`update audit_entries set entity_id = x'00' where seq = 2`);
    database.close();
    const { code, stdout } = await errand(['audit', 'verify', '--json', '--data', folder.path]);

    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, intact: false, first_bad_seq: 2 });
    expect(await verifyChain(folder.path)).toBe(false);
  });
});

describe('a PostgreSQL that goes away', () => {
  it('[EDGE-1] is a DATABASE_ERROR with advice, and ends when it comes back', async () => {
    const postgres = await startPostgres();
    await using folder = await temporaryFolder();
    const place = { data: folder.path, database_url: postgres.url };
    await using server = await serve(place);
    const token = await adminToken(place);
    const client = await mcpHttp('2025-11-25', server.origin).connect(token);
    const modern = await mcpHttp('2026-07-28', server.origin).connect(token);
    const add = (title: string) => client.call('add_task', { user_id: 'me', title, idempotency_key: title });
    expect(await add('before')).toMatchObject({ ok: true });

    await postgres.pause();
    const away = [
      await add('during'),
      await client.call('list_tasks', { user_id: 'me' }),
      await modern.call('list_tasks', { user_id: 'me' }),
    ];
    const unready = await send(server.origin, { method: 'GET', path: '/readyz' });
    await postgres.resume();

    for (const answer of away) {
      expect(answer).toMatchObject({
        ok: false,
        error: { code: 'DATABASE_ERROR', retryable: true, retry_after_ms: expect.any(Number) },
      });
    }
    expect(unready.status).toBe(503);
    await expect.poll(async () => (await add('during')).ok, { interval: 200 }).toBe(true);
    // Reads recover by themselves, and not always at the same time as writes.
    await expect
      .poll(() => client.call('list_tasks', { user_id: 'me' }), { interval: 200 })
      .toMatchObject({ ok: true, value: { tasks: [{ title: 'before' }, { title: 'during' }] } });
    await postgres.stop();
  });
});

describe('a token', () => {
  it('is refused in every request that starts after its revocation', async () => {
    await using world = await openWorld('sqlite');
    const statuses: number[] = [];
    // Fewer than sixty refusals: after sixty, a wrong token gets 429 for a while.
    const ROUNDS = 6;

    for (let round = 0; round < ROUNDS; round++) {
      const { token, token_id } = await world.admin.createToken({ kind: 'user' });
      const ask = async () =>
        (
          await send(world.server.origin, {
            method: 'GET',
            path: '/api/v1/todo/tasks?user_id=me',
            headers: bearer(token),
          })
        ).status;
      const busy = Array.from({ length: 8 }, ask);
      expect(await ask()).toBe(200);
      await world.admin.revokeToken(token_id);
      statuses.push(...(await Promise.all(Array.from({ length: 8 }, ask))));
      await Promise.all(busy);
    }

    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(statuses).toHaveLength(ROUNDS * 8);
  });

  it('is nowhere in the files or the logs', async () => {
    await using world = await openWorld('sqlite');
    const issued = await Promise.all(Array.from({ length: TOKENS }, () => world.admin.createToken({ kind: 'user' })));
    const tokens = [world.service, ...issued.map(({ token }) => token)];
    for (const token of tokens) {
      await send(world.server.origin, {
        method: 'GET',
        path: `/api/v1/todo/tasks?user_id=${token}`,
        headers: bearer(token),
      });
      await send(world.server.origin, { method: 'GET', path: `/${token}`, headers: { 'user-agent': token } });
      const body = JSON.stringify({ user_id: 'me', title: token, idempotency_key: token });
      const headers = { ...bearer(token), 'content-type': 'application/json' };
      await send(world.server.origin, { path: '/api/v1/tools/todo_list_tasks', headers, body });
    }
    await sleep(500);

    const files = await readdir(world.place.data, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
    );
    const everything = [...contents, ...world.server.lines].join('\n');

    expect(tokens.filter((token) => everything.includes(token))).toEqual([]);
    // Check that the search looked in the right place: the ids must be there.
    expect(issued.filter(({ token_id }) => !everything.includes(token_id))).toEqual([]);
  });
});
