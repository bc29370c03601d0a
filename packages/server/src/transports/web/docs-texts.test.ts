import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocsTexts } from './docs-texts.ts';

const folder = { path: '' };
const PAGE = '# Todo lists\n\nYou keep tasks.\n\nPOST `http://127.0.0.1:8080/mcp`, or `http://localhost:8080/mcp`.\n';

describe('texts of the documentation', () => {
  beforeAll(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'errand-docs-'));
    await mkdir(join(folder.path, 'guide'));
    await writeFile(join(folder.path, 'guide', 'todo.md'), PAGE);
  });
  afterAll(() => rm(folder.path, { recursive: true }));

  it('contain the address of the request', async () => {
    const docs = createDocsTexts('1.2.3', folder.path);

    const [one, other, markdown, llms] = await Promise.all([
      docs.page('todo', 'http://localhost:1'),
      docs.page('todo', 'https://tasks.example'),
      docs.markdown('todo', 'http://localhost:3'),
      docs.llms('http://localhost:4'),
    ]);

    expect(one?.match(/http:[^<]*\/mcp/g)).toEqual(['http://localhost:1/mcp', 'http://localhost:1/mcp']);
    expect(other).toContain('https://tasks.example/mcp');
    expect(markdown).toBe(PAGE.replaceAll(/http:\/\/[^/]*8080/g, 'http://localhost:3'));
    expect(llms).toContain('http://localhost:4/docs/todo.md');
    expect([one, other, markdown, llms].join()).not.toContain('invalid');
  });

  it('are made once, whatever the address', async () => {
    const docs = createDocsTexts('1.2.3', folder.path);
    await docs.page('todo', 'http://localhost:1');
    await writeFile(join(folder.path, 'guide', 'todo.md'), '# Another page\n\nIt came later.\n');

    const later = await docs.page('todo', 'http://localhost:2');
    await writeFile(join(folder.path, 'guide', 'todo.md'), PAGE);

    expect(later).toContain('http://localhost:2/mcp');
    expect(later).not.toContain('It came later');
  });

  it('do not exist under other names', async () => {
    const docs = createDocsTexts('1.2.3', folder.path);

    expect(await docs.page('nothing', '')).toBeUndefined();
    expect(await docs.markdown('nothing', '')).toBeUndefined();
    expect(await docs.file('nothing', '')).toBeUndefined();
  });
});
