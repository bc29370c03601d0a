import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { anAttempt } from './an-attempt.ts';
import { aSite } from './site.ts';

const CHANGED = [{ path: 'src/retry.ts', lines: ['-const times = 1;', '+const times = 3;'] }];

/** Answers each merge with this. */
const answerMerges = (page: Page, answer: object) =>
  page.route('**/api/v1/board/attempts/*/merge', (route) => route.fulfill({ json: { verdict: null, ...answer } }));

it('says why a merge was refused, and keeps its entry', async () => {
  await using site = await aSite();
  const { end } = await anAttempt(site.world);
  await end(CHANGED);
  await using window = await site.open('/inbox');
  const { page } = window;
  await answerMerges(page, { status: 'refused', reason: 'The branch main has moved. Rebase the attempt.' });

  await page.getByTestId('merge').click();
  const dialog = page.getByTestId('merge-dialog');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).last().click();

  await dialog.getByText('The branch main has moved. Rebase the attempt.', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('merge').waitFor();
});

it('shows the open review comments before a merge, and says that it is merged', async () => {
  await using site = await aSite();
  const { end, attempt_id, repo_id } = await anAttempt(site.world);
  await end(CHANGED);
  const comment = { attempt_id, repo_id, path: 'src/retry.ts', line: 1, side: 'new' };
  await site.world.ask('add_review_comment', { ...comment, text: 'Why three?' });
  await using window = await site.open('/inbox');
  const { page } = window;
  await answerMerges(page, { status: 'merged' });
  await page.getByTestId('merge').waitFor();

  await page.keyboard.press('a');
  const dialog = page.getByTestId('merge-dialog');
  await dialog.getByText('1 review comment is open').waitFor();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).last().click();

  await page.getByText('Merged into main').waitFor();
});

it('keeps the merge of an attempt that changed nothing, with its reason, and opens no dialog', async () => {
  await using site = await aSite();
  const { end } = await anAttempt(site.world);
  await end();
  await using window = await site.open('/inbox');
  const { page } = window;
  const merge = page.getByTestId('merge');
  await page.getByText('Nothing to merge: the attempt changes nothing.').waitFor();

  await page.keyboard.press('a');

  expect(await merge.getAttribute('aria-disabled')).toBe('true');
  expect(await page.getByTestId('merge-dialog').count()).toBe(0);
  await page.goto(`${site.url}/a/SHO-1.1`);
  await page.locator('[data-testid=merge][title^="Nothing to merge"][aria-disabled=true]').waitFor();
});
