import { expect, it } from 'vitest';
import { anAttempt } from './an-attempt.ts';
import { aSite } from './site.ts';

it('waits for the first step, then follows the steps of a run as they come', async () => {
  await using site = await aSite();
  const { step, say } = await anAttempt(site.world);
  await using window = await site.open('/a/SHO-1.1');
  const { page } = window;
  await page.getByText('Waiting for the first step').waitFor();

  await step(1, 'Read the code');
  await page.getByTestId('timeline-step-1').getByText('Read the code').waitFor();
  await step(1, 'Read the code', 'completed');
  await step(2, 'Run the tests');
  await say('command', 'npm test');
  await say('output', Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n'));
  const detail = page.getByRole('region', { name: 'Step 2' });
  await detail.getByText('300 lines', { exact: true }).waitFor();

  await expect.poll(() => detail.getByRole('listitem').count()).toBe(200);
  await detail.getByRole('button', { name: 'Load all 300 lines' }).click();
  await detail.getByText('line 299').waitFor();
  expect(await page.title()).toBe('Attempt 1 · SHO-1 · Errand');
});

it('walks through the steps by keys, and follows the newest again on demand', async () => {
  await using site = await aSite();
  const { step } = await anAttempt(site.world);
  for (const n of [1, 2, 3]) await step(n, `Step ${n}`, n === 3 ? 'running' : 'completed');
  await using window = await site.open('/a/SHO-1.1');
  const { page } = window;
  await page.getByRole('region', { name: 'Step 3' }).waitFor();

  await page.keyboard.press('p');
  await page.getByRole('region', { name: 'Step 2' }).waitFor();
  expect(page.url()).toContain('step=2');
  await page.keyboard.press('n');
  await page.getByRole('region', { name: 'Step 3' }).waitFor();
  await step(4, 'The fourth');
  await page.getByTestId('timeline-step-4').waitFor();
  expect(await page.getByRole('region', { name: 'Step 3' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Follow the newest step' }).click();

  await page.getByRole('region', { name: 'Step 4' }).waitFor();
  expect(page.url()).not.toContain('step=');
});

it('draws only the steps in view of a run with thousands', async () => {
  await using site = await aSite();
  const { step } = await anAttempt(site.world);
  for (let n = 1; n <= 1_000; n += 1) await step(n, `Step ${n}`, 'completed');
  await using window = await site.open('/a/SHO-1.1?step=1');
  const { page } = window;
  await page.getByTestId('timeline-step-1').waitFor();

  expect(await page.locator('.tl-row').count()).toBeLessThan(80);
  await page.locator('.tl-grid').evaluate((grid) => grid.scrollTo(0, 500 * 36));
  await page.getByTestId('timeline-step-500').waitFor();
});

it('opens the feed of an agent that reports no steps, and its timeline on demand', async () => {
  await using site = await aSite();
  const { say, end } = await anAttempt(site.world);
  await say('message', 'I greet.');
  await end();
  await using window = await site.open('/a/SHO-1.1');
  const { page } = window;
  const tabs = page.getByRole('navigation', { name: 'Attempt' });

  await tabs.locator('[aria-current=page]', { hasText: 'Feed' }).waitFor();
  await page.locator('.fr', { hasText: 'I greet.' }).first().waitFor();

  await tabs.getByRole('link', { name: 'Timeline' }).click();
  await tabs.locator('[aria-current=page]', { hasText: 'Timeline' }).waitFor();
});

it('shows the prompt of each run with its author, and folds a long one', async () => {
  await using site = await aSite();
  const { say, end, attempt_id } = await anAttempt(site.world);
  await say('message', 'I greet.');
  await end();
  await using window = await site.open('/a/SHO-1.1?tab=feed');
  const { page } = window;
  const prompts = page.locator('.fr.prompt');
  await prompts.filter({ hasText: 'You work on one task of a board' }).waitFor();
  expect(await prompts.filter({ hasText: 'NOVA_EXECUTION_ID' }).count()).toBe(0);

  await page.getByRole('button', { name: /Show the whole prompt/ }).click();
  await prompts.filter({ hasText: 'NOVA_EXECUTION_ID' }).waitFor();
  await site.world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Greet in French.' });

  await prompts.filter({ hasText: 'Greet in French.' }).waitFor();
});

const CHANGED = [
  { path: 'src/retry.ts', lines: [' const a = 1;', '-const wait = 1;', '+const wait = [1, 5];', ' export { a };'] },
  { path: 'README.md', lines: ['+Hello'] },
];

it('shows the changes, takes a comment on a line, and sends the review as one follow-up', async () => {
  await using site = await aSite();
  const { end, endNext, attempt_id } = await anAttempt(site.world);
  await end(CHANGED);
  await using window = await site.open('/a/SHO-1.1?tab=changes');
  const { page } = window;
  const file = page.getByTestId('diff-file-src/retry.ts');
  await file.locator('mark', { hasText: '[' }).first().waitFor();

  await file.getByRole('button', { name: 'Comment on old line 2' }).click();
  await file.getByRole('textbox').fill('Why was it <b>1</b>?');
  await page.keyboard.press('Control+Enter');
  await file.getByText('Not sent yet').waitFor();
  expect(await file.getByText('Why was it <b>1</b>?').count()).toBe(1);
  await page.getByRole('button', { name: 'Split' }).click();
  await file.getByText('Not sent yet').waitFor();
  await page.getByRole('button', { name: 'Send review' }).click();
  await file.getByText('Sent', { exact: true }).waitFor();

  const { comments } = await site.world.ask('get_attempt', { attempt_id, include: ['comments'] });
  expect(comments).toMatchObject([{ path: 'src/retry.ts', line: 2, side: 'old', status: 'sent' }]);

  await endNext(CHANGED.slice(1));
  await file.waitFor({ state: 'detached' });
  const earlier = page.getByRole('region', { name: 'On earlier versions' });
  await earlier.getByText('Why was it <b>1</b>?').waitFor();
  expect(await earlier.getByText('src/retry.ts').count()).toBe(1);
});

it('copies the path of a changed file, marks it as seen and folds it by its menu', async () => {
  await using site = await aSite();
  const { end } = await anAttempt(site.world);
  await end(CHANGED);
  await using window = await site.open('/a/SHO-1.1?tab=changes');
  const { page } = window;
  const file = page.getByTestId('diff-file-src/retry.ts');
  const choose = async (what: string): Promise<void> => {
    await file.getByRole('button', { name: 'src/retry.ts: more' }).click();
    await page.getByRole('menuitem', { name: what, exact: true }).click();
  };
  await file.locator('mark').first().waitFor();

  await choose('Copy the path');
  await page.getByText('Copied the path').waitFor();
  await choose('Mark as seen');
  await file.getByRole('button', { name: 'Unfold src/retry.ts' }).waitFor();
  await choose('Unfold');
  await file.locator('mark').first().waitFor();

  expect(await file.getByRole('checkbox').getAttribute('aria-checked')).toBe('true');
});

it('keeps refused actions with their reason, and stops a run after asking', async () => {
  await using site = await aSite();
  const { step, end } = await anAttempt(site.world);
  await step(1, 'Work');
  await using window = await site.open('/a/SHO-1.1');
  const { page } = window;
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry.waitFor();

  expect(await retry.getAttribute('title')).toBe('The run has not ended');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: /Merge/ }).getByText('The run has not ended').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  expect(await (await answer).json()).toMatchObject({ stopping: true });

  await end([], 'failed');
  await page.getByText('The agent ended with exit code 3.').waitFor();
  expect(await page.getByTestId('merge').getAttribute('title')).toBe('Nothing to merge: the attempt changes nothing');
});

it('tells the agent what a person writes, by the key R', async () => {
  await using site = await aSite();
  const { step, attempt_id } = await anAttempt(site.world);
  await step(1, 'Work');
  await using window = await site.open('/a/SHO-1.1');
  const { page } = window;
  await page.getByTestId('timeline-step-1').waitFor();

  await page.keyboard.press('r');
  await page.getByTestId('follow-up').getByRole('textbox').fill('Use the table helper.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Sent to scripted').waitFor();

  const { messages } = await site.world.ask('get_attempt', { attempt_id });
  expect(messages).toMatchObject([{ source: 'person', text: 'Use the table helper.' }]);
});

it('folds the feed by turn, filters it, and reads older entries on the way up', async () => {
  await using site = await aSite();
  const { say } = await anAttempt(site.world);
  await say('message', 'The very first words');
  for (let n = 0; n < 5; n += 1) await say('tool_call', ...Array.from({ length: 100 }, (_, at) => `read ${n} ${at}`));
  await say('message', 'Then **I** write');
  await say('edit', 'src/a.ts');
  await using window = await site.open('/a/SHO-1.1?tab=feed');
  const { page } = window;
  const feed = page.getByRole('log', { name: 'Feed' });
  await feed.getByText('src/a.ts').waitFor();
  await feed.locator('strong', { hasText: 'I' }).waitFor();

  await say('question', 'Which port?');
  await feed.getByText('Which port?').waitFor();
  await page.getByRole('button', { name: /^Edits/ }).click();
  await feed.getByText('src/a.ts').waitFor();
  await expect.poll(() => feed.getByText('Which port?').count()).toBe(0);
  await page.getByRole('button', { name: /^All/ }).click();
  await feed.getByText('Which port?').waitFor();
  await expect
    .poll(async () => {
      await feed.evaluate((box) => box.scrollTo(0, 0));
      return feed.getByText('The very first words').count();
    })
    .toBeGreaterThan(0);
});

it('says that there is no such attempt', async () => {
  await using site = await aSite();
  await anAttempt(site.world);
  await using window = await site.open('/a/SHO-1.9');

  await window.page.getByText('There is no attempt SHO-1.9').waitFor();
});

it('shows who was told what in the feed, and what still waits for the agent', async () => {
  await using site = await aSite();
  const { step, say } = await anAttempt(site.world);
  await step(1, 'Read the code');
  await say('edit', 'src/login.ts +11 −3');
  await site.world.ask('follow_up', { attempt_id: 'SHO-1.1', action: 'queue', prompt: 'Then the docs' });
  await site.world.ask('send_message', { attempt_id: 'SHO-1.1', text: 'Mind the tests' });
  await using window = await site.open('/a/SHO-1.1?tab=feed');
  const { page } = window;

  await page.locator('.fr.steer').getByText('Mind the tests').waitFor();
  await page.locator('.fr.edit').getByText('+11').waitFor();
  await site.world.ask('send_message', { attempt_id: 'SHO-1.1', text: 'And the style' });
  const late = page.locator('.fr.steer', { hasText: 'And the style' });
  await late.getByText('owner', { exact: true }).waitFor();
  await late.getByTitle('owner').waitFor();
  await page.getByRole('button', { name: '3 messages wait' }).click();
  const waits = page.getByLabel('What waits for the agent');
  await waits.getByText('Then the docs').waitFor();
  await waits.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: '2 messages wait' }).waitFor();
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.locator('.pin').getByTitle('owner').first().waitFor();
});
