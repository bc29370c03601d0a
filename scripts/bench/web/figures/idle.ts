import { setTimeout as sleep } from 'node:timers/promises';
import { openBoard } from '../browser.ts';
import type { WebFigure } from '../figure.ts';
import { seedBoard } from '../seed.ts';
import { openWebSite } from '../site.ts';

const SECONDS = 60;
const PERIOD = 30;
/** A page that has just been opened is idle when it has asked for nothing for this time. */
const SETTLED_MS = 5_000;

const PAGES: readonly (readonly [subject: string, path: (project: string) => string])[] = [
  ['the board', (project) => `/p/${project}`],
  ['the board with a task open', (project) => `/p/${project}?task=${project}-1`],
  ['the inbox', () => '/inbox'],
];

/** What a page asks for while nothing happens. */
export const idle: WebFigure = async ({ browser }) => {
  await using site = await openWebSite();
  const board = await seedBoard(site.ask, 'Shop', 100);
  const findings = await Promise.all(
    PAGES.map(async ([subject, path]) => {
      await using window = await openBoard(browser, site, path(board.key));
      const asked: string[] = [];
      window.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      do asked.length = 0;
      while ((await sleep(SETTLED_MS, true)) && asked.length > 0);
      await sleep(SECONDS * 1_000);
      const others = asked.filter((each) => each !== '/api/v1/events').length;
      const figure = `${((others * PERIOD) / SECONDS).toFixed(1)} requests`;
      return { subject, figure, target: '≤ 1', met: others * PERIOD <= SECONDS };
    }),
  );
  return {
    title: `Requests of an idle page in ${PERIOD} seconds`,
    how: `Besides the event stream, counted for ${SECONDS} s while nobody does anything.`,
    findings,
  };
};
