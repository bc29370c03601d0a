import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../polling.ts';
import { milliseconds } from '../../report.ts';
import { openBoard, openEmpty } from '../browser.ts';
import type { WebFigure } from '../figure.ts';
import { MARK, react, reactionFinding } from '../reactions.ts';
import { seedAgents, seedBoard } from '../seed.ts';
import { openWebSite } from '../site.ts';
import { EVENTS_PER_SECOND, startTraffic } from '../traffic.ts';

const TASKS = 10_000;
const AGENTS = 50;
const SECONDS = 60;
const MAX_TASK_MS = 100;
const SPIN_MS = 10;

interface LongTask {
  readonly at: number;
  readonly ms: number;
}

/** Whether a large board stays smooth while many agents work. */
export const busyBoard: WebFigure = async ({ browser }) => {
  await using site = await openWebSite();
  const board = await seedBoard(site.ask, 'Shop', TASKS);
  const agents = await seedAgents(site, board, AGENTS);
  await using empty = await openEmpty(browser);
  await using window = await openBoard(browser, site, `/p/${board.key}`);
  const { page } = window;
  await page.locator('[data-task]').first().focus();
  await sleep(3_000);

  const traffic = startTraffic(site.ask, board, agents);
  await sleep(2_000);
  await empty.page.evaluate(`void (globalThis.endSpin = probe.spin(${SPIN_MS}))`);
  await page.evaluate('void (probe.longTasks.length = 0)');
  const reactions: number[] = [];
  const bare: number[] = [];
  const until = performance.now() + SECONDS * 1_000;
  for (let turn = 0; performance.now() < until; turn += 1) {
    reactions.push(
      await react(page, { key: turn % 20 < 10 ? 'j' : 'k', shows: 'document.activeElement?.dataset?.task' }),
    );
    bare.push(await react(empty.page, MARK));
    await sleep(500);
  }
  const long = await page.evaluate<readonly LongTask[]>('probe.longTasks');
  const stretches = await empty.page.evaluate<readonly number[]>('endSpin()');
  const events = await traffic.stop();
  const most = long.reduce((worst, { ms }) => Math.max(worst, ms), 0);
  const tooLong = long.filter(({ ms }) => ms > MAX_TASK_MS).length;
  return {
    title: `A board of ${TASKS.toLocaleString('en')} tasks and ${AGENTS} agents`,
    how: `${EVENTS_PER_SECOND} events a second for ${SECONDS} s: steps of the agents, and tasks that are renamed, moved and made. Beside it an empty page works for ${SPIN_MS} ms in every tenth of a second: its longest stretch shows what the machine adds.`,
    findings: [
      {
        subject: `tasks over ${MAX_TASK_MS} ms among ${events.toLocaleString('en')} events`,
        figure: `${tooLong}; over 50 ms: ${long.length}; longest ${milliseconds(most)}`,
        against: `${SPIN_MS} ms on an empty page: p95 ${milliseconds(percentile(stretches, 0.95))}, longest ${milliseconds(Math.max(...stretches))}`,
        target: '0',
        met: tooLong === 0,
      },
      reactionFinding('j, k meanwhile', reactions, bare),
    ],
  };
};
