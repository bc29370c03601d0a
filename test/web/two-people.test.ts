import { expect, it } from 'vitest';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { aSite } from './site.ts';

it('lets two people work on one card: each sees the other, and neither loses what they wrote', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  const user_id = await site.world.addUser('Anna');
  await site.world.ask('admin_add_member', { project_id, user_id, role: 'member' });
  await using mine = await site.open('/t/SHO-1');
  await using annas = await site.openAs(user_id, '/p/SHO?task=SHO-1');
  const [owner, anna] = [mine.page, annas.page];
  await owner.getByRole('img', { name: 'Anna' }).or(owner.getByTitle('Anna')).first().waitFor();

  // One writes while the other changes the same task.
  await owner.getByRole('button', { name: 'Change the description' }).click();
  await owner.getByLabel('Description').fill('It fails since Monday.');
  await anna.getByText('owner is writing').waitFor();
  await anna.getByRole('button', { name: 'Fix the login' }).click();
  await anna.getByLabel('Title').fill('Mend the login');
  await anna.keyboard.press('Enter');
  await owner.getByRole('button', { name: 'Mend the login' }).waitFor();
  expect(await owner.getByLabel('Description').inputValue()).toBe('It fails since Monday.');
  await owner.keyboard.press('Control+Enter');
  await anna.getByRole('dialog').getByText('It fails since Monday.').waitFor();
  await anna.getByText('owner is writing').waitFor({ state: 'detached' });

  // Both add to it at once.
  const add = async (page: typeof owner, words: string) => {
    await page.getByRole('button', { name: 'Add a criterion' }).click();
    await page.getByRole('textbox', { name: 'Add a criterion' }).fill(words);
    await page.keyboard.press('Enter');
  };
  await Promise.all([add(owner, 'Tests pass'), add(anna, 'Docs say so')]);
  for (const page of [owner, anna]) {
    for (const name of ['Tests pass', 'Docs say so']) await page.getByRole('checkbox', { name }).waitFor();
  }
  await anna.getByRole('checkbox', { name: 'Tests pass' }).click();
  await owner.getByRole('checkbox', { name: 'Tests pass', checked: true }).waitFor();

  const { issue } = await site.world.ask('tasker_get_issue', { issue_id: 'SHO-1' });
  expect(issue).toMatchObject({ name: 'Mend the login' });
  expect(await site.world.ask('get_task', { task_id: 'SHO-1' })).toMatchObject({
    description: 'It fails since Monday.',
  });
  expect(JSON.stringify(issue)).toContain('"text":"Tests pass","checked":true');
  expect(JSON.stringify(issue)).toContain('"text":"Docs say so","checked":false');
});

it('shows the move of one person on the board of the other, with their name', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  const user_id = await site.world.addUser('Anna');
  await site.world.ask('admin_add_member', { project_id, user_id, role: 'member' });
  await using mine = await site.open('/p/SHO');
  await using annas = await site.openAs(user_id, '/p/SHO');
  await mine.page.getByTestId('card-SHO-1').waitFor();
  await annas.page.getByTestId('card-SHO-1').waitFor();

  // It is shown for a second: what appears is kept, so that a slow test sees it too.
  await mine.page.evaluate(`
    globalThis.seen = new Set();
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('.card .by')) seen.add(textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  `);
  await annas.page.getByTestId('card-SHO-1').dragTo(annas.page.getByTestId('column-inprogress'));

  await mine.page.getByTestId('column-inprogress').getByTestId('card-SHO-1').waitFor();
  await expect.poll(() => mine.page.evaluate('[...seen]')).toEqual(['Anna changed this']);
});
