import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { percentile } from '../../polling.ts';
import { type Finding, milliseconds } from '../../report.ts';
import { openBoard, soon } from '../browser.ts';
import type { WebFigure } from '../figure.ts';
import { createStep, seedAgents, seedBoard } from '../seed.ts';
import { openWebSite, startAttempt } from '../site.ts';

const CARDS = 2_000;
/** As many as are in view. */
const AGENTS = 3;
const STEPS = 60;
const MAX_MS = 300;
/** Steps of one agent follow each other at about this distance, so that no two meet the same moment of a timer. */
const PAUSE_MS = 170;

/** Reports a step, and resolves with the milliseconds until the page has drawn it. */
async function seen(page: Page, shows: string, report: () => Promise<unknown>): Promise<number> {
  const drawn = page.evaluate<number>(`probe.until(() => ${shows})`);
  // The page must be waiting before the step is made.
  await page.evaluate('0');
  const begun = performance.timeOrigin + performance.now();
  await report();
  return (await soon(drawn, shows)) - begun;
}

const finding = (subject: string, taken: readonly number[]): Finding => ({
  subject,
  figure: `p50 ${milliseconds(percentile(taken, 0.5))}, p95 ${milliseconds(percentile(taken, 0.95))}`,
  target: `p95 ≤ ${MAX_MS} ms`,
  met: percentile(taken, 0.95) <= MAX_MS,
});

/** How soon a person sees the step of an agent. */
export const stepVisible: WebFigure = async ({ browser }) => {
  await using site = await openWebSite();
  const board = await seedBoard(site.ask, 'Shop', CARDS);
  const agents = await seedAgents(site, board, AGENTS);
  const onBoard: number[] = [];
  {
    await using window = await openBoard(browser, site, `/p/${board.key}`);
    await window.page.locator(`[data-task="${agents[0]?.task_id}"]`).waitFor();
    for (let step = 0; step < STEPS; step += 1) {
      const agent = agents[step % AGENTS];
      if (agent === undefined) break;
      const name = `Step ${step + 1} of the test`;
      const shows = `document.querySelector('[data-task="${agent.task_id}"]')?.textContent.includes('${name}') === true`;
      onBoard.push(await seen(window.page, shows, () => agent.report(name)));
      await sleep(PAUSE_MS + (step % 7) * 30);
    }
  }
  const { attempt_id, token, execution_id } = await startAttempt(site, board.project_id, board.task_ids.at(-4) ?? '');
  const onRun: number[] = [];
  await createStep(site.ask, { execution_id, step_name: 'Begin' }, token);
  await using window = await openBoard(browser, site, `/a/${attempt_id}`);
  await window.page.getByTestId('timeline-step-1').waitFor();
  for (let step = 2; step <= STEPS; step += 1) {
    const shows = `document.querySelector('[data-testid="timeline-step-${step}"]') !== null`;
    const report = () => createStep(site.ask, { execution_id, step_name: `Step ${step}` }, token);
    onRun.push(await seen(window.page, shows, report));
    await sleep(PAUSE_MS);
  }
  return {
    title: 'A step of an agent until a person sees it',
    how: `From before the agent's call is sent until the frame that shows the step is drawn in another process: call, commit, event, and page. The board has ${CARDS.toLocaleString('en')} tasks and ${AGENTS} agents; an agent ends its earlier step by another call before.`,
    findings: [finding('on the card of the board', onBoard), finding('in the timeline of the run', onRun)],
  };
};
