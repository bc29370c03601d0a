import { expect, it } from 'vitest';
import { aSteeredRun } from '../../packages/server/src/testing/steered.ts';
import { aSite } from './site.ts';

const OPTIONS = JSON.stringify([
  { option: 'once', name: 'Allow', kind: 'allow_once' },
  { option: 'no', name: 'Reject', kind: 'reject_once' },
]);

/** A site whose agent waits for permissions. */
async function aWaitingSite(...questions: readonly string[]) {
  const site = await aSite();
  const { worker, run, caller } = await aSteeredRun(site.world);
  const ask = (question: string) =>
    worker.log.ask(run, { kind: 'permission', question, details: 'npm test', options: OPTIONS });
  for (const question of questions) await ask(question);
  return { site, worker, run, caller, ask };
}

it('answers a permission by its key, counts less, and says in the end that nothing needs a person', async () => {
  const { site, worker, run } = await aWaitingSite('Run npm test?');
  await using _ = site;
  await using window = await site.open('/inbox');
  const { page } = window;
  await page.getByRole('heading', { name: 'Run npm test?' }).waitFor();
  await expect.poll(() => page.title()).toBe('(1) Inbox · Errand');
  expect(await page.locator('link[rel="icon"]').getAttribute('href')).toBe('/assets/icon-waiting.svg');

  await page.keyboard.press('a');

  await expect.poll(() => worker.log.answered(run)).toMatchObject([{ status: 'approved', option: 'once' }]);
  await page.getByText('Nothing needs you.').waitFor();
  await page.getByLabel('Running now').getByText('SHO-1').waitFor();
  await expect.poll(() => page.title()).toBe('Inbox · Errand');
});

it('shows a question that comes while the page is open, and answers it in words', async () => {
  const { site, caller } = await aWaitingSite();
  await using _ = site;
  await using window = await site.open('/inbox');
  const { page } = window;
  await page.getByText('Nothing needs you.').waitFor();
  const asked = site.world.ask('ask_person', { question: 'Which port?', wait_ms: 30_000 }, caller);
  await page.getByRole('heading', { name: 'Which port?' }).waitFor();

  await page.keyboard.press('r');
  await page.keyboard.type('8080');
  await page.keyboard.press('Control+Enter');

  expect(await asked).toMatchObject({ status: 'answered', text: '8080' });
  await page.getByText('Nothing needs you.').waitFor();
});

it('denies several at once', async () => {
  const { site, worker, run } = await aWaitingSite('One?', 'Two?', 'Three?');
  await using _ = site;
  await using window = await site.open('/inbox');
  const { page } = window;
  await page.getByRole('heading', { name: 'Three?' }).waitFor();

  for (const key of ['x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('d');

  await page.getByRole('heading', { name: 'One?' }).waitFor();
  await expect
    .poll(async () => (await worker.log.answered(run)).map(({ status }) => status))
    .toEqual(['denied', 'denied']);
});

it('brings an entry back, and says why, when its answer is refused', async () => {
  const { site } = await aWaitingSite('Run npm test?');
  await using _ = site;
  await using window = await site.open('/inbox');
  const { page } = window;
  const heading = page.getByRole('heading', { name: 'Run npm test?' });
  await heading.waitFor();
  const refusal = { error: { code: 'conflict', message: 'It was answered elsewhere.', retryable: false } };
  await page.route('**/api/v1/board/approvals/*', (route) => route.fulfill({ status: 409, json: refusal }));

  await page.getByRole('button', { name: 'Reject' }).last().click();

  await page.getByText('It was answered elsewhere.').waitFor();
  await heading.waitFor();
});

it('shows failures and finished work by kind, and retries', async () => {
  const { site, worker, run } = await aWaitingSite();
  await using _ = site;
  await worker.finish(run, { status: 'failed', reason: 'exit 3' }, []);
  await using window = await site.open('/inbox');
  const { page } = window;
  await page.getByRole('button', { name: 'Failed 1' }).click();
  await page.waitForURL(/kind=failed/);
  await page.getByRole('heading', { name: 'exit 3' }).waitFor();

  await page.keyboard.press('a');

  await page.getByText('A new run begins').waitFor();
  await expect.poll(async () => (await worker.take()).execution_id).not.toBe(run.execution_id);
});

it('shows what has waited longest first, and keeps that in the address', async () => {
  const { site } = await aWaitingSite('One?', 'Two?');
  await using _ = site;
  await using window = await site.open('/inbox');
  const { page } = window;
  await page.getByRole('heading', { name: 'Two?' }).waitFor();

  await page.getByRole('button', { name: 'Newest' }).click();

  await page.getByRole('heading', { name: 'One?' }).waitFor();
  await page.waitForURL(/order=oldest/);
  await page.reload();
  await page.getByRole('button', { name: 'Oldest' }).waitFor();
  await page.getByRole('heading', { name: 'One?' }).waitFor();
});
