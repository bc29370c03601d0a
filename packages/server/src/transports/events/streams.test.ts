import { afterEach, describe, expect, it, vi } from 'vitest';
import { listenTo, openEvents } from '#testing/event-client';
import { ask, createServed } from '#testing/served';
import { createTracker } from '#testing/tracker';
import type { World } from '#testing/world';

afterEach(() => void vi.useRealTimers());

const CONFIRMED_MS = 3_000;
const BEAT_MS = 15_000;

/** Fakes only `setInterval`: everything else must run in real time. */
const holdIntervals = (): unknown => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });

const reporter = async (world: World, fields: Record<string, unknown> = {}): Promise<string> =>
  (await world.token({ scopes: ['execution:report', 'todo:read'], ...fields })).token as string;

const EXECUTION = { name: 'Fix the roof' };

/** Makes more changes than a connection holds unread. */
async function fill(world: World, execution_id: unknown): Promise<void> {
  const entry = { execution_id, kind: 'output', text: '🪜'.repeat(8_000) };
  for (let i = 0; i < 10; i++) {
    await Promise.all(Array.from({ length: 50 }, () => world.ask('add_feed_entry', entry)));
  }
  await vi.waitFor(() => expect(world.gateway.events.backlog()).toBeGreaterThan(100));
}

