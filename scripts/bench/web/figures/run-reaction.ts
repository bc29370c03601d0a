import { openBoard, openEmpty } from '../browser.ts';
import type { WebFigure } from '../figure.ts';
import { type Act, MARK, react, reactionFinding } from '../reactions.ts';
import { createStep, eachOf, seedBoard } from '../seed.ts';
import { openWebSite, startAttempt } from '../site.ts';

const STEPS = 10_000;
const PRESSES = 40;

const CHOSEN = "document.querySelector('.tl-row[aria-current=true]')?.dataset.testid";
const ACTS: readonly (Act & { readonly subject: string })[] = [
  { subject: 'p: the step before is chosen', key: 'p', shows: CHOSEN },
  { subject: 'n: the next step is chosen', key: 'n', shows: CHOSEN },
];

/** How soon the page of a run with ten thousand steps reacts. */
export const runReaction: WebFigure = async ({ browser }) => {
  await using site = await openWebSite();
  const board = await seedBoard(site.ask, 'Shop', 1);
  const { attempt_id, token, execution_id } = await startAttempt(site, board.project_id, board.task_ids[0] ?? '');
  await eachOf(STEPS, async (at) => {
    const step_id = await createStep(site.ask, { execution_id, step_name: `Look at file ${at + 1}` }, token);
    await site.ask('update_step', { execution_id, step_id, status: 'completed' }, token);
  });
  await using empty = await openEmpty(browser);
  await using window = await openBoard(browser, site, `/a/${attempt_id}`);
  const { page } = window;
  await page.getByTestId(`timeline-step-${STEPS}`).waitFor();

  const bare: number[] = [];
  for (let press = 0; press < PRESSES; press += 1) bare.push(await react(empty.page, MARK));
  const findings = [];
  for (const { subject, ...act } of ACTS) {
    const taken: number[] = [];
    for (let press = 0; press < PRESSES; press += 1) taken.push(await react(page, act));
    findings.push(reactionFinding(subject, taken, bare));
  }
  return {
    title: `Reactions of a run with ${STEPS.toLocaleString('en')} steps`,
    how: 'The timeline of an attempt whose agent has reported so many steps and still works. From the key until the frame that shows its effect is drawn.',
    findings,
  };
};
