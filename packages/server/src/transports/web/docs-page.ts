import { html, raw } from 'hono/html';
import type { DocPage, DocSection } from './docs.ts';
import type { FoundDoc } from './docs-search.ts';
import { type Html, page } from './page.ts';

const RELATIVE = /^(?:\.\/|\.\.\/(?:guide|reference)\/)?([a-z0-9-]+)\.md(#.*)?$/;

const PICTURE = /^\.\.\/images\/([a-z0-9-]+\.webp)$/;

/** Links between files become links between pages. */
function hrefOf(href: string, suffix = ''): string {
  if (/(^|\/)openapi\.json$/.test(href)) return '/openapi.json';
  if (/^\.\.\/[a-z]+\.yaml$/.test(href)) return `/docs/${href.slice('../'.length)}`;
  const [, picture] = PICTURE.exec(href) ?? [];
  if (picture !== undefined) return `/docs/images/${picture}`;
  const [, name, anchor = ''] = RELATIVE.exec(href) ?? [];
  return name === undefined ? href : `/docs/${name}${suffix}${anchor}`;
}

/** Files of the repository that are no pages here: the text of such a link stays, the link is removed. */
const isElsewhere = (href: string): boolean => /^\.\.?\//.test(href);

/** A page as Markdown. Its links lead to other pages as Markdown. */
export const markdownOf = ({ text }: DocPage): string =>
  text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, name: string, href: string) => {
    const there = hrefOf(href, '.md');
    return isElsewhere(there) ? name : `[${name}](${there})`;
  });

export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/<[^>]+>|&\w+;/g, '')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

async function render({ text: markdown }: DocPage): Promise<string> {
  // Loaded for the first reader, so that callers of tools do not pay for it.
  const { Marked } = await import('marked');
  const marked = new Marked({
    walkTokens: (token) => {
      if (token.type === 'link' || token.type === 'image') token.href = hrefOf(token.href);
    },
    renderer: {
      link({ href, tokens }) {
        return isElsewhere(href) ? this.parser.parseInline(tokens) : false;
      },
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
      },
    },
  });
  const text = await marked.parse(markdown);
  return text
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
}

const contents = (sections: readonly DocSection[], shown: DocPage) =>
  sections.map(
    ({ title, pages, files }) => html`<h2>${title}</h2>
<ul>${[...pages, ...files].map(({ name, title }) =>
      name === shown.name
        ? html`<li><a href="/docs/${name}" aria-current="page">${title}</a></li>`
        : html`<li><a href="/docs/${name}">${title}</a></li>`,
    )}</ul>`,
  );

const searchForm = (query: string): Html => html`<form class="search" action="/docs" role="search">
<label class="hidden" for="q">Search the documentation</label>
<input id="q" name="q" type="search" maxlength="100" placeholder="Search the documentation" value="${query}">
</form>`;

/** The results of a search. */
export const docsFoundPage = (query: string, found: readonly FoundDoc[], version: string): Html =>
  page({
    title: `${query} · Docs · Errand`,
    at: 'docs',
    version,
    body: html`<h1>Documentation</h1>
${searchForm(query)}
<p class="quiet" role="status">${found.length === 0 ? html`No page has all of these words. <a href="/docs">All pages</a>` : html`${found.length} found. <a href="/docs">All pages</a>`}</p>
<ul class="found">${found.map(
      ({ title, page: of, address, line }) => html`<li><a href="${address}">${title}</a>${
        of === title ? '' : html` <span class="quiet">${of}</span>`
      }
<p>${line}</p></li>`,
    )}</ul>`,
  });

export const docsPage = async (sections: readonly DocSection[], shown: DocPage, version: string): Promise<Html> =>
  page({
    title: `${shown.title} · Errand`,
    at: 'docs',
    version,
    body: html`<div class="reading">
<details class="menu"><summary>All pages</summary><nav class="contents" aria-label="Documentation">${contents(sections, shown)}</nav></details>
<nav class="contents" aria-label="Documentation">${searchForm('')}${contents(sections, shown)}</nav>
<article class="text">${raw(await render(shown))}
<p class="quiet"><a href="/docs/${shown.name}.md">This page as Markdown</a></p></article>
</div>`,
  });

export const docsIndexPage = (sections: readonly DocSection[], version: string): Html =>
  page({
    title: 'Docs · Errand',
    at: 'docs',
    version,
    body: html`<h1>Documentation</h1>
${searchForm('')}
<div class="index">${sections.map(
      ({ title, pages, files }) => html`<section><h2>${title}</h2>
<ul>${[...pages, ...files].map(
        ({ name, title, summary }) => html`<li><a href="/docs/${name}">${title}</a>
<p>${summary}</p></li>`,
      )}</ul></section>`,
    )}</div>`,
  });
