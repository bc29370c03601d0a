import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { createServed } from '../../packages/server/src/testing/served.ts';

/** How long a test waits for what a page shows, on a machine that is busy with other work. */
const PATIENCE_MS = 90_000;

let browser: Promise<Browser> | undefined;

/** What no page may do: it is asserted when the window is closed. */
interface Problems {
  /** Errors that the page logged or threw, and refusals of the content security policy. */
  readonly errors: string[];
  /** Requests to anything but the server of the test. */
  readonly elsewhere: string[];
}

function watch(page: Page, origin: string): Problems {
  const problems: Problems = { errors: [], elsewhere: [] };
  page.on('pageerror', (error) => problems.errors.push(error.message));
  page.on('console', (message) => {
    // The browser itself logs every answer with a status of 400 and above, also those that a test provokes.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) problems.errors.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) problems.elsewhere.push(url);
  });
  return problems;
}

export interface Window {
  readonly page: Page;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** The whole product in memory behind a real listener, and windows of a real browser on it. */
export async function aSite(options: Parameters<typeof createServed>[1] = {}) {
  const served = await createServed({}, { clock: Date.now, ...options });
  const { world, url } = served;

  /** Opens a window of somebody without a session. */
  async function visit(path = '/', context: BrowserContextOptions = {}): Promise<Window> {
    browser ??= chromium.connect(inject('chromium'));
    const opened = await (await browser).newContext({ viewport: { width: 1440, height: 900 }, ...context });
    opened.setDefaultTimeout(PATIENCE_MS);
    const page = await opened.newPage();
    const problems = watch(page, url);
    await page.goto(`${url}${path}`);
    return {
      page,
      [Symbol.asyncDispose]: async () => {
        await opened.close();
        expect(problems).toEqual({ errors: [], elsewhere: [] });
      },
    };
  }

  /** Opens a window that is signed in as the owner, at an address of the board. */
  async function open(path = '/', context: BrowserContextOptions = {}): Promise<Window> {
    const { key } = await world.ask('admin_create_sign_in', {});
    const window = await visit(`/?key=${String(key)}`, context);
    if (path !== '/') await window.page.goto(`${url}${path}`);
    return window;
  }

  return { ...served, open, visit };
}
