import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import { openBoard } from '../browser.ts';
import type { WebFigure } from '../figure.ts';
import { seedAgents, seedBoard } from '../seed.ts';
import { openWebSite } from '../site.ts';
import { EVENTS_PER_SECOND, startTraffic } from '../traffic.ts';

const CARDS = 500;
const AGENTS = 20;
/** Lists and caches fill in the first part of the time. */
const PARTS = 6;
const MAX_GROWTH = 0.1;
const MEGABYTE = 1_048_576;

interface Sample {
  readonly megabytes: number;
  readonly nodes: number;
}

/** What is left after everything that nobody needs is gone. */
async function sampleOf(session: CDPSession): Promise<Sample> {
  // What has a finalizer goes with the second collection.
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  return { megabytes: usedSize / MEGABYTE, nodes };
}

/** Whether a page that is left open needs more and more memory. */
export const heap: WebFigure = async ({ browser, minutes }) => {
  await using site = await openWebSite();
  const board = await seedBoard(site.ask, 'Shop', CARDS);
  const agents = await seedAgents(site, board, AGENTS);
  await using window = await openBoard(browser, site, `/p/${board.key}`);
  await window.page.locator('[data-task]').first().waitFor();
  const session = await window.page.context().newCDPSession(window.page);
  const traffic = startTraffic(site.ask, board, agents);
  const samples: Sample[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    await sleep((minutes * 60_000) / PARTS);
    samples.push(await sampleOf(session));
  }
  const events = await traffic.stop();
  const [first = { megabytes: Number.NaN, nodes: 0 }] = samples;
  const last = samples.at(-1) ?? first;
  const growth = last.megabytes / first.megabytes - 1;
  const all = samples.map(({ megabytes }) => megabytes.toFixed(1)).join(', ');
  return {
    title: `Memory over ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} of events`,
    how: `A board that had ${CARDS} tasks and ${AGENTS} agents, at ${EVENTS_PER_SECOND} events a second, one in ten of which makes a task. The heap after a collection of garbage, at the end of each of ${PARTS} equal parts of the time.`,
    findings: [
      {
        subject: `heap after ${events.toLocaleString('en')} events`,
        figure: `${last.megabytes.toFixed(1)} MB (${all})`,
        against: `after the first part: ${first.megabytes.toFixed(1)} MB`,
        ratio: 1 + growth,
        target: `≤ ${(1 + MAX_GROWTH).toFixed(1)} ×`,
        met: growth <= MAX_GROWTH,
      },
      {
        subject: 'DOM nodes',
        figure: last.nodes.toLocaleString('en'),
        against: `after the first part: ${first.nodes.toLocaleString('en')}`,
      },
    ],
  };
};
