import { html } from 'hono/html';
import type { Failure } from '#gateway/outcome';
import { type Html, page } from './page.ts';

const NEW_LINK = html`<p>A link with a key signs one browser in. Errand prints one when it starts; for a new link at any time, run <code>errand open</code> in a terminal on the machine of the server (<code>npx errand open</code> in its checkout). For another person: <code>errand open --user NAME</code>.</p>
<p class="quiet">Programs and agents do not sign in here: they send a token. <a href="/docs/tokens">Tokens</a> says how to make one.</p>`;

interface Note {
  readonly title: string;
  readonly body: Html;
  readonly kind?: 'failed';
}

const note = (version: string, { title, body, kind }: Note): Html =>
  page({
    title: `${title} · Errand`,
    at: null,
    version,
    body: html`<section class="note ${kind ?? ''}"><h1>${title}</h1>
${body}</section>`,
  });

export const usedKeyPage = (version: string): Html =>
  note(version, {
    title: 'This link does not open any more',
    body: html`<p>Its key was used already, or has expired.</p>
${NEW_LINK}`,
  });

export const databaseAwayPage = (version: string): Html =>
  note(version, {
    title: 'The database is not answering',
    body: html`<p>Nothing is lost: what was confirmed is stored. Errand goes on by itself as soon as the database is back.</p>
<p><a href="">Try again</a></p>`,
    kind: 'failed',
  });

export const failurePage = (version: string, { error }: Failure): Html =>
  note(version, {
    title: 'That did not work',
    body: html`<p>${error.message}</p>
${error.hint === undefined ? '' : html`<p>${error.hint}</p>`}
<p class="quiet">${error.code} · ${error.correlation_id}</p>
<p><a href="/">Back to the board</a></p>`,
    kind: 'failed',
  });

export const notBuiltPage = (version: string): Html =>
  note(version, {
    title: 'The board is not built',
    body: html`<p>This server runs from a checkout in which the pages of the board were not built yet. Build them, then load this page again:</p>
<pre tabindex="0"><code>npm run build</code></pre>
<p class="quiet">MCP, the REST API and the command line work without them. <a href="/docs">Documentation</a></p>`,
    kind: 'failed',
  });

export const noSuchPage = (version: string): Html =>
  note(version, {
    title: 'There is no such page',
    body: html`<p>Nothing is at this address.</p>
<p><a href="/">Board</a> · <a href="/docs">Documentation</a></p>`,
  });
