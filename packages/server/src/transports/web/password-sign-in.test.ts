import { describe, expect, it } from 'vitest';
import { aSite } from '#testing/a-site';

const PASSWORD = 'correct horse battery';
const OWN = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': 'Firefox 150' };

type Site = Awaited<ReturnType<typeof aSite>>;

async function anna(site: Site): Promise<string> {
  const user_id = await site.world.addUser('Anna');
  await site.world.ask('admin_set_password', { user_id, password: PASSWORD });
  return user_id;
}

const post = ({ web }: Site, path: string, headers: Record<string, string>, body?: unknown) =>
  web.request(path, {
    method: 'POST',
    headers: { host: '127.0.0.1:8081', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const signIn = (site: Site, name: string, password: string, headers: Record<string, string> = {}) =>
  post(site, '/signin', { ...OWN, ...headers }, { name, password });

const cookieOf = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

const codeOf = async (answer: Response): Promise<unknown> =>
  ((await answer.json()) as { error: { code: string } }).error.code;

const callerOf = ({ world }: Site, answer: Response) =>
  world.gateway.authenticate(cookieOf(answer).split('=')[1] ?? '');

describe('signing in with a password', () => {
  it('sets the cookie of a session that the person finds in their list', async () => {
    const site = await aSite();
    const user_id = await anna(site);

    const answer = await signIn(site, ' anna ', PASSWORD);

    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^errand_session=errand_user_\w+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const { sessions } = await site.world.ask('admin_list_sessions', {}, await callerOf(site, answer));
    expect(sessions).toMatchObject([{ user_id, user_name: 'Anna', device: 'Firefox 150', is_this: true }]);
  });

  it('reads no more of a body than it may have, although a chunked one does not say how long it is', async () => {
    const { web } = await aSite();
    let sent = 0;
    const body = new ReadableStream({
      pull: (stream) => {
        sent += 1;
        if (sent > 1_000) stream.close();
        else stream.enqueue(Buffer.alloc(4_096, '['));
      },
    });

    const answer = await web.request('/signin', { method: 'POST', headers: OWN, body, duplex: 'half' } as RequestInit);

    expect(answer.status).toBe(413);
    expect(sent).toBeLessThan(10);
  });

  it('counts guesses of a name however many invisible characters it is written with', async () => {
    const site = await aSite();
    await anna(site);

    for (let i = 1; i <= 10; i++) await signIn(site, `An${'\u200b'.repeat(i)}na`, 'wrong');

    expect((await signIn(site, 'Anna', PASSWORD)).status).toBe(429);
  });

  it('refuses a wrong password, an unknown name, a person without one and a blocked one with the same words', async () => {
    const site = await aSite();
    await anna(site);
    const bob = await site.world.addUser('Bob');
    await site.world.ask('admin_set_password', { user_id: bob, password: PASSWORD });
    await site.world.ask('admin_block_user', { user_id: bob });
    await site.world.addUser('Carl');

    const tries = [
      ['Anna', 'wrong'],
      ['Nobody', PASSWORD],
      ['Carl', PASSWORD],
      ['Bob', PASSWORD],
    ] as const;
    const answers = [];
    for (const [name, password] of tries) answers.push(await signIn(site, name, password));

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(answers.every(({ headers }) => headers.get('set-cookie') === null)).toBe(true);
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { error: object }[];
    const words = bodies.map(({ error }) => JSON.stringify({ ...error, correlation_id: '' }));
    expect(new Set(words).size).toBe(1);
  });

  it('closes after ten wrong passwords, and says so', async () => {
    const site = await aSite();
    await anna(site);
    for (let i = 0; i < 10; i++) await signIn(site, 'Anna', `wrong ${i}`);

    const closed = await signIn(site, 'Anna', PASSWORD);

    expect(closed.status).toBe(429);
    expect(Number(closed.headers.get('retry-after'))).toBe(900);
    site.world.time.now += 900_000;
    expect((await signIn(site, 'Anna', PASSWORD)).status).toBe(204);
  });

  it.each([
    ['a page of another server', { 'sec-fetch-site': 'cross-site' }, 403, 'cross_site'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
  ])('is not for %s', async (_, headers, status, code) => {
    const site = await aSite();
    await anna(site);

    const answer = await signIn(site, 'Anna', PASSWORD, headers);

    expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it.each([{ name: 'Anna' }, { name: 'Anna', password: 'x'.repeat(201) }, { name: 1, password: 2 }, [], null])(
    'refuses %j',
    async (body) => {
      const site = await aSite();

      expect((await post(site, '/signin', OWN, body)).status).toBe(400);
    },
  );

  it('tells visitors whether there are passwords, and nothing else', async () => {
    const site = await aSite();

    const before = await (await site.get('/signin/options')).json();
    await anna(site);

    expect([before, await (await site.get('/signin/options')).json()]).toEqual([
      { password: false, oidc: false },
      { password: true, oidc: false },
    ]);
  });

  it('ends with signing out, at once and for this browser only', async () => {
    const site = await aSite();
    await anna(site);
    const [here, there] = [await signIn(site, 'Anna', PASSWORD), await signIn(site, 'Anna', PASSWORD)];

    const out = await post(site, '/signout', { ...OWN, cookie: cookieOf(here) });

    expect(out.status).toBe(204);
    expect(out.headers.get('set-cookie')).toMatch(/^errand_session=; Max-Age=0; Path=\//);
    await expect(callerOf(site, here)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await callerOf(site, there)).kind).toBe('user');
  });

  it('is not ended by a page of another server', async () => {
    const site = await aSite();
    await anna(site);
    const here = await signIn(site, 'Anna', PASSWORD);

    const out = await post(site, '/signout', { ...OWN, 'sec-fetch-site': 'same-site', cookie: cookieOf(here) });

    expect(out.status).toBe(403);
    expect((await callerOf(site, here)).kind).toBe('user');
  });
});

describe('passwords', () => {
  it('are changed by a signed-in person who knows the old one; that ends their other sessions', async () => {
    const site = await aSite();
    await anna(site);
    const [here, there] = [await signIn(site, 'Anna', PASSWORD), await signIn(site, 'Anna', PASSWORD)];
    const caller = await callerOf(site, here);
    const next = 'another long one';

    const wrong = await site.world.refuse('admin_change_password', { current: 'nope', password: next }, caller);
    await site.world.ask('admin_change_password', { current: PASSWORD, password: next }, caller);

    expect(wrong.code).toBe('unauthorized');
    expect((await callerOf(site, here)).kind).toBe('user');
    await expect(callerOf(site, there)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await signIn(site, 'Anna', PASSWORD)).status).toBe(401);
    expect((await signIn(site, 'Anna', next)).status).toBe(204);
  });

  it('cannot be guessed in a session: after ten wrong ones, also sent at once, it takes none for a quarter of an hour', async () => {
    const site = await aSite();
    await anna(site);
    const caller = await callerOf(site, await signIn(site, 'Anna', PASSWORD));
    const change = { current: PASSWORD, password: 'another long one' };
    const guess = () => site.world.refuse('admin_change_password', { ...change, current: 'nope' }, caller);

    const codes = (await Promise.all(Array.from({ length: 12 }, guess))).map(({ code }) => code);
    const closed = await site.world.refuse('admin_change_password', change, caller);
    site.world.time.now += 15 * 60_000;
    await site.world.ask('admin_change_password', change, caller);

    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(10);
    expect(closed.code).toBe('rate_limited');
    expect((await signIn(site, 'Anna', change.password)).status).toBe(204);
  });

  it('end the links of their person when they are set', async () => {
    const site = await aSite();
    const user_id = await anna(site);
    const link = await site.newKey({ user_id });

    await site.world.ask('admin_set_password', { user_id, password: 'another good one' });

    expect((await site.get(`/?key=${link}`)).status).toBe(403);
    expect((await site.get(`/?key=${site.key}`)).status).toBe(303);
  });

  it('cannot be set with a token of few rights, which would give it all rights of its person', async () => {
    const { world } = await aSite();
    const user_id = await world.addUser('Anna');
    const token = await world.callerWith({ user_id, scopes: ['board:read'] });

    const refused = await world.refuse('admin_change_password', { password: PASSWORD }, token);

    expect(refused.code).toBe('insufficient_scope');
    expect(await world.store.reads.passwords.exist(world.owner.workspace_id)).toBe(false);
  });

  it('mean one person: two of one name cannot both have one', async () => {
    const site = await aSite();
    await anna(site);
    const second = await site.world.addUser('ANNA');
    const third = await site.world.addUser('Carl');
    await site.world.ask('admin_set_password', { user_id: third, password: PASSWORD });

    const same = await site.world.refuse('admin_set_password', { user_id: second, password: PASSWORD });
    const renamed = await site.world.refuse('admin_update_user', { user_id: third, name: 'anna' });

    expect([same.code, renamed.code]).toEqual(['conflict', 'conflict']);
  });

  it('are nowhere in the database or the audit trail as text', async () => {
    const site = await aSite();
    await anna(site);
    await signIn(site, 'Anna', PASSWORD);

    const trail = JSON.stringify(await site.world.ask('admin_export_audit', {}));
    const kept = await site.world.store.reads.passwords.ofName(site.world.owner.workspace_id, 'anna');

    expect(trail).toContain('admin_set_password');
    expect(trail + JSON.stringify(kept)).not.toContain(PASSWORD);
    expect(
      await site.world.refuse('admin_set_password', { user_id: 'Anna', password: PASSWORD, idempotency_key: 'k' }),
    ).toMatchObject({
      code: 'validation_error',
    });
  });

  it('are not set by a token with fewer rights than their person', async () => {
    const { world } = await aSite();
    const bob = await world.addUser('Bob');
    const narrow = await world.callerWith({ scopes: ['admin', 'board:read'] });

    for (const user_id of [world.owner.user_id, bob]) {
      const refused = await world.refuse('admin_set_password', { user_id, password: PASSWORD }, narrow);
      expect(refused.code).toBe('insufficient_scope');
    }
  });

  it('need ten characters', async () => {
    const { world } = await aSite();
    const user_id = await world.addUser('Anna');

    expect((await world.refuse('admin_set_password', { user_id, password: 'short' })).code).toBe('validation_error');
  });
});

describe('sessions', () => {
  it('of others are seen and ended by admins only', async () => {
    const site = await aSite();
    await anna(site);
    const bob = await site.world.addUser('Bob');
    await site.world.ask('admin_set_password', { user_id: bob, password: PASSWORD });
    const [hers, his] = [await signIn(site, 'Anna', PASSWORD), await signIn(site, 'Bob', PASSWORD)];
    const caller = await callerOf(site, his);
    const session_id = (await callerOf(site, hers)).token_id;

    const seen = await site.world.refuse('admin_list_sessions', { all: true }, caller);
    const ended = await site.world.refuse('admin_end_session', { browser_session_id: session_id }, caller);
    const unknown = await site.world.refuse('admin_end_session', { browser_session_id: bob }, caller);
    const all = await site.world.ask('admin_list_sessions', { all: true });
    await site.world.ask('admin_end_session', { browser_session_id: session_id });

    expect([seen.code, ended.code]).toEqual(['insufficient_scope', 'not_found']);
    expect(ended.message.replace(String(session_id), '')).toBe(unknown.message.replace(bob, ''));
    expect(all.sessions).toHaveLength(2);
    await expect(callerOf(site, hers)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('of an admin who becomes a member end', async () => {
    const site = await aSite();
    const user_id = await anna(site);
    await site.world.ask('admin_update_user', { user_id, role: 'admin' });
    const hers = await signIn(site, 'Anna', PASSWORD);
    expect((await callerOf(site, hers)).scopes.has('admin')).toBe(true);

    await site.world.ask('admin_update_user', { user_id, role: 'member' });

    await expect(callerOf(site, hers)).rejects.toMatchObject({ code: 'unauthenticated' });
    const own = await site.world.refuse('admin_update_user', { user_id: site.world.owner.user_id, role: 'member' });
    expect(own.code).toBe('validation_error');
  });

  it('end with the tokens that could make their person an admin again', async () => {
    const { world } = await aSite();
    const user_id = await world.addUser('Anna');
    await world.ask('admin_update_user', { user_id, role: 'admin' });
    const admin = await world.token({ user_id, scopes: ['admin', 'board:read'] });
    const reader = await world.token({ user_id, scopes: ['board:read'] });

    await world.ask('admin_update_user', { user_id, role: 'member' });

    await expect(world.gateway.authenticate(String(admin.token))).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await world.gateway.authenticate(String(reader.token))).user_id).toBe(user_id);
  });
});
