import { expect, it } from 'vitest';
import { anAttempt } from './an-attempt.ts';
import { aSite } from './site.ts';

it('shows what changed between reading the board and opening the stream', async () => {
  await using site = await aSite();
  await anAttempt(site.world);
  await using window = await site.open('/t/SHO-1');
  const { page } = window;
  const opening = Promise.withResolvers<void>();
  await page.route('**/api/v1/events*', async (route) => {
    await opening.promise;
    await route.continue();
  });
  await page.goto(`${new URL(page.url()).origin}/p/SHO`);
  await page.getByRole('heading', { name: 'Fix the login' }).waitFor();

  await site.world.ask('update_task', { task_id: 'SHO-1', title: 'Mend the login' });
  opening.resolve();

  await page.getByRole('heading', { name: 'Mend the login' }).waitFor();
});

it('keeps a step that came while the steps were being read', async () => {
  await using site = await aSite();
  const { step } = await anAttempt(site.world);
  await step(1, 'Read the code');
  await using window = await site.open('/p/SHO');
  const { page } = window;
  const read = Promise.withResolvers<void>();
  const shown = Promise.withResolvers<void>();
  await page.route('**/steps?*', async (route) => {
    const answer = await route.fetch();
    read.resolve();
    await shown.promise;
    await route.fulfill({ response: answer });
  });
  await page.goto(`${new URL(page.url()).origin}/a/SHO-1.1`);

  await read.promise;
  await using other = await site.open('/a/SHO-1.1');
  await step(2, 'Run the tests');
  await step(3, 'Write the docs');
  await other.page.getByTestId('timeline-step-3').waitFor();
  shown.resolve();

  await page.getByTestId('timeline-step-3').waitFor();
  expect(await page.getByTestId('timeline-step-2').count()).toBe(1);
});
