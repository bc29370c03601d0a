import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../chromium.ts';
import type { WebSite } from './site.ts';

const PROBE = join(import.meta.dirname, 'probe.js');

/** As long as a slow machine needs for a page. */
const PATIENCE_MS = 120_000;
const SOON_MS = 20_000;

/** Rejects when what should be seen at once does not come at all. */
export function soon<Value>(coming: Promise<Value>, what: string): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Not seen within ${SOON_MS} ms: ${what}`)), SOON_MS);
  return Promise.race([coming, promise]).finally(() => clearTimeout(timer));
}

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: [...CHROMIUM_FLAGS, '--enable-precise-memory-info'] });

export interface BenchWindow extends AsyncDisposable {
  readonly page: Page;
}

async function openWindow(browser: Browser, url: string): Promise<BenchWindow> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript({ path: PROBE });
  const page = await context.newPage();
  await page.goto(url);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens a window of the owner, who is signed in, at an address of the board. */
export async function openBoard(browser: Browser, { origin, ask }: WebSite, path: string): Promise<BenchWindow> {
  const { key } = await ask('admin_create_sign_in', {});
  const window = await openWindow(browser, `${origin}/?key=${String(key)}`);
  await window.page.goto(`${origin}${path}`);
  return window;
}

const EMPTY = '<!doctype html><title>Empty</title><button id="mark" data-at="0">0</button>';

/** A page with one button in the same browser: what it needs is what the browser and the machine need. */
export async function openEmpty(browser: Browser): Promise<BenchWindow> {
  const window = await openWindow(browser, 'about:blank');
  await window.page.setContent(EMPTY);
  await window.page.evaluate(`addEventListener('keydown', () => {
    const mark = document.getElementById('mark');
    mark.textContent = mark.dataset.at = String(Number(mark.dataset.at) + 1);
  })`);
  return window;
}
