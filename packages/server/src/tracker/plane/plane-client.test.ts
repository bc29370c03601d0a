import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sanitizeHtml } from '#domain/rich-text';
import { ErrandError } from '#errors';
import { planeTracker } from './plane-tracker.ts';
import { aPlane, KEY } from './testing/plane-fixture.ts';

async function failureOf(asked: Promise<unknown>): Promise<ErrandError> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ErrandError) return error;
  throw new Error(`no ErrandError: ${String(error)}`);
}

const answers = (status: number, body: string, headers: Record<string, string> = {}) =>
  ({ kind: 'answers', status, body, headers }) as const;

const EMPTY_PAGE = '{"results":[],"next_cursor":"","next_page_results":false,"total_results":0}';

describe.concurrent('a Plane with invalid answers', () => {
  it.each([
    ['a server error', answers(500, '{"error":"Something went wrong please try again later"}')],
    ['a gateway that is down', answers(502, '<html>Bad gateway</html>')],
    ['no JSON', answers(200, '<html>Sign in</html>')],
    ['an empty body', answers(200, '')],
    ['JSON of another form', answers(200, '{"results": 3}')],
    [
      'a list with garbage in it',
      answers(200, '{"results":[{"id":1}],"next_cursor":"","next_page_results":false,"total_results":1}'),
    ],
    ['null', answers(200, 'null')],
    ['the right thing with megabytes around it', answers(200, EMPTY_PAGE + ' '.repeat(2_000_000))],
    ['a redirect', answers(302, '', { location: 'http://127.0.0.1:9/steal' })],
    ['an address that it does not know', answers(404, '{"error":"Page not found."}')],
    ['a page of something else', answers(404, '<h1>Not found</h1>')],
    ['a body without end', { kind: 'endless' }],
    ['a connection that breaks', { kind: 'refused' }],
  ] as const)('is tracker_unavailable on %s', async (_, fault) => {
    await using at = await aPlane();
    at.plane.plan('GET', /states/, fault);

    const error = await failureOf(at.tracker.states(at.work(), at.project_id));

    expect(error.code).toBe('tracker_unavailable');
    expect(error.message).not.toMatch(/127\.0\.0\.1|plane_api_/);
    expect(await at.tracker.states(at.work(), at.project_id)).toHaveLength(5);
  });

  it('is tracker_unavailable when it hangs', async () => {
    await using at = await aPlane({ timeout_ms: 200 });
    at.plane.plan('GET', /states/, { kind: 'hangs' });

    expect((await failureOf(at.tracker.states(at.work(), at.project_id))).code).toBe('tracker_unavailable');
  });

  it('is tracker_unavailable when nothing listens there', async () => {
    await using at = await aPlane();
    const nowhere = planeTracker({ ...at.access, base_url: 'http://127.0.0.1:1' }, { clock: Date.now });

    expect((await failureOf(nowhere.projects())).code).toBe('tracker_unavailable');
  });

  it('does not send the key to the target of a redirect', async () => {
    await using at = await aPlane();
    await using elsewhere = await aPlane();
    at.plane.plan('GET', /states/, answers(307, '', { location: `${elsewhere.plane.url}/api/v1/` }));

    await failureOf(at.tracker.states(at.work(), at.project_id));

    expect(elsewhere.plane.requests).toEqual([]);
  });
});

describe.concurrent('a Plane that refuses', () => {
  it('is tracker_unavailable for a bad key and for a project that its user is not in', async () => {
    await using at = await aPlane();
    const stranger = planeTracker({ ...at.access, api_key: 'other' }, { clock: Date.now });
    const bad = await failureOf(stranger.states(at.work(), at.project_id));
    at.plane.world.members.splice(0);
    const outside = await failureOf(at.tracker.find(at.work(), at.within, randomUUID()));

    expect([bad.code, outside.code]).toEqual(['tracker_unavailable', 'tracker_unavailable']);
  });

  it('is validation_error with Plane’s message and fields under Errand’s names', async () => {
    await using at = await aPlane();
    const state = { ...at.stateOf('started'), id: randomUUID() };

    const error = await failureOf(at.tracker.create(at.work(), at.anIssue({ state, name: 'x'.repeat(300) })));

    expect(error).toMatchObject({
      code: 'validation_error',
      details: {
        fields: [
          { field: 'name', problem: 'Ensure this field has no more than 255 characters.' },
          { field: 'state_id', problem: `Invalid pk "${state.id}" - object does not exist.` },
        ],
      },
    });
    expect(error.message).toContain('state_id: Invalid pk');
  });

  it.each([
    ['{"non_field_errors":["Start date cannot exceed target date"]}', 'Start date cannot exceed target date'],
    ['{"labels":{"0":["Invalid pk"]}}', 'label_ids: Invalid pk'],
    ['{"detail":"JSON parse error"}', 'JSON parse error'],
    ['{"error":"The payload is not valid"}', 'The payload is not valid'],
    ['no JSON', 'Plane refused the change.'],
  ])('quotes Plane’s message in %s', async (body, words) => {
    await using at = await aPlane();
    at.plane.plan('POST', /work-items/, answers(400, body));

    const error = await failureOf(at.tracker.create(at.work(), at.anIssue()));

    expect(error.code).toBe('validation_error');
    expect(error.message).toContain(words);
  });

  it('is quoted in a few words, without the key and the address', async () => {
    await using at = await aPlane();
    const words = `${KEY} at ${at.plane.url}/x ${'long '.repeat(1000)}`;
    at.plane.plan('POST', /work-items/, answers(400, JSON.stringify({ name: [words] })));

    const error = await failureOf(at.tracker.create(at.work(), at.anIssue()));

    expect(error.message.length).toBeLessThanOrEqual(400);
    expect(JSON.stringify([error.message, error.details])).not.toMatch(new RegExp(`${KEY}|127\\.0\\.0\\.1`));
  });

  it('is validation_error for more than it takes at once', async () => {
    await using at = await aPlane();
    const description_html = sanitizeHtml(`<p>${'x'.repeat(5_300_000)}</p>`);

    const error = await failureOf(at.tracker.create(at.work(), at.anIssue({ description_html })));

    expect(error.code).toBe('validation_error');
  });

  it('is not_found for an issue that was deleted meanwhile', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work(), at.anIssue());
    at.plane.world.items.splice(0);

    const error = await failureOf(at.tracker.update(at.work('b'), issue, { name: 'Other' }));

    expect(error.code).toBe('not_found');
  });
});

