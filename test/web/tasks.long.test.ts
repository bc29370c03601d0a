import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { aSite } from './site.ts';

/** A board with three tasks of different priorities. */
async function aTable(site: Awaited<ReturnType<typeof aSite>>): Promise<void> {
  const { project_id } = await aBoard(site.world);
  await site.world.ask('create_task', { project_id, title: 'Paint the door', priority: 'low' });
  await site.world.ask('create_task', { project_id, title: 'Oil the hinge', priority: 'urgent' });
}

it('lists tasks, sorts and groups them, and keeps that in the address', async () => {
  await using site = await aSite();
  await aTable(site);
  await using window = await site.open('/p/SHO/tasks');
  const { page } = window;
  const keys = () => page.locator('.tbl.tasks a.key').allTextContents();
  await page.getByTestId('row-SHO-3').waitFor();

  await page.getByRole('button', { name: 'Priority', exact: true }).last().click();

  await expect.poll(async () => (await keys()).slice(0, 2)).toEqual(['SHO-3', 'SHO-2']);
  await page.getByRole('button', { name: 'Group' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Priority' }).click();
  await page.getByRole('rowheader', { name: 'Urgent 1' }).waitFor();
  expect(page.url()).toMatch(/sort=priority&group=priority/);
  await site.world.ask('update_task', { task_id: 'SHO-2', priority: 'urgent' });
  await page.getByRole('rowheader', { name: 'Urgent 2' }).waitFor();
});

it('selects by keys, moves what is selected, and takes it back', async () => {
  await using site = await aSite();
  await aTable(site);
  await using window = await site.open('/p/SHO/tasks');
  const { page } = window;
  await page.getByTestId('row-SHO-3').waitFor();
  const statuses = () =>
    Promise.all(
      ['SHO-1', 'SHO-2', 'SHO-3'].map(async (task_id) => (await site.world.ask('get_task', { task_id })).status),
    );

  for (const key of ['j', 'x', 'j', 'x', 'm']) await page.keyboard.press(key);
  await page.keyboard.type('progress');
  await page.keyboard.press('Enter');

  await page.getByText('Moved 2 tasks to In progress').waitFor();
  await expect.poll(async () => (await statuses()).filter((status) => status === 'inprogress').length).toBe(2);
  await page.keyboard.press('Control+z');
  await expect.poll(statuses).toEqual(['todo', 'todo', 'todo']);
});

it('edits and deletes rows that are selected by mouse, and names the refused ones', async () => {
  await using site = await aSite();
  await aTable(site);
  await site.world.ask('admin_update_project', { project_id: 'SHO', completion_gate: 'checkers' });
  await site.world.ask('tasker_update_structured_blocks', {
    issue_id: 'SHO-1',
    idempotency_key: 'blocks',
    action: 'append_checker',
    items: ['Looked at it'],
  });
  await using window = await site.open('/p/SHO/tasks');
  const { page } = window;
  const bar = page.getByRole('toolbar', { name: 'Selected' });

  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await bar.getByText('3 selected').waitFor();
  await bar.getByRole('button', { name: 'State' }).click();
  await page.getByRole('menuitem', { name: 'Done' }).click();

  await page.getByText('1 of 3 tasks refused. SHO-1: Open checker items').waitFor();
  await page.getByTestId('row-SHO-1').getByText('Todo').waitFor();
  await page.getByTestId('row-SHO-2').getByText('Done').waitFor();
  await page.getByRole('checkbox', { name: 'Select SHO-2' }).click();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete 1 task' }).click();
  await page.getByTestId('row-SHO-2').waitFor({ state: 'detached' });
  expect(await page.getByTestId('row-SHO-3').count()).toBe(1);
});

it('downloads the shown rows as a file for spreadsheets', async () => {
  await using site = await aSite();
  await aTable(site);
  await using window = await site.open('/p/SHO/tasks?q=paint');
  const { page } = window;
  await page.getByTestId('row-SHO-2').waitFor();

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);

  expect(file.suggestedFilename()).toBe('SHO-tasks.csv');
  expect((await text(await file.createReadStream())).split('\r\n')).toEqual([
    expect.stringMatching(/^key,title,state,priority/),
    expect.stringMatching(/^SHO-2,Paint the door,Todo,low,/),
    '',
  ]);
});

it('draws only the rows in view of many, and reaches all of them by keys', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  const titles = Array.from({ length: 249 }, (_, at) => `Task ${at + 2}`);
  for (let at = 0; at < titles.length; at += 50) {
    const tasks = titles.slice(at, at + 50).map((title) => ({ ref: title, title }));
    await site.world.ask('create_tasks', { project_id, tasks });
  }
  await using window = await site.open('/p/SHO/tasks?sort=key');
  const { page } = window;
  await page.getByText('250 tasks').waitFor();
  await page.getByTestId('row-SHO-1').waitFor();

  expect(await page.locator('[data-row]').count()).toBeLessThan(80);
  for (let at = 0; at < 60; at += 1) await page.keyboard.press('j');
  await page.locator('[data-testid="row-SHO-60"]:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/t/SHO-60');
});

it('saves a view under a name, and shows it again after a reload', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  await site.world.ask('create_task', { project_id, title: 'Paint the door' });
  await using window = await site.open('/p/SHO/tasks?q=paint&sort=title');
  const { page } = window;
  await page.getByTestId('row-SHO-2').waitFor();

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('To paint');
  await page.keyboard.press('Enter');
  await page.getByText('Saved the view To paint').waitFor();
  await page.goto(`${site.url}/p/SHO/tasks`);
  await page.getByTestId('row-SHO-1').waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'To paint' }).click();

  await page.getByTestId('row-SHO-1').waitFor({ state: 'detached' });
  await page.getByTestId('row-SHO-2').waitFor();
  expect(new URL(page.url()).search).toContain('q=paint');
});
