import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSite, report } from '#testing/a-site';
import { createWorld } from '#testing/world';
import { createAddressOf } from '#transports/address';
import { createWeb } from './web.ts';

describe('a page of the server itself', () => {
  it('runs no script, loads nothing from other hosts and cannot be framed', async () => {
    const { get } = await aSite();

    const policy = (await get('/docs')).headers.get('content-security-policy');

    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
  });

  it('searches the documentation, for people and for the palette', async () => {
    const { get } = await aSite();

    const page = await (await get('/docs?q=idempotency+retry')).text();
    const { found } = (await (await get('/docs/search.json?q=idempotency')).json()) as { found: { address: string }[] };

    expect(page).toContain('found.');
    expect(page).toContain('value="idempotency retry"');
    expect(found.length).toBeGreaterThan(0);
    expect((await get(found[0]?.address ?? '/')).status).toBe(200);
  });

  it('has a style sheet that exists', async () => {
    const { get } = await aSite();
    const text = await (await get('/docs')).text();

    const [, href = ''] = /rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const style = await get(href);

    expect(style.status).toBe(200);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it('shows only a number for a failure, which the log explains', async () => {
    const { world, key } = await aSite();
    const reported: (string | undefined)[] = [];
    const web = createWeb({
      addressOf: createAddressOf([]),
      gateway: { ...world.gateway, find: () => undefined },
      version: '9.9.9',
      clock: Date.now,
      web_folder: '/nowhere',
      report: (_error, correlation_id) => reported.push(correlation_id),
    });

    const answer = await web.request(`/?key=${key}`);

    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toContain('catalogue');
    expect(reported).toHaveLength(1);
    expect(text).toContain(`Report it with the number ${reported[0]}.`);
  });
});

describe('a page', () => {
  it.each(['/', '/docs', '/docs/rest', '/llms.txt'])('takes no other method than GET and HEAD: %s', async (path) => {
    const { get } = await aSite();

    const refused = await get(path, {}, 'POST');

    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await get(path, {}, 'HEAD')).status).not.toBe(405);
  });
});

describe('an unknown address', () => {
  it('is a page for a browser, and left to the REST API for a program', async () => {
    const { get } = await aSite();

    const page = await get('/no/such', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    const program = await get('/no/such', { accept: '*/*' });

    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('There is no such page');
    expect(program.headers.get('content-type')).not.toContain('text/html');
  });
});

describe('the documentation', () => {
  const folder = { path: '' };
  const site = async () => {
    const world = await createWorld();
    const web = createWeb({
      addressOf: createAddressOf([]),
      gateway: world.gateway,
      version: '9.9.9',
      clock: Date.now,
      report,
      docs_folder: folder.path,
    });
    return (path: string) => web.request(path, { headers: { host: 'tasks.example:9000' } });
  };

  beforeAll(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'errand-docs-'));
    await mkdir(join(folder.path, 'guide'));
    await mkdir(join(folder.path, 'reference'));
    await writeFile(
      join(folder.path, 'guide', 'todo.md'),
      '# Todo lists\n\nYou keep `tasks`.\n\n## Adding a task\n\nPOST `http://127.0.0.1:8080/mcp`, see [errors](../reference/errors.md#not_found) and [the API](../swagger.yaml).\n',
    );
    await writeFile(join(folder.path, 'guide', 'getting-started.md'), '# Getting started\n\nFrom nothing to a call.\n');
    await writeFile(
      join(folder.path, 'reference', 'errors.md'),
      '# Errors\n\nEvery code.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    );
    await mkdir(join(folder.path, 'images'));
    await writeFile(
      join(folder.path, 'guide', 'pictures.md'),
      '# Pictures\n\nOne.\n\n![A board](../images/board.webp)\n',
    );
    await writeFile(join(folder.path, 'images', 'board.webp'), 'a picture');
    await writeFile(join(folder.path, 'swagger.yaml'), 'servers:\n  - url: http://localhost:8080\n');
    await writeFile(join(folder.path, 'secret.md'), '# Not a page\n');
    await writeFile(join(folder.path, 'secret.yaml'), 'not: a page\n');
  });
  afterAll(() => rm(folder.path, { recursive: true, force: true }));

  it('lists its pages, guide first, without a sign-in', async () => {
    const get = await site();

    const text = await (await get('/docs')).text();

    expect(text.indexOf('Getting started')).toBeGreaterThan(-1);
    expect(text.indexOf('Getting started')).toBeLessThan(text.indexOf('Todo lists'));
    expect(text.indexOf('Todo lists')).toBeLessThan(text.indexOf('>Errors<'));
  });

  it('renders a page with the address of this server and links to other pages', async () => {
    const get = await site();

    const text = await (await get('/docs/todo')).text();

    expect(text).toContain('<h2 id="adding-a-task">Adding a task</h2>');
    expect(text).toContain('POST <code>http://tasks.example:9000/mcp</code>');
    expect(text).toContain('href="/docs/errors#not_found"');
  });

  it('gives the source of a page with the same address', async () => {
    const get = await site();

    const answer = await get('/docs/todo.md');

    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await answer.text()).toContain('POST `http://tasks.example:9000/mcp`');
  });

  it('shows its pictures, in pages and in their source', async () => {
    const get = await site();

    const [page, source, picture] = await Promise.all(
      ['/docs/pictures', '/docs/pictures.md', '/docs/images/board.webp'].map(get),
    );

    expect(await page?.text()).toContain('<img src="/docs/images/board.webp" alt="A board">');
    expect(await source?.text()).toContain('![A board](/docs/images/board.webp)');
    expect(picture?.headers.get('content-type')).toBe('image/webp');
    expect(await picture?.text()).toBe('a picture');
  });

  it('has an index for language models', async () => {
    const get = await site();

    const text = await (await get('/llms.txt')).text();

    expect(text).toContain('- [Todo lists](http://tasks.example:9000/docs/todo.md): You keep tasks.');
  });

  it('gives the description of the Task Manager API with the address of this server', async () => {
    const get = await site();

    const answer = await get('/docs/swagger.yaml');

    expect(answer.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(await answer.text()).toBe('servers:\n  - url: http://tasks.example:9000\n');
  });

  it('leads to the description of the Task Manager API from its index, its pages and their sources', async () => {
    const get = await site();

    const texts = await Promise.all(
      ['/docs', '/docs/todo', '/docs/todo.md', '/llms.txt'].map(async (path) => (await get(path)).text()),
    );

    expect(texts[0]).toContain('<a href="/docs/swagger.yaml">Task Manager API</a>');
    expect(texts[1]).toContain('<a href="/docs/swagger.yaml">the API</a>');
    expect(texts[2]).toContain('[the API](/docs/swagger.yaml)');
    expect(texts[3]).toContain('- [Task Manager API](http://tasks.example:9000/docs/swagger.yaml): ');
  });

  it('serves nothing but its pages', async () => {
    const get = await site();

    const answers = await Promise.all(
      [
        '/docs/secret',
        '/docs/secret.md',
        '/docs/secret.yaml',
        '/docs/..%2fsecret.md',
        '/docs/nothing',
        '/docs/images/nothing.webp',
        '/docs/images/..%2fsecret.md',
        '/docs/images/..%2fimages%2fboard.webp',
        '/docs/errors.txt',
      ].map(get),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });
});
