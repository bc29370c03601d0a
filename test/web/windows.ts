import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

/** How long a test waits for what a page shows, on a machine that is busy with other work. */
const PATIENCE_MS = 90_000;

const VIEWPORT = { width: 1440, height: 900 };

/** Runs no script. It has the headers of a page of the board: between pages with other headers the browser changes the process. */
const QUIET_PAGE = '/assets/icon.svg';

let browser: Promise<Browser> | undefined;

/**
 * Windows that tests of this process have closed, cleared for the next test. A new window must compile the scripts of the
 * board, which takes longer than most tests; one that has shown them before has them compiled.
 */
const cleared: Page[] = [];

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

async function newPage(options: BrowserContextOptions): Promise<Page> {
  browser ??= chromium.connect(inject('chromium'));
  const context = await (await browser).newContext({ viewport: VIEWPORT, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}

/** Leaves nothing of a test behind: no cookie, no stored value, no route, no listener, no place of the mouse. */
async function clear(page: Page, origin: string): Promise<void> {
  const context: BrowserContext = page.context();
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${origin}${QUIET_PAGE}`);
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await context.clearCookies();
  await context.clearPermissions();
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize(VIEWPORT);
  await page.mouse.move(0, 0);
  await page.removeAllListeners(undefined, { behavior: 'ignoreErrors' });
}

export interface Window {
  readonly page: Page;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Opens an empty window for the pages of one server. One with options of its own is used by no other test. */
export async function aWindow(origin: string, options?: BrowserContextOptions): Promise<Window> {
  const page = (options === undefined ? cleared.pop() : undefined) ?? (await newPage(options ?? {}));
  const problems = watch(page, origin);
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      const isKept = options === undefined && page.context().pages().length === 1;
      if (isKept) await clear(page, origin);
      else await page.context().close();
      expect(problems, JSON.stringify(problems)).toEqual({ errors: [], elsewhere: [] });
      if (isKept) cleared.push(page);
    },
  };
}
