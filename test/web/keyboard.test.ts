import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { aBoard, aWorker } from '../../packages/server/src/testing/attempts.ts';
import { aSite } from './site.ts';

const MOST_TABS = 120;
/** Each key waits for the page: on a busy machine the whole way takes minutes. */
const LONG_MS = 600_000;

const isFocused = (of: Locator): Promise<boolean> =>
  of.evaluate(
    (element) =>
      element === (element as unknown as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
  );

/** Goes to a control as a person without a mouse does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if (await isFocused(control)) return;
    await page.keyboard.press('Tab');
  }
  expect.unreachable(`Tab does not lead to ${control}`);
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Chooses an item of the open menu. */
async function choose(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  const focused = page.locator('[role=menuitem]:focus');
  while (!(await isFocused(item))) {
    const before = await focused.textContent();
    await page.keyboard.press('ArrowDown');
    // The menu moves the focus later than the key.
    await expect.poll(() => focused.textContent()).not.toBe(before);
  }
  await page.keyboard.press('Enter');
}

/** Runs a command of the palette. */
async function command(page: Page, words: string, found: string, key = 'Enter'): Promise<void> {
  await press(page, 'Control+k');
  await page.getByTestId('palette').locator('input:focus').waitFor();
  await page.keyboard.type(words);
  await page.getByTestId('palette').locator('[data-highlighted]', { hasText: found }).waitFor();
  await press(page, key);
}

it(
  'leads through the whole loop by the keyboard alone',
  async () => {
    await using site = await aSite();
    await aBoard(site.world);
    const worker = await aWorker(site.world);
    await using window = await site.open('/p/SHO');
    const { page } = window;
    const task = () => site.world.ask('get_task', { task_id: 'SHO-2' });
    await page.getByTestId('card-SHO-1').waitFor();

    // A new task, moved and opened from the board.
    await press(page, 'c');
    await page.getByTestId('new-task-dialog').locator('input:focus').waitFor();
    await page.keyboard.type('Oil the hinge');
    await press(page, 'Enter');
    await page.getByTestId('card-SHO-2').waitFor();
    await press(page, 'j', 'j');
    await page.locator('[data-testid=card-SHO-2]:focus').waitFor();
    await press(page, 'm');
    await page.locator('.menu input:focus').waitFor();
    await page.keyboard.type('progress');
    await press(page, 'Enter');
    await expect.poll(task).toMatchObject({ title: 'Oil the hinge', status: 'inprogress' });
    await page.getByTestId('column-inprogress').locator('[data-testid=card-SHO-2]:focus').waitFor();
    await press(page, 'Enter');
    const panel = page.getByRole('dialog', { name: 'SHO-2' });
    await panel.getByRole('heading', { name: 'Oil the hinge' }).waitFor();

    // A comment, and an agent.
    await tabTo(page, page.getByTestId('composer'));
    await page.keyboard.type('With a *thin* oil');
    await press(page, 'Control+Enter');
    await panel.locator('.said em').getByText('thin').waitFor();
    await press(page, 'Escape');
    await tabTo(page, panel.getByRole('button', { name: 'More' }));
    await press(page, 'Enter');
    await choose(page, 'Start an attempt');
    const start = page.getByTestId('start-attempt');
    await start.getByRole('checkbox', { name: 'Scripted agent', checked: true }).waitFor();
    await tabTo(page, start.getByRole('button', { name: 'Start attempt' }));
    await press(page, 'Enter');
    await start.waitFor({ state: 'detached' });
    const run = await worker.take();
    await worker.beginSpawn(run);

    // Its question, answered in words.
    const agent = await site.world.gateway.authenticate(run.secret);
    await site.world.ask('ask_person', { question: 'Which oil?', wait_ms: 0 }, agent);
    await panel.getByRole('heading', { name: 'Which oil?' }).waitFor();
    await press(page, 'r');
    await page.locator('textarea[aria-label=Reply]:focus').waitFor();
    await page.keyboard.type('Olive');
    await press(page, 'Control+Enter');
    await panel.getByRole('heading', { name: 'Which oil?' }).waitFor({ state: 'detached' });
    const { messages } = await site.world.ask('get_attempt', { attempt_id: 'SHO-2.1', include: ['whole'] });
    expect(messages).toMatchObject([{ text: expect.stringContaining('Olive') }]);
    await press(page, 'Escape');
    await panel.waitFor({ state: 'detached' });
    await page.locator('[data-testid=card-SHO-2]:focus').waitFor();

    // The palette leads to a task and to the settings.
    await command(page, 'hinge', 'Oil the hinge', 'Control+Enter');
    await page.waitForURL('**/t/SHO-2');
    await command(page, 'settings', 'Go to Settings');
    const name = page.getByLabel('Name of the workspace');
    await tabTo(page, name);
    await press(page, 'Control+a');
    await page.keyboard.type('Harbour');
    await press(page, 'Enter');
    await page.getByRole('navigation', { name: 'Main', exact: true }).getByText('Harbour').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Help' }));
    await press(page, 'Enter');
    await press(page, 'Enter');
    await page.getByRole('dialog').getByText('Search or run a command').waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  },
  LONG_MS,
);
