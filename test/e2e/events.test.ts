import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenTo } from '../../packages/server/src/testing/event-client.ts';
import { mcpStdio } from './drivers/mcp-stdio.ts';
import { sendJson } from './http.ts';
import { errand, errandJson, type Place, placeFlags, type Server, serve, temporaryFolder } from './program.ts';
import { type Backend, openDatabase, openPlace } from './world.ts';

const SCOPES = 'execution:report,todo:read,todo:write';
const LOOKS_MS = 6_000;
/** The tests of one database share its servers, and one of them kills a server. */
const IN_TURN = { concurrent: false };

/** Opens two servers on one database, with one user's token for both. */
async function openTwoServers(backend: Backend) {
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await openPlace(backend));
  // A server does not start when it finds another one by the path of the file. A link is a second path.
  const link = join(opened.use(await temporaryFolder()).path, 'link');
  await symlink(place.data, link);
  const twin: Place = { data: link, database_url: place.database_url };
  const servers = [opened.use(await serve(place)), opened.use(await serve(twin))] as const;
  const create = ['token', 'create', '--kind', 'user', '--name', 'listener', '--scopes', SCOPES];
  const token = String((await errandJson([...create, ...placeFlags(place)])).token);

  const all = opened.move();
  return { place, twin, servers, token, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

type TwoServers = Awaited<ReturnType<typeof openTwoServers>>;

async function call({ origin }: Server, token: string, tool: string, args: object): Promise<Record<string, unknown>> {
  const { status, text } = await sendJson(origin, `/api/v1/tools/${tool}`, token, args);
  if (status >= 300) throw new Error(`${tool} answered ${status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

const aRun = async (server: Server, token: string): Promise<string> =>
  String((await call(server, token, 'create_execution', { name: 'Fix the roof' })).id);

describe.concurrent.each(['sqlite', 'postgres'] as const)('changes of several processes on %s', (backend) => {
  let two: TwoServers;
  beforeAll(async () => {
    two = await openTwoServers(backend);
  });
  afterAll(async () => {
    await two?.[Symbol.asyncDispose]();
  });

  it(
    'are sent by each server: its own, those of another, of a command and of an agent over stdio',
    IN_TURN,
    async () => {
      const { servers, token, place } = two;
      const streams = await Promise.all(servers.map(({ origin }) => listenTo(origin, { token })));
      const untilBoth = (count: number) =>
        Promise.all(streams.map(({ until, changes }) => until(() => changes().length === count)));

      await aRun(servers[0], token);
      await untilBoth(1);
      await aRun(servers[1], token);
      await untilBoth(2);
      const added = ['todo', 'add-task', '--user-id', 'me', '--title', 'Buy nails', '--json', ...placeFlags(place)];
      const { code } = await errand(added, { ERRAND_TOKEN: token });
      await untilBoth(3);
      await using agent = await mcpStdio('2025-11-25', place).connect(token);
      await agent.call('add_task', { user_id: 'me', title: 'Buy a hammer' });
      await untilBoth(4);

      const [first, second] = streams.map(({ changes }) => changes());
      expect(code).toBe(0);
      expect(first?.map(({ kind }) => kind)).toEqual([
        'execution.created',
        'execution.created',
        'work_item.created',
        'work_item.created',
      ]);
      expect(second).toEqual(first);
      for (const { cut } of streams) cut();
    },
  );

  it(
    'arrive without gaps or repeats when the server is killed and the listener continues with another',
    IN_TURN,
    async () => {
      const { servers, token, twin } = two;
      const [first, second] = servers;
      const execution_id = await aRun(first, token);
      const stream = await listenTo(second.origin, { token, query: `?execution_id=${execution_id}` });
      const steps = Array.from({ length: 100 }, (_, i) =>
        call(first, token, 'create_step', { execution_id, step_name: `Step ${i}` }),
      );

      await stream.until(() => stream.changes().length >= 10);
      await second.stop('SIGKILL');
      await stream.closed;
      await Promise.all(steps);
      const last_event_id = stream.lastId();
      const resumed = await listenTo(first.origin, { token, query: `?execution_id=${execution_id}`, last_event_id });
      await resumed.until(() => stream.changes().length + resumed.changes().length >= 100);
      await using restarted = await serve(twin);
      const again = await listenTo(restarted.origin, { token, query: `?execution_id=${execution_id}`, last_event_id });
      await again.until(() => again.changes().length >= resumed.changes().length);

      const received = [...stream.changes(), ...resumed.changes()].map(
        ({ data }) => (data.data as { seq: number }).seq,
      );
      expect(received).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
      expect(again.changes()).toEqual(resumed.changes());
      for (const { cut } of [resumed, again]) cut();
    },
  );

  it('end with their server, which does not wait for its listeners', IN_TURN, async () => {
    await using server = await serve(two.twin);
    const stream = await listenTo(server.origin, { token: two.token });

    const code = await server.stop('SIGTERM');

    expect(code).toBe(0);
    expect(await stream.closed).toBe('ended');
  });
});

describe.concurrent('a run that falls silent under two servers', () => {
  it('is reported as silent once', async () => {
    await using two = await openTwoServers('postgres');
    await using database = openDatabase(two.place);
    const [server] = two.servers;
    const execution_id = await aRun(server, two.token);
    const stream = await listenTo(server.origin, { token: two.token, query: '?kinds=execution.*' });

    await database.rows('update executions set seen_at = seen_at - 61000 where id = ?', [execution_id]);
    await stream.until(() => stream.changes().length > 0);
    // Long enough for the other server to have polled too.
    await pause(LOOKS_MS);

    expect(stream.changes()).toMatchObject([
      { kind: 'execution.quiet', data: { actor: null, data: { id: execution_id, liveness: 'quiet' } } },
    ]);
    stream.cut();
  });
});
