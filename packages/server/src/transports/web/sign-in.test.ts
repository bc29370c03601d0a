import { describe, expect, it } from 'vitest';
import { aSite, report, tokensOf } from '#testing/a-site';
import { createAddressOf } from '#transports/address';
import { createWeb } from './web.ts';

describe('signing in', () => {
  it('turns the key into a cookie of a token that ends after 30 days, and removes it from the address', async () => {
    const { world, key, get } = await aSite();

    const answer = await get(`/?key=${key}`);

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^errand_session=errand_user_\w+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(await tokensOf(world)).toMatchObject([{ kind: 'user', expires_at: '2026-01-31T00:00:00.000Z' }]);
  });

  it('gives an admin the rights to administer, a member those of their projects, and nobody those of an app', async () => {
    const { world, newKey, get } = await aSite();
    const user_id = await world.addUser('Anna');

    await get(`/?key=${await newKey()}`);
    await get(`/?key=${await newKey({ user_id })}`);

    const scopes = (await tokensOf(world)).map((token) => token.scopes as readonly string[]);
    expect(scopes.map((held) => held.includes('admin'))).toEqual([true, false]);
    expect(scopes.every((held) => held.includes('board:run') && !held.includes('todo:act_as'))).toBe(true);
  });

  it('works once: the same key does nothing for a second browser', async () => {
    const { world, key, get } = await aSite();
    await get(`/?key=${key}`);

    const again = await get(`/?key=${key}`);

    expect(again.status).toBe(403);
    expect(again.headers.get('set-cookie')).toBeNull();
    expect(await again.text()).toContain('errand open');
    expect(await tokensOf(world)).toHaveLength(1);
  });

  it('accepts only one of many requests with the same key', async () => {
    const { world, key, get } = await aSite();

    const answers = await Promise.all(Array.from({ length: 10 }, () => get(`/?key=${key}`)));

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await tokensOf(world)).toHaveLength(1);
  });

  it('refuses a wrong key and keeps the right one valid', async () => {
    const { key, get } = await aSite();

    const wrong = await get(`/?key=${key.slice(1)}x`);
    const right = await get(`/?key=${key}`);

    expect(wrong.status).toBe(403);
    expect(right.status).toBe(303);
  });

  it('sends a signed-in browser to the Inbox, whatever the key', async () => {
    const { get, signIn } = await aSite();
    const headers = await signIn();

    const answer = await get('/?key=used', headers);

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/');
  });

  it('keeps the key valid after a HEAD request', async () => {
    const { key, get } = await aSite();

    await get(`/?key=${key}`, {}, 'HEAD');

    expect((await get(`/?key=${key}`)).status).toBe(303);
  });

  it('keeps the key valid when the token of the browser cannot be written', async () => {
    const { world, key, get } = await aSite();
    const { block, unblock } = { block: 'admin_block_user', unblock: 'admin_unblock_user' };
    const user_id = await world.addUser('Anna');
    const theirs = String((await world.ask('admin_create_sign_in', { user_id })).key);
    await world.ask(block, { user_id });

    const blocked = await get(`/?key=${theirs}`);
    await world.ask(unblock, { user_id });

    expect(blocked.status).toBe(400);
    expect((await get(`/?key=${theirs}`)).status).toBe(303);
    expect((await get(`/?key=${key}`)).status).toBe(303);
  });

  it('says that the database is away, and signs nobody in', async () => {
    const { world, key, get } = await aSite();
    await world.store.close();

    const answer = await get(`/?key=${key}`);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('signs a browser in on every server of the database', async () => {
    const { world, key, get, whoIs } = await aSite();
    const second = createWeb({
      addressOf: createAddressOf([]),
      gateway: world.gateway,
      version: '9.9.9',
      clock: Date.now,
      report,
      web_folder: '/nowhere',
    });
    const headers = { host: '127.0.0.1:8082' };

    const opened = await second.request(`/?key=${key}`, { headers });
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

    expect(opened.status).toBe(303);
    expect((await get(`/?key=${key}`)).status).toBe(403);
    expect(await whoIs({ cookie })).toBe(world.owner.user_id);
  });

  it('refuses a key after a day', async () => {
    const { world, key, get } = await aSite();

    world.time.now += 24 * 60 * 60 * 1000;

    expect((await get(`/?key=${key}`)).status).toBe(403);
  });

  it('signs a browser in as the user of the newest link, until that user is blocked', async () => {
    const { world, newKey, get, signIn, whoIs } = await aSite();
    const user_id = await world.addUser('Anna');
    const owner = await signIn();

    const opened = await get(`/?key=${await newKey({ user_id })}`, owner);
    const anna = { cookie: (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
    const before = await whoIs(anna);
    await world.ask('admin_block_user', { user_id });

    expect(before).toBe(user_id);
    expect(await whoIs(anna)).toBeNull();
    expect(await whoIs(owner)).toBe(world.owner.user_id);
  });

  it('writes nothing for a forged key', async () => {
    const { world, get } = await aSite();
    const before = (await world.ask('admin_list_audit', {})).events;

    for (const key of ['x', 'x'.repeat(22), 'x'.repeat(300)]) expect((await get(`/?key=${key}`)).status).toBe(403);

    expect((await world.ask('admin_list_audit', {})).events).toEqual(before);
  });

  it('sets a cookie that no other host can set, over HTTPS', async () => {
    const { key, get } = await aSite();
    const secure = { 'x-forwarded-proto': 'https' };

    const opened = await get(`/?key=${key}`, secure);
    const cookie = opened.headers.get('set-cookie') ?? '';
    const pair = cookie.split(';')[0] ?? '';

    expect(cookie).toMatch(/^__Host-errand_session=\w+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect((await get('/?key=used', { ...secure, cookie: pair })).status).toBe(303);
    expect((await get('/?key=used', { ...secure, cookie: pair.replace('__Host-', '') })).status).toBe(403);
  });
});
