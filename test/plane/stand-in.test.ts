import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type PlaneStandIn, startPlane } from './stand-in.ts';
import { addLabel, addMember, addProject, addUser } from './world.ts';

async function aPlane() {
  const plane = await startPlane();
  const bot = addUser(plane.world, 'errand-bot');
  const project = addProject(plane.world, 'Website');
  addMember(plane.world, project.id, bot.id);
  plane.world.keys.set('k', bot.id);
  const root = `${plane.url}/api/v1/workspaces/${plane.slug}`;
  return { plane, bot, project, root, items: `${root}/projects/${project.id}/work-items/` };
}

async function call(url: string, body?: unknown, key: string | null = 'k', method = body ? 'POST' : 'GET') {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(key === null ? {} : { 'x-api-key': key }), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const statusAndBody = async (asked: ReturnType<typeof call>) => {
  const { status, body } = await asked;
  return { status, body };
};

describe('the stand-in of Plane', () => {
  it('refuses a request without a key, with a bad one, and in a project of others', async () => {
    const { plane, root, items } = await aPlane();
    await using _: PlaneStandIn = plane;
    const foreign = addProject(plane.world, 'Secret');

    expect(await statusAndBody(call(items, undefined, null))).toEqual({
      status: 401,
      body: { detail: 'Authentication credentials were not provided.' },
    });
    expect(await statusAndBody(call(items, undefined, 'other'))).toEqual({
      status: 403,
      body: { detail: 'Given API token is not valid' },
    });
    expect(await statusAndBody(call(`${root}/projects/${foreign.id}/work-items/`, { name: 'x' }))).toEqual({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.' },
    });
  });

  it('walks a list by cursors and refuses pages that are too large', async () => {
    const { plane, items } = await aPlane();
    await using _: PlaneStandIn = plane;
    for (const name of ['a', 'b', 'c']) await call(items, { name });

    const first = (await call(`${items}?per_page=2&fields=name`)).body;
    const second = (await call(`${items}?per_page=2&fields=name&cursor=${first.next_cursor}`)).body;

    expect(first).toMatchObject({ next_cursor: '2:1:0', prev_cursor: '2:-1:1', next_page_results: true, count: 2 });
    expect(first.results).toEqual([{ name: 'c' }, { name: 'b' }]);
    expect(second).toMatchObject({ next_page_results: false, prev_page_results: true, total_results: 3, count: 1 });
    expect(await statusAndBody(call(`${items}?per_page=1001`))).toEqual({
      status: 400,
      body: { detail: 'Invalid per_page value. Cannot exceed 1000.' },
    });
    expect((await call(`${items}?cursor=1:2`)).body).toEqual({ detail: 'Invalid cursor parameter.' });
  });

  it('counts requests of a key and says how long to wait', async () => {
    const { plane, items } = await aPlane();
    await using _: PlaneStandIn = plane;
    plane.rate = { requests: 1, seconds: 30 };

    const let_through = await call(items);
    const held = await call(items);

    expect(let_through.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(held.status).toBe(429);
    expect(held.body).toEqual({ error_code: 5900, error_message: 'RATE_LIMIT_EXCEEDED' });
    expect(held.headers.get('retry-after')).toBe('30');
    expect(held.headers.get('x-ratelimit-reset')).toBeNull();
  });

  it('answers a repeated external id with the first item', async () => {
    const { plane, items } = await aPlane();
    await using _: PlaneStandIn = plane;
    const outside = { external_source: 'errand', external_id: 'op-1' };
    const first = await call(items, { name: 'one', ...outside });

    const again = await statusAndBody(call(items, { name: 'two', ...outside }));

    expect(first.status).toBe(201);
    expect(again).toEqual({
      status: 409,
      body: { error: 'Issue with the same external id and external source already exists', id: first.body.id },
    });
    expect((await call(`${items}?external_source=errand&external_id=op-1`)).body.name).toBe('one');
  });

  it('refuses bad fields by name and leaves foreign labels out in silence', async () => {
    const { plane, items } = await aPlane();
    await using _: PlaneStandIn = plane;
    const label = addLabel(plane.world, addProject(plane.world, 'Other').id, 'foreign');
    const unknown = randomUUID();

    expect((await call(items, { priority: 'huge', state: unknown, labels: [unknown] })).body).toEqual({
      name: ['This field is required.'],
      priority: ['"huge" is not a valid choice.'],
      state: [`Invalid pk "${unknown}" - object does not exist.`],
      labels: { 0: [`Invalid pk "${unknown}" - object does not exist.`] },
    });
    expect((await call(items, { name: 'x', start_date: '2026-02-02', target_date: '2026-02-01' })).body).toEqual({
      non_field_errors: ['Start date cannot exceed target date'],
    });
    expect((await call(items, { name: 'x', labels: [label.id] })).body.labels).toEqual([]);
  });

  it('knows no address with an id in another form', async () => {
    const { plane, items } = await aPlane();
    await using _: PlaneStandIn = plane;

    expect(await statusAndBody(call(`${items}not-an-id/`))).toEqual({
      status: 404,
      body: { error: 'Page not found.' },
    });
    expect(await statusAndBody(call(`${items}${randomUUID()}/`))).toEqual({
      status: 404,
      body: { error: 'The requested resource does not exist.' },
    });
    expect((await call(items.slice(0, -1))).status).toBe(301);
  });
});
