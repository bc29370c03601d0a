import { describe, expect, it } from 'vitest';
import { aSite } from '#testing/a-site';

const PASSWORD = 'correct horse battery';
const OWN = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': 'Firefox 150' };

type Site = Awaited<ReturnType<typeof aSite>>;

const post = async ({ web }: Site, path: string, body: unknown, headers: Record<string, string> = OWN) => {
  const answer = await web.request(path, {
    method: 'POST',
    headers: { host: '10.0.0.5:8080', ...headers },
    body: JSON.stringify(body),
  });
  const json = answer.status === 204 ? {} : ((await answer.json()) as { readonly error?: { readonly code: string } });
  return { status: answer.status, code: json.error?.code, cookie: answer.headers.get('set-cookie') };
};

const begin = (site: Site, key: string, name = 'Anna', headers?: Record<string, string>) =>
  post(site, '/signin/first', { key, name, password: PASSWORD }, headers);

describe('the link of the first admin', () => {
  it('gives the admin a name and a password, and signs them in', async () => {
    const site = await aSite();

    const { status, cookie } = await begin(site, site.key, ' Anna ');

    expect(status).toBe(204);
    expect(cookie).toMatch(/^errand_session=errand_user_\w+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(await site.whoIs({ cookie: cookie?.split(';')[0] ?? '' })).toBe(site.world.installation.owner_id);
    expect(await post(site, '/signin', { name: 'anna', password: PASSWORD })).toMatchObject({ status: 204 });
  });

  it('works once, and with it end all links of that admin', async () => {
    const site = await aSite();
    const other = await site.newKey();
    await begin(site, site.key);

    const again = [await begin(site, site.key, 'Eve'), await begin(site, other, 'Eve')];

    expect(again).toMatchObject([
      { status: 409, cookie: null },
      { status: 409, cookie: null },
    ]);
    expect((await site.get(`/?key=${other}`)).status).toBe(403);
    expect(await post(site, '/signin', { name: 'Eve', password: PASSWORD })).toMatchObject({ status: 401 });
  });

  it('signs out the person who has opened another link before', async () => {
    const site = await aSite();
    const opened = await site.get(`/?key=${await site.newKey()}`);
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const before = await site.whoIs({ cookie });

    await begin(site, site.key);

    expect(before).toBe(site.world.installation.owner_id);
    expect(await site.whoIs({ cookie })).toBeNull();
  });

  it('ends after a day', async () => {
    const site = await aSite();
    site.world.time.now += 24 * 60 * 60 * 1_000;

    expect(await begin(site, site.key)).toMatchObject({ status: 404, code: 'not_found', cookie: null });
    expect(await site.world.gateway.hasPasswords()).toBe(false);
  });

  it('is refused for a member, for an unknown key and for a password that is too short, which changes nothing', async () => {
    const site = await aSite();
    const bob = await site.world.addUser('Bob');
    const theirs = await site.newKey({ user_id: bob });

    expect(await begin(site, theirs)).toMatchObject({ status: 404 });
    expect(await begin(site, 'x'.repeat(22))).toMatchObject({ status: 404 });
    expect(await begin(site, 'short')).toMatchObject({ status: 400 });
    const short = await post(site, '/signin/first', { key: site.key, name: 'Anna', password: 'short' });
    expect(short).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await site.world.gateway.hasPasswords()).toBe(false);
    // The key of the refused member was not used up.
    expect((await site.get(`/?key=${theirs}`)).status).toBe(303);
    expect(await begin(site, site.key)).toMatchObject({ status: 204 });
  });

  it('takes no request from a page of another origin, nor from a form', async () => {
    const site = await aSite();
    const form = { ...OWN, 'content-type': 'application/x-www-form-urlencoded' };

    expect(await begin(site, site.key, 'Eve', { ...OWN, 'sec-fetch-site': 'cross-site' })).toMatchObject({
      status: 403,
    });
    expect(await begin(site, site.key, 'Eve', form)).toMatchObject({ status: 415 });
    expect(await site.world.gateway.hasPasswords()).toBe(false);
  });

  it('is used by one of two who open it at once', async () => {
    const site = await aSite();

    const answers = await Promise.all([begin(site, site.key, 'Anna'), begin(site, site.key, 'Eve')]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });
});
