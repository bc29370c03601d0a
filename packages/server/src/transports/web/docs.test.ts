import { describe, expect, it } from 'vitest';
import { findFile, findPage, readDocs } from './docs.ts';
import { docsPage, markdownOf } from './docs-page.ts';
import { createDocsPictures } from './docs-pictures.ts';

describe('the documentation of this program', () => {
  it('has a title and a first sentence on every page', async () => {
    const sections = await readDocs('http://127.0.0.1:8080');

    const pages = sections.flatMap(({ pages }) => pages);
    expect(sections.map(({ title }) => title)).toEqual(['Guide', 'Reference']);
    expect(pages.filter(({ name, title, summary }) => title === name || summary === '')).toEqual([]);
  });

  it('links only to pages that are there', async () => {
    const sections = await readDocs('http://127.0.0.1:8080');

    const links = sections.flatMap(({ pages }) =>
      pages.flatMap(({ name, text }) =>
        [...text.matchAll(/\]\((?:\.\.\/\w+\/)?([a-z0-9-]+)\.md[^)]*\)/g)].map(([, to = '']) => ({ from: name, to })),
      ),
    );
    expect(links).not.toEqual([]);
    expect(links.filter(({ to }) => findPage(sections, to) === undefined)).toEqual([]);
  });

  it('shows no link to a file that is no page here', async () => {
    const sections = await readDocs('http://127.0.0.1:8080');
    const pages = sections.flatMap(({ pages }) => pages);

    const shown = await Promise.all(
      pages.map(async (page) => `${await docsPage(sections, page, '1.0.0')}${markdownOf(page)}`),
    );

    expect(pages.some(({ text }) => text.includes('](../../'))).toBe(true);
    expect(shown.flatMap((text) => [...text.matchAll(/(?:href="|\]\()\.\.?\/[^")]*/g)].map(([link]) => link))).toEqual(
      [],
    );
  });

  it('has every picture that a page shows', async () => {
    const sections = await readDocs('http://127.0.0.1:8080');
    const picture = createDocsPictures();

    const names = sections.flatMap(({ pages }) =>
      pages.flatMap(({ text }) =>
        [...text.matchAll(/!\[[^\]]*\]\(\.\.\/images\/([^)]+)\)/g)].map(([, name = '']) => name),
      ),
    );

    expect(names).not.toEqual([]);
    const found = await Promise.all(names.map(picture));
    // As pictures of this kind begin.
    expect(found.map((bytes) => bytes?.toString('latin1', 8, 12))).toEqual(names.map(() => 'WEBP'));
  });

  it('holds the description of the Task Manager API that it links to', async () => {
    const sections = await readDocs('http://127.0.0.1:8080');

    expect(findPage(sections, 'executions')?.text).toContain('](../swagger.yaml)');
    expect(findFile(sections, 'swagger.yaml')?.text).toMatch(/^openapi: 3/);
  });

  it('names no address but that of the server', async () => {
    const sections = await readDocs('http://tasks.example');

    const texts = sections.flatMap(({ pages }) => pages.map(({ text }) => text));
    expect(texts.filter((text) => text.includes('http://127.0.0.1:8080'))).toEqual([]);
    expect(texts.join()).toContain('http://tasks.example/mcp');
  });
});
