import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { send } from '../../../../test/e2e/http.ts';
import { milliseconds } from '../../report.ts';
import { median } from '../../rounds.ts';
import { openBoard, openEmpty } from '../browser.ts';
import type { WebFigure } from '../figure.ts';
import { seedAgents, seedBoard } from '../seed.ts';
import { openWebSite } from '../site.ts';

const MAX_KILOBYTES = 200;
const MAX_MS = 1_000;
const TASKS = 200;
const AGENTS = 5;
const VIEWS = 7;

/** How much script the page has loaded, as gzip packs it; what loads within a second after the first card counts too. */
async function scriptBytes(page: Page, url: string): Promise<{ readonly bytes: number; readonly files: number }> {
  const scripts = new Set<string>();
  const note = (request: Request): void => void (request.resourceType() === 'script' && scripts.add(request.url()));
  page.on('request', note);
  await page.goto(url);
  await page.locator('[data-task]').first().waitFor();
  await page.waitForTimeout(1_000);
  page.off('request', note);
  let bytes = 0;
  for (const script of scripts) {
    const { origin, pathname } = new URL(script);
    const { text } = await send(origin, { method: 'GET', path: pathname });
    bytes += gzipSync(text, { level: 9 }).length;
  }
  return { bytes, files: scripts.size };
}

/** From the beginning of the navigation, with an empty cache, until the first card is drawn. */
async function viewMs(page: Page, url: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
  await page.goto(url, { waitUntil: 'commit' });
  const at = await page.evaluate<number>("probe.until(() => document.querySelector('[data-task]') !== null)");
  return at - (await page.evaluate<number>('performance.timeOrigin'));
}

/** How much is loaded for the first view, and how long it takes. */
export const firstView: WebFigure = async ({ browser }) => {
  await using site = await openWebSite();
  const board = await seedBoard(site.ask, 'Shop', TASKS);
  for (const { report } of await seedAgents(site, board, AGENTS)) await report('Read the code');
  await using window = await openBoard(browser, site, `/p/${board.key}`);
  const url = `${site.origin}/p/${board.key}`;
  const { bytes, files } = await scriptBytes(window.page, url);
  const taken: number[] = [];
  const bare: number[] = [];
  await using empty = await openEmpty(browser);
  for (let view = 0; view < VIEWS; view += 1) {
    taken.push(await viewMs(window.page, url));
    await empty.page.goto('about:blank', { waitUntil: 'commit' });
    const at = await empty.page.evaluate<number>('probe.until(() => true)');
    bare.push(at - (await empty.page.evaluate<number>('performance.timeOrigin')));
  }
  const kilobytes = bytes / 1_000;
  return {
    title: 'The first view',
    how: `The board of ${TASKS} tasks and ${AGENTS} agents at work, of a person who is signed in, with an empty cache: all scripts that are loaded, each packed by gzip, and the time from the beginning of the navigation until the first card is drawn (median and worst of ${VIEWS}).`,
    findings: [
      {
        subject: `scripts, ${files} files`,
        figure: `${kilobytes.toFixed(0)} kB`,
        target: `≤ ${MAX_KILOBYTES} kB`,
        met: kilobytes <= MAX_KILOBYTES,
      },
      {
        subject: 'first card drawn',
        figure: `${milliseconds(median(taken))}, worst ${milliseconds(Math.max(...taken))}`,
        against: `empty page: ${milliseconds(median(bare))}`,
        target: `≤ ${MAX_MS} ms`,
        met: median(taken) <= MAX_MS,
      },
    ],
  };
};
