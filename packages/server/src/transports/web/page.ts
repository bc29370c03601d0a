import { hash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { STYLE } from './style.ts';

export type Html = ReturnType<typeof html>;

export interface Page {
  readonly title: string;
  /** The part of the site that the page belongs to. */
  readonly at: 'docs' | null;
  readonly version: string;
  readonly body: Html;
}

/** Named by a hash of its content, so that a browser may cache it for ever. */
export const STYLE_PATH = `/assets/${hash('sha256', STYLE, 'hex').slice(0, 16)}.css`;

const BRAND = raw(
  '<svg viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="4.5" fill="currentColor"/>' +
    '<path d="m4.3 8.3 2.5 2.5 4.9-5.4" fill="none" stroke="var(--ground)" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/></svg>',
);

const ICON = raw(
  `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4.5" fill="#0f6b5c"/>' +
      '<path d="m4.3 8.3 2.5 2.5 4.9-5.4" fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  )}">`,
);

const current = (is: boolean) => (is ? raw(' aria-current="page"') : '');

/** The frame of every page. The template escapes all values: text of tasks never becomes markup. */
export const page = ({ title, at, version, body }: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${ICON}
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div class="frame">
<a class="brand" href="/">${BRAND}Errand</a>
<nav aria-label="Main"><a href="/">Board</a><a href="/docs"${current(at === 'docs')}>Docs</a></nav>
</div></header>
<main class="frame" id="content">
${body}
</main>
<footer class="bottom"><div class="frame">
<span>Errand ${version}</span><a href="/openapi.json">OpenAPI</a><a href="/llms.txt">llms.txt</a>
</div></footer>
</body>
</html>`;