describe('GET /api/v1/events', () => {
  it('answers a stream that no proxy buffers or caches, with a retry time', async () => {
    await using served = await createServed();
    const stream = await listenTo(served.url, { token: await reporter(served.world) });

    const { statusCode, headers } = await stream.answered;

    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    stream.cut();
  });

  it('sends a page of a foreign origin nothing', async () => {
    await using served = await createServed();

    const said = await served.call('GET', '/api/v1/events', undefined, { origin: 'https://evil.example' });

    expect(said).toMatchObject({ status: 403, json: { error: { code: 'forbidden_host' } } });
  });

  it.each(['HEAD', 'POST', 'DELETE'])('refuses %s and says what it takes', async (method) => {
    await using served = await createServed();

    const said = await served.call(method, '/api/v1/events');

    expect(said.status).toBe(405);
    expect(said.headers.allow).toBe('GET');
  });

  it('takes the token from the header alone', async () => {
    await using served = await createServed();
    const token = await reporter(served.world);

    const without = await ask(`${served.url}/api/v1/events`);
    const inAddress = await served.call('GET', `/api/v1/events?token=${token}`);

    expect(without).toMatchObject({ status: 401, json: { error: { code: 'unauthenticated' } } });
    expect(inAddress).toMatchObject({ status: 400, json: { error: { code: 'validation_error' } } });
    expect(inAddress.text).not.toContain(token);
  });

  it.each([
    ['kinds', 'steps'],
    ['kinds', 'step.*,'],
    ['kinds', Array.from({ length: 21 }, () => 'step.*').join(',')],
    ['execution_id', ''],
    ['project_id', 'x'.repeat(201)],
    ['after', '-1'],
    ['after', '1e3'],
    ['after', '9'.repeat(16)],
  ])('refuses the filter %s=%s', async (field, value) => {
    await using served = await createServed();

    const said = await served.call('GET', `/api/v1/events?${field}=${encodeURIComponent(value)}`);

    expect(said).toMatchObject({
      status: 400,
      json: { error: { code: 'validation_error', details: { fields: [{ field }] } } },
    });
  });

  it('refuses a parameter that is given twice, and a Last-Event-ID that is no number', async () => {
    await using served = await createServed();

    const twice = await served.call('GET', '/api/v1/events?after=1&after=2');
    const noNumber = await served.call('GET', '/api/v1/events', undefined, { 'last-event-id': 'abc' });

    expect([twice.status, noNumber.status]).toEqual([400, 400]);
  });

  it('sends events of the execution, the project and the kinds that were asked for', async () => {
    await using served = await createServed();
    const { world } = served;
    const token = await reporter(world, { scopes: ['execution:report', 'issue:read', 'admin'] });
    const project_id = await createTracker(world).project();
    const [mine, other] = [
      await world.ask('create_execution', EXECUTION),
      await world.ask('create_execution', EXECUTION),
    ];
    const asked = [
      `?execution_id=${mine.id}`,
      `?project_id=${project_id}`,
      '?kinds=step.*',
      '?kinds=execution.created',
    ];
    const streams = await Promise.all(asked.map((query) => listenTo(served.url, { token, query })));

    await world.ask('create_step', { execution_id: mine.id, step_name: 'A' });
    await world.ask('create_step', { execution_id: other.id, step_name: 'B' });
    await world.ask('create_execution', { ...EXECUTION, project_id });
    await Promise.all(streams.map(({ until, changes }, i) => until(() => changes().length === (i === 2 ? 2 : 1))));

    expect(streams.map(({ changes }) => changes().map(({ kind }) => kind))).toEqual([
      ['step.created'],
      ['execution.created'],
      ['step.created', 'step.created'],
      ['execution.created'],
    ]);
    for (const { cut } of streams) cut();
  });

  it('prefers Last-Event-ID to the address, because browsers reconnect to the old address', async () => {
    await using served = await createServed();
    const { world } = served;
    const token = await reporter(world);
    for (let i = 0; i < 5; i++) await world.ask('create_execution', EXECUTION);
    const head = await world.store.reads.events.head();

    const last_event_id = String(head - 2);
    const stream = await listenTo(served.url, { token, query: '?after=0', last_event_id });
    await stream.until(() => stream.changes().length === 2);

    expect(stream.heard.map(({ id }) => Number(id))).toEqual([head - 2, head - 1, head]);
    stream.cut();
  });

  it('resumes after connections that are cut in the middle of events, without gap or repeat', async () => {
    await using served = await createServed();
    const { world } = served;
    const token = await reporter(world);
    const { id: execution_id } = await world.ask('create_execution', EXECUTION);
    const start = await world.store.reads.events.head();
    for (let i = 0; i < 40; i++) await world.ask('create_step', { execution_id, step_name: `Step ${i} 🪜` });

    const cuts = Array.from({ length: 30 }, (_, i) => 40 + i * 613);
    const received = await Promise.all(
      cuts.map(async (most) => {
        const first = openEvents(served.url, { token, query: `?after=${start}`, most });
        await first.closed;
        const last_event_id = first.lastId() === '' ? String(start) : first.lastId();
        const second = await listenTo(served.url, { token, last_event_id });
        await second.until(() => Number(second.lastId()) === start + 40);
        second.cut();
        return [...first.changes(), ...second.changes()].map(({ id }) => Number(id));
      }),
    );

    const all = Array.from({ length: 40 }, (_, i) => start + 1 + i);
    expect(received).toEqual(cuts.map(() => all));
  });

  it('ends streams whose token is revoked or expires, or whose owner is blocked, and says so', async () => {
    holdIntervals();
    await using served = await createServed();
    const { world } = served;
    const user_id = await world.addUser('Kim');
    const revoked = await world.token({ scopes: ['execution:report'] });
    const tokens = [
      revoked.token as string,
      await reporter(world, { user_id, scopes: ['execution:report'] }),
      await reporter(world, { expires_in: '1h' }),
      await reporter(world),
    ];
    const streams = await Promise.all(tokens.map((token) => listenTo(served.url, { token })));

    await world.ask('admin_revoke_token', { token_id: revoked.token_id });
    await world.ask('admin_block_user', { user_id });
    world.time.now += 2 * 60 * 60 * 1000;
    await vi.advanceTimersByTimeAsync(CONFIRMED_MS);
    const ends = await Promise.all(streams.slice(0, 3).map(({ closed }) => closed));

    expect(ends).toEqual(['ended', 'ended', 'ended']);
    expect(streams.map(({ changes }) => changes().at(-1))).toEqual([
      ...ends.map(() => expect.objectContaining({ kind: 'end', data: { reason: 'unauthenticated' } })),
      undefined,
    ]);
    streams[3]?.cut();
  });

  it('sends events of newly granted projects, and no more of removed ones', async () => {
    holdIntervals();
    await using served = await createServed();
    const { world } = served;
    const { project, issue, agent } = createTracker(world);
    const [kept, added] = [await project('Kept'), await project('Added')];
    const author = await agent({ projects: [kept, added] });
    const { agent_id, token } = await world.ask('admin_create_agent', {
      name: 'Listener',
      owner_id: world.owner.user_id,
      project_ids: [kept],
      scopes: ['issue:read'],
    });
    const stream = await listenTo(served.url, { token: token as string });

    await issue(author, { project_id: added, name: 'Before' });
    const first = await issue(author, { project_id: kept, name: 'Kept' });
    await stream.until(() => stream.changes().length === 1);
    await world.ask('admin_grant_agent', { agent_id, project_id: added, scopes: ['issue:read'] });
    await world.ask('admin_ungrant_agent', { agent_id, project_id: kept });
    await vi.advanceTimersByTimeAsync(CONFIRMED_MS);
    await issue(author, { project_id: kept, name: 'Hidden' });
    const second = await issue(author, { project_id: added, name: 'Heard' });
    await stream.until(() => stream.changes().length === 2);

    expect(stream.changes().map(({ data }) => data.entity_id)).toEqual([first, second]);
    stream.cut();
  });

  it('keeps an idle connection alive', async () => {
    holdIntervals();
    await using served = await createServed();
    const stream = await listenTo(served.url, { token: await reporter(served.world) });
    const incoming = await stream.answered;
    const beat = new Promise((resolve) => incoming.once('data', (bytes: Buffer) => resolve(bytes.toString())));

    await vi.advanceTimersByTimeAsync(BEAT_MS);

    expect(await beat).toBe(':\n\n');
    stream.cut();
  });

  it('cuts a client that does not read, without holding its unread events', async () => {
    holdIntervals();
    await using served = await createServed();
    const { world } = served;
    const { id: execution_id } = await world.ask('create_execution', EXECUTION);
    const stream = await listenTo(served.url, { token: await reporter(world) });
    const incoming = await stream.answered;
    incoming.pause();

    await fill(world, execution_id);
    await vi.advanceTimersByTimeAsync(3 * BEAT_MS);
    await vi.waitFor(() => expect(world.gateway.events.listeners()).toBe(0));
    incoming.resume();

    expect(await stream.closed).toBe('cut');
    expect(stream.changes().length).toBeLessThan(400);
  });

  it('ends the stream of a client that does not read when its token is revoked, and serves others', async () => {
    holdIntervals();
    await using served = await createServed();
    const { world } = served;
    const { id: execution_id } = await world.ask('create_execution', EXECUTION);
    const { token, token_id } = await world.token({ scopes: ['execution:report'] });
    const stream = await listenTo(served.url, { token: token as string });
    const incoming = await stream.answered;
    incoming.pause();
    await fill(world, execution_id);

    await world.ask('admin_revoke_token', { token_id });
    await vi.advanceTimersByTimeAsync(CONFIRMED_MS);
    await vi.waitFor(() => expect(world.gateway.events.listeners()).toBe(0));
    const { status } = await ask(`${served.url}/healthz`);
    incoming.resume();

    expect(status).toBe(200);
    expect(await stream.closed).toBe('cut');
  });

  it('accepts 100 streams of one token, keeps some for every other token, and takes no place from other requests', async () => {
    await using served = await createServed();
    const { world, url } = served;
    const [first = '', last = '', ...greedy] = await Promise.all(Array.from({ length: 12 }, () => reporter(world)));
    const open = (token: string) => listenTo(url, { token });
    const openAll = async (token: string) => {
      const asked = await Promise.allSettled(Array.from({ length: 100 }, () => open(token)));
      return asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    };

    const own = await openAll(first);
    const tooMany = await ask(`${url}/api/v1/events`, { headers: { authorization: `Bearer ${first}` } });
    own[0]?.cut();
    await vi.waitFor(() => expect(world.gateway.events.listeners()).toBe(99));
    own.push(await open(first));
    const others = [];
    for (const token of greedy) others.push(...(await openAll(token)));
    const late = await open(last);
    const otherCall = await served.call('GET', '/api/v1/todo/tasks?user_id=me');

    expect(own).toHaveLength(101);
    expect(tooMany).toMatchObject({ status: 429, json: { error: { code: 'rate_limited', retryable: true } } });
    expect(others.length).toBeLessThan(900);
    expect(otherCall.status).toBe(200);
    for (const { cut } of [...own, ...others, late]) cut();
  });

  it('ends its streams properly when the server stops', async () => {
    await using served = await createServed();
    const stream = await listenTo(served.url, { token: await reporter(served.world) });

    await served.server.drain(5_000);

    expect(await stream.closed).toBe('ended');
    expect(stream.changes()).toEqual([]);
  });

  it('is counted in the metrics', async () => {
    await using served = await createServed();
    const stream = await listenTo(served.url, { token: await reporter(served.world) });

    const { text } = await ask(`${served.url}/metrics`);

    expect(text).toContain('\nerrand_event_listeners 1\n');
    expect(text).toContain('\nerrand_event_backlog 0\n');
    stream.cut();
  });

  it('is in the OpenAPI document', async () => {
    await using served = await createServed();

    const { json } = await ask(`${served.url}/openapi.json`);

    expect(json.paths).toHaveProperty(['/events', 'get', 'responses', '200', 'content', 'text/event-stream']);
  });
});
