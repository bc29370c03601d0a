import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSite } from '#testing/a-site';

const SCRIPT = `console.log('${'board '.repeat(100)}')`;
const PAGE = '<!doctype html><title>Errand</title>';

const folder = { path: '' };
const site = () => aSite({ web_folder: join(folder.path, 'web') });

beforeAll(async () => {
  folder.path = await mkdtemp(join(tmpdir(), 'errand-web-'));
  await mkdir(join(folder.path, 'web', 'assets'), { recursive: true });
  await writeFile(join(folder.path, 'web', 'index.html'), PAGE);
  await writeFile(join(folder.path, 'web', 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder.path, 'web', 'assets', 'main-B3x_9.js'), SCRIPT);
  await writeFile(join(folder.path, 'web', 'assets', 'main-B3x_9.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder.path, 'web', 'assets', 'main-B3x_9.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder.path, 'web', 'assets', 'main.css'), 'a{}');
  await writeFile(join(folder.path, 'secret.js'), 'secret');
});
afterAll(() => rm(folder.path, { recursive: true, force: true }));

describe('the web app', () => {
  it.each([
    '/',
    '/inbox',
    '/p/API',
    '/p/API/tasks',
    '/p/API/settings',
    '/t/API-12',
    '/a/0198',
    '/runs',
    '/agents',
    '/agents/0198',
    '/activity',
    '/settings',
    '/ops',
    '/signin',
  ])('is the page at %s, for visitors too', async (path) => {
    const { get } = await site();

    const answer = await get(path);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toBe(PAGE);
  });

  it('runs its own scripts and styles only, talks to this server only, and cannot be framed', async () => {
    const { get } = await site();

    const { headers } = await get('/');

    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'none'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('still signs a browser in by a link', async () => {
    const { get, key } = await site();

    const answer = await get(`/?key=${key}`);

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  });

  it('is asked for again and not sent again while it is the same', async () => {
    const { get } = await site();

    const first = await get('/inbox');
    const second = await get('/inbox', { 'if-none-match': `W/"other", ${first.headers.get('etag')}` });

    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect([second.status, await second.text()]).toEqual([304, '']);
  });

  it('has files that a browser keeps for ever, compressed as the browser can read them', async () => {
    const { get } = await site();
    const as = async (encoding: string) => {
      const answer = await get('/assets/main-B3x_9.js', { 'accept-encoding': encoding });
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
    };

    const [brotli, gzip, plain] = [await as('gzip, br'), await as('gzip, br;q=0'), await as('')];

    expect(brotli.answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(brotli.answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect([brotli, gzip, plain].map(({ answer }) => answer.headers.get('content-encoding'))).toEqual([
      'br',
      'gzip',
      null,
    ]);
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(SCRIPT);
    expect(gunzipSync(gzip.bytes).toString()).toBe(SCRIPT);
    expect(plain.bytes.toString()).toBe(SCRIPT);
    expect(new Set([brotli, gzip, plain].map(({ answer }) => answer.headers.get('etag'))).size).toBe(3);
    expect((await get('/assets/main.css', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBeNull();
  });

  it('has an icon beside its page', async () => {
    const { get } = await site();

    const icon = await get('/favicon.svg');

    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it.each([
    '/assets/../index.html',
    '/assets/..%2f..%2fsecret.js',
    '/assets/..%5c..%5csecret.js',
    '/assets/%2e%2e/%2e%2e/secret.js',
    '/assets/.js',
    '/assets/main',
    '/assets/nothing.js',
    '/assets/main-B3x_9.js.br',
    '/..%2fsecret.js',
    '/assets/main.css%00.js',
    '/assets',
    '/index.html',
  ])('serves nothing at %s', async (path) => {
    const { get } = await site();

    const answer = await get(path);

    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('secret"');
  });

  it('takes only GET and HEAD', async () => {
    const { get } = await site();

    const refused = await get('/p/API', {}, 'POST');
    const looked = await get('/p/API', {}, 'HEAD');

    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect([looked.status, await looked.text()]).toEqual([200, '']);
  });

  it('names the command that builds it while it is not built', async () => {
    const { get } = await aSite();

    const answer = await get('/p/API');

    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build');
  });
});
