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

it('finishes an attempt that changed nothing by the key A, and says why it is not merged', async () => {
  await using site = await aSite();
  const { end } = await anAttempt(site.world);
  await end();
  await using window = await site.open('/inbox');
  const { page } = window;
  await page.getByText('Nothing to merge: the attempt changes nothing.').waitFor();
  await page.getByTestId('finish').waitFor();

  await page.keyboard.press('a');

  await page.getByText('Moved SHO-1 to Done').waitFor();
  expect(await site.world.ask('get_task', { task_id: 'SHO-1' })).toMatchObject({ status: 'done' });
  expect(await site.world.ask('list_inbox', {})).toMatchObject({ rows: [] });
  await page.goto(`${site.url}/a/SHO-1.1`);
  await page.locator('[data-testid=merge][title^="Nothing to merge"][aria-disabled=true]').waitFor();
});