describe.concurrent('a Plane that fails during a change', () => {
  it.each([
    ['a server error', answers(500, '{}')],
    ['a gateway that is down', answers(502, '<html>Bad gateway</html>')],
    ['an answer that is none', answers(200, '<html>')],
    ['a connection that breaks', { kind: 'refused' }],
  ] as const)('says that it may be done, and how to repeat it, on %s', async (_, fault) => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    const failures: ErrandError[] = [];
    for (const method of ['PATCH', 'GET']) {
      at.plane.plan(method, /work-items/, fault);
      failures.push(await failureOf(at.tracker.update(at.work(method), issue, { name: 'Other' })));
    }
    at.plane.plan('POST', /work-items/, fault);
    failures.push(await failureOf(at.tracker.create(at.work('b'), at.anIssue())));

    for (const { code, message } of failures) {
      expect(code).toBe('tracker_unavailable');
      expect(message).toMatch(/may or may not be done\. Repeat the call with the same idempotency_key/);
    }
  });

  it('does not mention a change when it refuses a read', async () => {
    await using at = await aPlane();
    at.plane.plan('GET', /states/, answers(400, '{"error":"Bad cursor"}'));

    const error = await failureOf(at.tracker.states(at.work(), at.project_id));

    expect(error.message).toBe('Plane refused to answer. Bad cursor');
  });
});

describe.concurrent('a Plane that is slow', () => {
  it('gets no more requests when the time of the whole call is over', async () => {
    await using at = await aPlane({ max_call_ms: 60_000 });
    const work = at.work();
    await at.tracker.states(work, at.project_id);
    const before = at.plane.requests.length;
    at.later(60_001);

    const error = await failureOf(at.tracker.find(work, at.within, randomUUID()));

    expect(error.code).toBe('tracker_unavailable');
    expect(at.plane.requests).toHaveLength(before);
    expect(await at.tracker.states(at.work(), at.project_id)).toHaveLength(5);
  });

  it('gets no request for a call that has spent its time waiting for its turn', async () => {
    await using at = await aPlane({ max_call_ms: 100 });
    const [first, second] = [at.work('a'), at.work('b')];

    const before = at.tracker.exclusively(first, 'card', () => sleep(150));
    const after = at.tracker.exclusively(second, 'card', () => at.tracker.states(second, at.project_id));

    expect((await failureOf(after)).code).toBe('tracker_unavailable');
    expect(at.plane.requests).toEqual([]);
    await before;
  });

  it('is not waited for longer than the whole call may take', async () => {
    await using at = await aPlane({ timeout_ms: 60_000, max_call_ms: 200 });
    at.plane.plan('GET', /states/, { kind: 'hangs' });

    expect((await failureOf(at.tracker.states(at.work(), at.project_id))).code).toBe('tracker_unavailable');
  });
});

describe.concurrent('a Plane that limits requests', () => {
  it('is asked three times at most, whatever its Retry-After', async () => {
    await using at = await aPlane();
    for (let count = 0; count < 5; count++) at.plane.plan('GET', /states/, answers(429, '{}', { 'retry-after': '0' }));

    const error = await failureOf(at.tracker.states(at.work(), at.project_id));

    expect(error).toMatchObject({ code: 'rate_limited', retry_after_ms: 4_000 });
    expect(at.plane.requests).toHaveLength(3);
  });

  it('is waited for at most an hour', async () => {
    await using at = await aPlane();
    at.plane.plan('GET', /states/, answers(429, '{}', { 'retry-after': '1e308' }));

    const error = await failureOf(at.tracker.states(at.work(), at.project_id));

    expect(error.retry_after_ms).toBe(3_600_000);
  });

  it('is asked again after the time in Retry-After', async () => {
    await using at = await aPlane();
    at.plane.rate = { requests: 1, seconds: 1 };

    const issue = await at.tracker.create(at.work(), at.anIssue());

    expect(issue.name).toBe('Fix the login');
    expect(at.plane.world.items).toHaveLength(1);
  });

  it('is rate_limited, with the time to wait, when that is longer than a call may take', async () => {
    await using at = await aPlane();
    at.plane.rate = { requests: 1, seconds: 600 };
    await at.tracker.projects();

    const error = await failureOf(at.tracker.projects());

    // The time to wait becomes shorter between the two requests.
    expect(error.code).toBe('rate_limited');
    expect(error.retry_after_ms).toBeGreaterThan(300_000);
  });

  it('is asked again by X-RateLimit-Reset when it has no Retry-After', async () => {
    await using at = await aPlane();
    const reset = Math.floor(Date.now() / 1000) + 120;
    at.plane.plan('GET', /projects/, answers(429, '{}', { 'x-ratelimit-reset': String(reset) }));

    const error = await failureOf(at.tracker.projects());

    expect(error.code).toBe('rate_limited');
    expect(error.retry_after_ms).toBeGreaterThan(100_000);
  });
});
