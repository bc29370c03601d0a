import { expect, it } from 'vitest';
import { aBoard, aWorker } from '../../packages/server/src/testing/attempts.ts';
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

it('shows the time that is chosen, and keeps that in the address', async () => {
  await using site = await aSite();
  await using window = await site.open('/ops');
  const { page } = window;
  await page.getByLabel('The last hour').waitFor();

  await page.getByRole('button', { name: '7 d' }).click();

  await page.getByLabel('The last 7 days').waitFor();
  await page.waitForURL(/range=7d/);
  await page.reload();
  await page.getByLabel('The last 7 days').waitFor();
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

it('stands in three columns on a usual screen, and shows the ten tools that are called most until all are asked for', async () => {
  await using site = await aSite();
  const { task_id, project_id } = await aBoard(site.world);
  for (const name of ['get_task', 'update_task', 'list_task_attempts', 'get_context', 'todo_list_tasks', 'list_runs']) {
    await site.world.call(name, { task_id, project_id });
  }
  for (const name of ['list_repos', 'list_tasks', 'next_task', 'admin_show_me', 'admin_show_workspace']) {
    await site.world.call(name, { project_id });
  }
  await using window = await site.open('/ops');
  const { page } = window;
  await page.getByTestId('tool-get_task').waitFor();

  const tops = await page
    .locator('.ops-cols > div')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  expect(await page.locator('[data-testid^=tool-]').count()).toBe(10);
  await page.getByRole('button', { name: /^Show all/ }).click();
  expect(await page.locator('[data-testid^=tool-]').count()).toBeGreaterThan(10);
});

it('draws the runs that wait with the number from which on somebody should act, and says what that is', async () => {
  await using site = await aSite();
  const { task_id, repo_id } = await aBoard(site.world);
  await aWorker(site.world);
  for (let run = 0; run < 3; run += 1) {
    await site.world.ask('start_task_attempt', { task_id, executor: 'scripted', repos: [{ repo_id }] });
  }
  await using window = await site.open('/ops');
  const { page } = window;

  await page.getByRole('figure', { name: 'Runs waiting: Waiting 3' }).getByText('alarm at 10').waitFor();
  expect(await page.getByLabel('Vital signs').textContent()).toContain('3 waiting');
});
