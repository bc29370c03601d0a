import type { Page } from 'playwright-core';
import { it } from 'vitest';
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
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();

  await page.getByText('It was not merged. The branch main has moved. Rebase the attempt.', { exact: true }).waitFor();
  await page.getByTestId('merge').waitFor();
});
