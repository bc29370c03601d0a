import type { Page } from 'playwright-core';
import { openBoard, openEmpty } from '../browser.ts';
import type { WebFigure } from '../figure.ts';
import { type Act, MARK, react, reactionFinding } from '../reactions.ts';
import { seedAgents, seedBoard } from '../seed.ts';
import { openWebSite } from '../site.ts';

const CARDS = 2_000;
const AGENTS = 20;
const PRESSES = 40;
const WORDS = 'refuse';

const FOCUSED = 'document.activeElement?.dataset?.task';
const NEXT: Act = { key: 'j', shows: FOCUSED };
const ACROSS = (key: string): Act => ({ key, shows: FOCUSED });
const SELECT: Act = { key: 'x', shows: 'document.activeElement?.className' };
const FIELD = 'document.querySelector(\'input[aria-label="Filter by words"]\').value';
const BUTTONS = "[...document.querySelectorAll('.col-body .add')].map((each) => each.textContent).join()";
const COUNTS = "[...document.querySelectorAll('.col-head .num')].map((each) => each.textContent).join()";

/** Loads every card of every column. */
async function loadAll(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: /^Show \d+ more$/ });
  await page.locator('[data-task]').first().waitFor();
  for (let left = 100; left > 0 && (await more.count()) > 0; left -= 1) {
    const [first] = await more.all();
    const shown = JSON.stringify(await page.evaluate<string>(BUTTONS));
    await first?.click();
    await page.evaluate(`probe.until(() => ${BUTTONS} !== ${shown})`);
  }
}

async function times(page: Page, acts: readonly Act[]): Promise<readonly number[]> {
  const taken: number[] = [];
  for (const act of acts) taken.push(await react(page, act));
  return taken;
}

const repeated = (count: number, ...acts: readonly Act[]): readonly Act[] =>
  Array.from({ length: count }, () => acts).flat();

/** How soon the board reacts to keys when it shows two thousand cards. */
export const boardReaction: WebFigure = async ({ browser }) => {
  await using site = await openWebSite();
  const board = await seedBoard(site.ask, 'Shop', CARDS);
  for (const { report } of await seedAgents(site, board, AGENTS)) await report('Read the code');
  await using empty = await openEmpty(browser);
  const bare = await times(empty.page, repeated(PRESSES, MARK));
  await using window = await openBoard(browser, site, `/p/${board.key}`);
  const { page } = window;
  await loadAll(page);
  await page.locator('[data-task]').first().focus();

  const down = await times(page, repeated(PRESSES, NEXT));
  const across = await times(page, repeated(PRESSES / 4, ACROSS('l'), ACROSS('h')));
  const select = await times(page, repeated(PRESSES / 2, SELECT, SELECT));
  await page.keyboard.press('/');
  const typed = await times(
    page,
    [...WORDS].map((key) => ({ key, shows: FIELD })),
  );
  const cleared = await times(
    page,
    [...WORDS].map(() => ({ key: 'Backspace', shows: FIELD })),
  );
  const narrowed: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    narrowed.push(await react(page, { key: '9', shows: COUNTS }));
    narrowed.push(await react(page, { key: 'Backspace', shows: COUNTS }));
  }
  return {
    title: `Reactions of a board with ${CARDS.toLocaleString('en')} cards`,
    how: `All ${CARDS.toLocaleString('en')} cards are loaded and ${AGENTS} agents are at work. From the key until the frame that shows its effect is drawn.`,
    findings: [
      reactionFinding('j: the next card has the focus', down, bare),
      reactionFinding('h, l: the focus goes to another column', across, bare),
      reactionFinding('x: the card is selected', select, bare),
      reactionFinding('a letter in the filter is shown', [...typed, ...cleared], bare),
      reactionFinding('the columns show what is left', narrowed, bare),
    ],
  };
};
