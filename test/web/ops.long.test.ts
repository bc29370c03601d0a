import { expect, it } from 'vitest';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { aSite } from './site.ts';

it('shows an admin how the server runs: calls by tool, refusals and the queue', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await site.world.refuse('get_task', { task_id: 'NO-1' });
  await using window = await site.open('/ops');
  const { page } = window;

  await page.getByTestId('tool-get_task').getByText('1', { exact: true }).first().waitFor();
  await page.getByText('not_found', { exact: true }).waitFor();
  expect(await page.getByLabel('Vital signs').textContent()).toContain('0 running');
  expect(await page.title()).toBe('Operations · Errand');
});

it('says why the figures could not be read, and reads them again', async () => {
  await using site = await aSite();
  await using window = await site.open('/settings');
  const { page } = window;
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.route('**/api/v1/operations?*', (route) =>
    route.fulfill({
      status: 400,
      json: { error: { code: 'validation_error', message: 'Out of order.', retryable: false, correlation_id: 'c-1' } },
    }),
  );

  for (const key of ['g', 'o']) await page.keyboard.press(key);
  await page.getByText('Out of order.').waitFor();
  await page.unroute('**/api/v1/operations?*');
  await page.getByRole('button', { name: 'Retry' }).click();

  await page.getByLabel('Vital signs').waitFor();
});

it('tells a member which right it needs', async () => {
  await using site = await aSite();
  const { user_id } = await site.world.ask('admin_add_user', { name: 'Ana Ruiz' });
  await using window = await site.openAs(String(user_id), '/ops');
  const { page } = window;

  await page.getByText('this page needs the scope admin').waitFor();
});

it('shows the calls of the time that is chosen, and keeps that in the address', async () => {
  await using site = await aSite();
  await using window = await site.open('/ops');
  const { page } = window;
  await page.getByLabel(/^Calls of the last 15 min/).waitFor();

  await page.getByRole('button', { name: '24 h' }).click();

  await page.getByLabel(/^Calls of the last 24 h/).waitFor();
  await page.waitForURL(/range=24h/);
  await page.reload();
  await page.getByLabel(/^Calls of the last 24 h/).waitFor();
});

it('shows names of tools and the scale whole, and no duration of a tool that waits', async () => {
  await using site = await aSite();
  await site.world.refuse('tail_attempt', { attempt_id: 'NO-1.1' });
  await site.world.refuse('tasker_update_structured_blocks', { issue_id: 'NO-1', blocks: [] });
  await using window = await site.open('/ops');
  const { page } = window;
  await page.getByTestId('tool-tail_attempt').getByText('waits for news of a run').waitFor();

  for (const width of [1_700, 1_440, 1_280, 1_000]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await page
      .locator('.toolt td:first-child')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      );
    const gaps = await page.locator('.scale i').evaluateAll((labels) => {
      const boxes = labels.map((label) => label.getBoundingClientRect());
      return boxes.slice(1).map((box, at) => box.left - (boxes[at]?.right ?? 0));
    });

    expect([width, cut, Math.min(...gaps) > 4]).toEqual([width, [], true]);
  }
});

it('keeps the runs of the last minutes when another time is chosen, at minutes that differ', async () => {
  await using site = await aSite();
  await using window = await site.open('/ops');
  const { page } = window;
  const axis = () => page.getByRole('figure', { name: /^Runs/ }).locator('.xs span').allTextContents();
  await page.getByLabel('Vital signs').waitFor();

  const before = await axis();
  expect(new Set(before).size).toBe(5);
  await page.route('**/api/v1/operations?*', () => new Promise(() => undefined));
  await page.getByRole('button', { name: '24 h' }).click();
  await page.getByLabel(/^Calls of the last 24 h/).waitFor();

  expect(await axis()).toEqual(before);
});
