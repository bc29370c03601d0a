import { setTimeout as sleep } from 'node:timers/promises';
import { openBoard } from '../browser.ts';
import type { WebFigure } from '../figure.ts';
import { seedAgents, seedBoard } from '../seed.ts';
import { openWebSite } from '../site.ts';

const SECONDS = 90;
const PERIOD = 30;

/** What a page asks for while nothing happens. */
export const idle: WebFigure = async ({ browser }) => {
  await using site = await openWebSite();
  const board = await seedBoard(site.ask, 'Shop', 100);
  const [agent] = await seedAgents(site, board, 1);
  await agent?.report('Read the code');
  const findings = [];
  for (const [subject, path] of [
    ['the board', `/p/${board.key}`],
    ['the board with a task open', `/p/${board.key}?task=${board.key}-1`],
    ['the inbox', '/inbox'],
  ] as const) {
    await using window = await openBoard(browser, site, path);
    await window.page.waitForLoadState();
    await sleep(3_000);
    const asked: string[] = [];
    window.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await sleep(SECONDS * 1_000);
    const others = asked.filter((each) => each !== '/api/v1/events').length;
    findings.push({
      subject,
      figure: `${((others * PERIOD) / SECONDS).toFixed(1)} requests`,
      target: '≤ 1',
      met: others * PERIOD <= SECONDS,
    });
  }
  return {
    title: `Requests of an idle page in ${PERIOD} seconds`,
    how: `Besides the event stream, counted for ${SECONDS} s while nobody does anything.`,
    findings,
  };
};
