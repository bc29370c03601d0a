import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { aSite } from './site.ts';

it('shows a change when it happens, opens it by keys, and links the changed thing', async () => {
  await using site = await aSite();
  const { task_id } = await aBoard(site.world);
  await using window = await site.open('/activity');
  const { page } = window;
  await page.getByRole('row').filter({ hasText: 'created SHO-1' }).waitFor();

  await site.world.ask('update_task', { task_id, title: 'Mend the login' });
  const row = page.getByRole('row').filter({ hasText: 'changed SHO-1 Mend the login' });
  await row.waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'After' }).waitFor();
  await row.getByRole('link').first().click();

  await page.getByText('Mend the login').first().waitFor();
});

it('shows only refused calls, and keeps this filter in the address', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  const made = await site.world.ask('admin_create_agent', {
    name: 'atlas',
    project_ids: [project_id],
    scopes: ['board:read'],
  });
  const caller = await site.world.gateway.authenticate(String(made.token));
  await site.world.refuse('create_task', { project_id, title: 'No' }, caller);
  await using window = await site.open('/activity');
  const { page } = window;

  await page.getByRole('row').filter({ hasText: 'made the agent atlas' }).waitFor();
  await page.getByRole('button', { name: 'Refused' }).click();

  await page.getByRole('row').filter({ hasText: 'was refused' }).getByText('atlas').waitFor();
  await page.getByRole('row').filter({ hasText: 'made the agent' }).first().waitFor({ state: 'detached' });
  expect(page.url()).toContain('refused=true');
});

it('says what was not found as that, and lets choose among the words of the rows', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await site.world.refuse('update_task', { task_id: 'NO-1', title: 'None' });
  await using window = await site.open('/activity');
  const { page } = window;
  await page.getByRole('row').filter({ hasText: 'found nothing by update_task on task NO-1' }).waitFor();

  await page.getByRole('button', { name: 'What', exact: true }).click();
  await page.getByRole('menuitem', { name: 'made the project' }).click();

  await page.waitForURL(/action=admin_add_project/);
  await page.locator('.bar').getByText('made the project').waitFor();
});

it('shows what was done in one project today, and keeps that in the address', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await site.world.ask('admin_add_project', { name: 'Payments', key: 'PAY' });
  await using window = await site.open('/activity');
  const { page } = window;
  const other = page.getByRole('row').filter({ hasText: 'Payments' });
  await other.waitFor();

  await page.getByRole('button', { name: 'When' }).click();
  await page.getByRole('menuitem', { name: /Today/ }).click();
  await page.getByRole('button', { name: 'Project', exact: true }).click();
  await page.getByRole('menuitem', { name: /Shop/ }).click();

  await other.waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'created SHO-1' }).waitFor();
  expect(page.url()).toMatch(/when=today.*project=SHO/);
});

it('checks the chain, and exports the whole log', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/activity');
  const { page } = window;
  await page.getByRole('button', { name: 'Check the chain' }).click();
  await page.getByText(/events, chain intact at/).waitFor();

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);

  const lines = (await text(await file.createReadStream())).trimEnd().split('\n');
  const { entries } = await site.world.ask('admin_verify_audit', {});
  expect(lines).toHaveLength(Number(entries));
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ hash: expect.any(String) });
});

it('says a question and a message in their words, and links the project of a label', async () => {
  await using site = await aSite();
  const { task_id, project_id } = await aBoard(site.world);
  await site.world.ask('ask_person', { task_id, question: 'Which port?', wait_ms: 0 });
  await site.world.ask('admin_add_label', { project_id, name: 'docs' });
  await using window = await site.open('/activity');
  const { page } = window;

  const asked = page.getByRole('row').filter({ hasText: /asked a person on SHO-1/ });
  await asked.getByText('“Which port?”').waitFor();
  const label = page.getByRole('row').filter({ hasText: 'added the label docs' });
  expect(await label.getByRole('link', { name: 'the label docs' }).getAttribute('href')).toBe('/p/SHO/settings');
});

it('exports what the filter shows, and reads earlier events until it has found some', async () => {
  await using site = await aSite();
  const { task_id } = await aBoard(site.world);
  for (let change = 0; change < 120; change += 1) {
    await site.world.ask('update_task', { task_id, title: `Title ${change}` });
  }
  await using window = await site.open('/activity?q=made+the+project');
  const { page } = window;
  await page.getByRole('row').filter({ hasText: 'made the project Shop' }).waitFor();

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);

  expect(file.suggestedFilename()).toBe('errand-activity.jsonl');
  const lines = (await text(await file.createReadStream())).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).action)).toEqual(['admin_add_project']);
});
