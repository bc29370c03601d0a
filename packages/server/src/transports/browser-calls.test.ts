import { afterEach, describe, expect, it, vi } from 'vitest';
import { listenTo } from '#testing/event-client';
import { ask, createServed } from '#testing/served';

afterEach(() => void vi.useRealTimers());

const JSON_BODY = { 'content-type': 'application/json' };

type Served = Awaited<ReturnType<typeof createServed>>;

/** Signs a browser in, as opening a link does. */
async function signedIn({ world, url }: Served) {
  const { key } = await world.ask('admin_create_sign_in', {});
  const opened = await ask(`${url}/?key=${String(key)}`);
  const [set = ''] = opened.headers['set-cookie'] ?? [];
  return { cookie: set.split(';')[0] ?? '' };
}

const add = (served: Served, headers: Record<string, string>) =>
  ask(`${served.url}/api/v1/users`, {
    method: 'POST',
    headers: { ...JSON_BODY, ...headers },
    body: JSON.stringify({ name: 'Ada' }),
  });

const names = async ({ world }: Served) =>
  ((await world.ask('admin_list_users', {})).users as { name: string }[]).map(({ name }) => name);

describe('a call with the cookie of a browser', () => {
  it('reads and changes as the signed-in person, from a page of this server', async () => {
    await using served = await createServed();
    const browser = await signedIn(served);

    const read = await ask(`${served.url}/api/v1/users`, { headers: { ...browser, 'sec-fetch-site': 'same-origin' } });
    const written = await add(served, { ...browser, 'sec-fetch-site': 'same-origin' });
    const byOrigin = await add(served, { ...browser, origin: served.url });

    expect([read.status, written.status, byOrigin.status]).toEqual([200, 201, 201]);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of the same host', { 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { 'sec-fetch-site': 'none' }],
    ['a program that says nothing', {}],
  ])('changes nothing when it comes from %s', async (_, headers) => {
    await using served = await createServed();
    const browser = await signedIn(served);

    const said = await add(served, { ...browser, ...headers });

    expect(said).toMatchObject({ status: 403, json: { error: { code: 'cross_site' } } });
    expect(await names(served)).not.toContain('Ada');
  });

  it('changes nothing for a page of an origin that is allowed to send tokens', async () => {
    await using served = await createServed({ allowed_origins: ['https://friend.example'] });
    const browser = await signedIn(served);

    const said = await add(served, { ...browser, origin: 'https://friend.example' });

    expect(said).toMatchObject({ status: 403, json: { error: { code: 'cross_site' } } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'refuses a form: %s',
    async (type) => {
      await using served = await createServed();
      const browser = await signedIn(served);

      const said = await add(served, { ...browser, 'sec-fetch-site': 'same-origin', 'content-type': type });

      expect(said).toMatchObject({ status: 415, json: { error: { code: 'unsupported_media_type' } } });
    },
  );

  it('shows a page elsewhere nothing, and a person who types the address what they may see', async () => {
    await using served = await createServed();
    const browser = await signedIn(served);
    const from = (site: string) =>
      ask(`${served.url}/api/v1/users`, { headers: { ...browser, 'sec-fetch-site': site } });

    const statuses = await Promise.all(
      ['none', 'same-site', 'cross-site'].map(async (site) => (await from(site)).status),
    );

    expect(statuses).toEqual([200, 403, 403]);
  });

  it('counts less than a token in the header, right or wrong', async () => {
    await using served = await createServed();
    const browser = await signedIn(served);
    const at = `${served.url}/api/v1/users`;

    const narrow = await ask(at, { headers: { ...browser, authorization: served.authorization } });
    const wrong = await ask(at, { headers: { ...browser, authorization: 'Bearer nonsense' } });

    expect(narrow).toMatchObject({ status: 403, json: { error: { code: 'insufficient_scope' } } });
    expect(wrong).toMatchObject({ status: 401, json: { error: { code: 'unauthenticated' } } });
  });

  it('is no call of an agent: MCP takes tokens only', async () => {
    await using served = await createServed();
    const browser = await signedIn(served);

    const said = await ask(`${served.url}/mcp`, {
      method: 'POST',
      headers: {
        ...browser,
        ...JSON_BODY,
        accept: 'application/json, text/event-stream',
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });

    expect(said.status).toBe(401);
  });

  it('takes the plain cookie over plain HTTP only', async () => {
    await using served = await createServed();
    const browser = await signedIn(served);

    const said = await ask(`${served.url}/api/v1/users`, { headers: { ...browser, 'x-forwarded-proto': 'https' } });

    expect(said.status).toBe(401);
  });

  it('follows events, until the session is revoked', async () => {
    await using served = await createServed();
    const { world } = served;
    const { cookie } = await signedIn(served);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stream = await listenTo(served.url, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });

    await world.ask('admin_add_user', { name: 'Ada' });
    await stream.until(() => stream.changes().length > 0);
    const { tokens } = (await world.ask('admin_list_tokens', {})) as { tokens: { token_id: string; name: string }[] };
    const session = tokens.find(({ name }) => name === 'Browser');
    await world.ask('admin_revoke_token', { token_id: session?.token_id });
    // Less than a second: what a person waits for after signing out elsewhere.
    await vi.advanceTimersByTimeAsync(900);

    expect(await stream.closed).toBe('ended');
    expect(stream.changes().map(({ kind }) => kind)).toContain('user.created');
    expect(stream.heard.at(-1)).toMatchObject({ kind: 'end', data: { reason: 'unauthenticated' } });
  });
});
