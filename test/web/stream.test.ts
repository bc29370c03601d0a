import { expect, it } from 'vitest';
import { anAttempt } from './an-attempt.ts';
import { aSite } from './site.ts';

it('says that it connects again while the server is away, and then shows all that happened, nothing twice', async () => {
  await using site = await aSite();
  const { say, step, project_id, task_id } = await anAttempt(site.world);
  await say('message', 'Before the cut');
  await using board = await site.open('/p/SHO');
  await using attempt = await site.open('/a/SHO-1.1?tab=feed');
  const feed = attempt.page.getByRole('log', { name: 'Feed' });
  const dots = [board, attempt].map(({ page }) => page.getByTestId('live-dot'));
  const cards = () => board.page.locator('article[data-testid^=card-] h3').allTextContents();
  await board.page.getByTestId('card-SHO-1').waitFor();
  await feed.getByRole('paragraph').getByText('Before the cut').waitFor();

  const start = await site.stop();
  for (const title of ['Second', 'Third']) await site.world.ask('create_task', { project_id, title });
  await site.world.ask('update_task', { task_id, title: 'Mend the login' });
  await site.world.ask('delete_task', { task_id: 'SHO-3' });
  await step(1, 'Read the code');
  for (const words of ['One', 'Two', 'Three']) await say('message', words);
  for (const dot of dots) await dot.getByText('Reconnecting…').waitFor();
  expect(await cards()).toEqual(['Fix the login']);
  await using _ = await start();

  for (const dot of dots) await dot.getByText(/^Live/).waitFor();
  await board.page.getByTestId('card-SHO-1').getByText('Read the code').waitFor();
  await expect.poll(async () => (await cards()).toSorted()).toEqual(['Mend the login', 'Second']);
  await feed.getByText('Three', { exact: true }).waitFor();
  await say('message', 'After the cut');
  await feed.getByText('After the cut').waitFor();
  await expect
    .poll(() => feed.locator('.fr.message .fr-b').allTextContents())
    .toEqual(['Before the cut', 'One', 'Two', 'Three', 'After the cut']);
});

it('keeps the page when one of its scripts cannot be loaded, and loads it later', async () => {
  await using site = await aSite();
  const { say } = await anAttempt(site.world);
  await say('message', 'See **this**');
  await using attempt = await site.open('/settings');
  let isAway = true;
  await attempt.page.route(/\/assets\/markdown-/, (route) => (isAway ? route.abort() : route.continue()));
  await attempt.page.goto(`${site.url}/a/SHO-1.1?tab=feed`);
  const feed = attempt.page.getByRole('log', { name: 'Feed' });
  await feed.getByText('See **this**').waitFor();
  await attempt.page.getByTestId('live-dot').getByText(/^Live/).waitFor();
  isAway = false;
  await feed.locator('strong', { hasText: 'this' }).waitFor();
});
