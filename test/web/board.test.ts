import { expect, it } from 'vitest';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { aSteeredRun } from '../../packages/server/src/testing/steered.ts';
import { aSite } from './site.ts';

type Made = new (...given: unknown[]) => unknown;

/** Pastes a text into a field. It runs in the browser, whose types tests do not have. */
function paste(field: unknown, text: string): void {
  const browser = globalThis as unknown as { readonly DataTransfer: Made; readonly ClipboardEvent: Made };
  const clipboardData = new browser.DataTransfer() as { setData: (type: string, text: string) => void };
  clipboardData.setData('text', text);
  const event = new browser.ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  (field as { dispatchEvent: (event: unknown) => void }).dispatchEvent(event);
}

it('shows a change by an agent on the board without a reload', async () => {
  await using site = await aSite();
  const { caller, run, task_id } = await aSteeredRun(site.world);
  await using window = await site.open('/p/SHO');
  const card = window.page.getByTestId('card-SHO-1');
  await card.waitFor();

  await site.world.ask('create_step', { execution_id: run.execution_id, step_name: 'Read the code' }, caller);
  await card.getByText('Read the code').waitFor();
  await site.world.ask('update_task', { task_id, title: 'Paint the shop' });
  await card.getByText('Paint the shop').waitFor();

  expect(await window.page.title()).toContain('Board');
});

it('moves a card by keys alone, and back by undo', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  await site.world.ask('create_task', { project_id, title: 'Second' });
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByTestId('card-SHO-2').waitFor();

  for (const key of ['j', 'j', 'm']) await page.keyboard.press(key);
  await page.keyboard.type('progress');
  await page.keyboard.press('Enter');

  await page.getByTestId('column-inprogress').getByTestId('card-SHO-2').waitFor();
  await expect.poll(() => site.world.ask('get_task', { task_id: 'SHO-2' })).toMatchObject({ status: 'inprogress' });
  await page.keyboard.press('Control+z');
  await page.getByTestId('column-todo').getByTestId('card-SHO-2').waitFor();
  await expect.poll(() => site.world.ask('get_task', { task_id: 'SHO-2' })).toMatchObject({ status: 'todo' });
});

it('takes moves back one after the other, each said once, beside the panel of the task', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO?task=SHO-1');
  const { page } = window;
  const said = () => page.locator('.toast p').allTextContents();
  const move = async (state: string) => {
    await page.keyboard.press('m');
    await page.keyboard.type(state);
    await page.keyboard.press('Enter');
  };
  await page.getByRole('dialog').getByRole('heading', { name: 'Fix the login' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  for (const state of ['progress', 'review']) {
    await move(state);
    await page.getByTestId(`column-in${state}`).getByTestId('card-SHO-1').waitFor();
  }
  await page.keyboard.press('Control+z');
  await page.getByTestId('column-inprogress').getByTestId('card-SHO-1').waitFor();

  expect(await said()).toEqual(['Moved SHO-1 to In progress', 'Moved SHO-1 back to In progress']);
  expect(await page.locator('.toast').getByRole('button', { name: 'Undo' }).count()).toBe(1);
  await page.keyboard.press('Control+z');
  await page.getByTestId('column-todo').getByTestId('card-SHO-1').waitFor();
  await page.getByTestId('card-SHO-1').click();
  const [panel, toast] = await Promise.all([
    page.locator('.panel').boundingBox(),
    page.locator('.toast').first().boundingBox(),
  ]);
  expect((toast?.x ?? 0) + (toast?.width ?? 0)).toBeLessThan(panel?.x ?? 0);
});

it('moves the card under the mouse by its key, and lists the keys that take back and open as a page', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO');
  const { page } = window;

  await page.getByTestId('card-SHO-1').hover();
  await page.keyboard.press('m');
  await page.keyboard.type('progress');
  await page.keyboard.press('Enter');

  await page.getByTestId('column-inprogress').getByTestId('card-SHO-1').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Take the last change back').waitFor();
  await page.getByRole('dialog').getByText('Open as page').waitFor();
});

it('moves a card by the mouse, and keeps the place that it was dropped at', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  for (const title of ['Second', 'Third']) await site.world.ask('create_task', { project_id, title });
  await using window = await site.open('/p/SHO');
  const { page } = window;
  const titles = () => page.getByTestId('column-todo').locator('article h3').allTextContents();
  await page.getByTestId('card-SHO-3').waitFor();

  await page.getByTestId('card-SHO-3').dragTo(page.getByTestId('card-SHO-1'), { targetPosition: { x: 40, y: 5 } });

  await expect.poll(titles).toEqual(['Third', expect.any(String), 'Second']);
  await page.reload();
  await page.getByTestId('card-SHO-3').waitFor();
  expect((await titles())[0]).toBe('Third');
});

it('leaves one entry for a card that is dropped at a place of another column', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByTestId('card-SHO-1').waitFor();
  const changes = async () => {
    const { entries } = await site.world.ask('list_task_story', { task_id: 'SHO-1' });
    return (entries as { action: string | null }[]).map(({ action }) => action);
  };
  const before = await changes();

  await page.getByTestId('card-SHO-1').dragTo(page.getByTestId('column-inprogress'));

  await page.getByText('Moved SHO-1').waitFor();
  await expect.poll(() => site.world.ask('get_task', { task_id: 'SHO-1' })).toMatchObject({ status: 'inprogress' });
  await page.keyboard.press('Control+z');
  await expect.poll(() => site.world.ask('get_task', { task_id: 'SHO-1' })).toMatchObject({ status: 'todo' });
  expect(await changes()).toEqual(['update_task', 'update_task', ...before]);
});

it('brings a card back, and says why, when the server refuses a move', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await site.world.ask('admin_update_project', { project_id: 'SHO', completion_gate: 'checkers' });
  await site.world.ask('tasker_update_structured_blocks', {
    issue_id: 'SHO-1',
    idempotency_key: 'blocks',
    action: 'append_checker',
    items: ['Looked at it'],
  });
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByTestId('card-SHO-1').waitFor();

  await page.getByTestId('card-SHO-1').dragTo(page.getByTestId('column-done'));

  await page.getByText('Open checker items').waitFor();
  await page.getByTestId('column-todo').getByTestId('card-SHO-1').waitFor();
  expect(await page.getByText('Moved SHO-1').count()).toBe(0);
  await page.getByText('SHO-1 went back to Todo.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByTestId('composer').waitFor();
});

it('shows the newest completed tasks at first, and the others on demand', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  for (let at = 1; at <= 13; at += 1) {
    await site.world.ask('create_task', { project_id, title: `Ended ${at}`, status: 'done' });
  }
  await using window = await site.open('/p/SHO');
  const done = window.page.getByTestId('column-done');

  await done.getByRole('button', { name: 'Show 2 more' }).waitFor();
  expect(await done.locator('[data-task]').count()).toBe(11);
  await done.getByText('Today 13').waitFor();
  await done.getByRole('button', { name: 'Show 2 more' }).click();

  await done.getByText('Ended 1', { exact: true }).waitFor();
  expect(await done.locator('[data-task]').count()).toBe(13);
  expect(await done.getByRole('button', { name: /^Show/ }).count()).toBe(0);
});

it('adds a task from the head of a column, once more each time', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO');
  const { page } = window;
  const add = page.getByRole('button', { name: 'Add a task to Todo' });

  for (const title of ['Oil the hinge', 'Hang the door']) {
    await add.click();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
  }

  await page.getByTestId('card-SHO-2').getByText('Oil the hinge').waitFor();
  await page.getByTestId('card-SHO-3').getByText('Hang the door').waitFor();
});

it('adds the lines of a pasted list at the foot of a column', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO');
  const { page } = window;

  await page.getByTestId('column-todo').getByRole('button', { name: 'Add task' }).click();
  await page.getByLabel('New task in').evaluate(paste, '- Oil the hinge\n- Hang the door');

  await page.getByTestId('card-SHO-3').getByText('Hang the door').waitFor();
  expect(await page.getByTestId('card-SHO-2').textContent()).toContain('Oil the hinge');
});

it('folds a column, pastes a list into it and copies a link to it by its menu', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO');
  const { page } = window;
  const choose = async (column: string, what: string): Promise<void> => {
    await page.getByRole('button', { name: `${column}: more` }).click();
    await page.getByRole('menuitem', { name: what }).click();
  };
  await page.getByTestId('card-SHO-1').waitFor();

  await choose('Todo', 'Paste a list');
  await page.locator('.quick-add input:focus').evaluate(paste, '- Oil the hinge\n- Hang the door');
  await page.getByTestId('card-SHO-3').getByText('Hang the door').waitFor();
  await choose('Todo', 'Copy a link to it');
  await page.getByText('Copied the link to Todo').waitFor();
  await choose('Todo', 'Fold');
  await page.getByTestId('column-todo').waitFor({ state: 'detached' });
  await page.locator('.col-folded:focus').click();

  await page.getByTestId('column-todo').getByTestId('card-SHO-3').waitFor();
});

it('shows the column that the address names, also where there is room for one', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO#cancelled', { viewport: { width: 390, height: 844 } });

  await window.page.locator('[data-testid="column-cancelled"].here').waitFor();
});

it('answers a question on its card, by the button or its key', async () => {
  await using site = await aSite();
  const { worker, run } = await aSteeredRun(site.world);
  await worker.log.ask(run, {
    kind: 'permission',
    question: 'Run npm test?',
    details: 'npm test',
    options: JSON.stringify([
      { option: 'once', name: 'Allow', kind: 'allow_once' },
      { option: 'no', name: 'Reject', kind: 'reject_once' },
    ]),
  });
  await using window = await site.open('/p/SHO');
  const { page } = window;
  const card = page.getByTestId('card-SHO-1');
  await card.getByText('Run npm test?').waitFor();

  await card.focus();
  await page.keyboard.press('a');

  await expect.poll(() => worker.log.answered(run)).toMatchObject([{ status: 'approved', option: 'once' }]);
  await card.getByText('Needs you').waitFor({ state: 'detached' });
});

it('finds by a filter also the cards that were not read yet', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  const tasks = Array.from({ length: 50 }, (_, at) => ({ ref: `t${at}`, title: `Task ${at}` }));
  for (let call = 0; call < 5; call += 1) await site.world.ask('create_tasks', { project_id, tasks });
  await site.world.ask('create_task', { project_id, title: 'The needle' });
  await using window = await site.open('/p/SHO?q=needle');

  await window.page.getByRole('heading', { name: 'The needle' }).waitFor();

  expect(await window.page.getByTestId('card-SHO-2').count()).toBe(0);
});

it('shows only the filtered cards, and keeps the filter in the address', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  await site.world.ask('create_task', { project_id, title: 'Paint the door', priority: 'urgent' });
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByTestId('card-SHO-1').waitFor();

  await page.keyboard.press('/');
  await page.keyboard.type('paint');

  await page.getByTestId('card-SHO-1').waitFor({ state: 'detached' });
  expect(page.url()).toContain('q=paint');
  await page.reload();
  await page.getByTestId('card-SHO-2').waitFor();
  expect(await page.getByTestId('card-SHO-1').count()).toBe(0);
});

it('finds tasks, commands and docs in the palette, and opens a task over its board', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await site.world.ask('create_task', { project_id: 'SHO', title: 'Retry the webhooks' });
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByText('Retry the webhooks').first().waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByTestId('palette');

  await palette.getByRole('combobox').fill('retry');
  await palette.getByRole('group', { name: 'Docs' }).getByRole('option').first().waitFor();
  await palette.getByRole('option', { name: /Retry the webhooks/ }).waitFor();
  await page.keyboard.press('Enter');

  await page.waitForURL(/\/p\/SHO\?task=SHO-\d+$/);
});

it('shows in the palette who works on a found task, and sends that agent what was typed', async () => {
  await using site = await aSite();
  const { attempt_id } = await aSteeredRun(site.world);
  const { title } = await site.world.ask('get_task', { task_id: 'SHO-1' });
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByTestId('card-SHO-1').waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByTestId('palette');

  await palette.getByRole('combobox').fill(String(title));
  await palette.getByRole('option', { name: 'SHO-1' }).locator('.tile').first().waitFor();
  await palette.getByRole('option', { name: 'as a follow-up' }).locator('kbd').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ControlOrMeta+Enter');

  await page.getByText(/^Sent to/).waitFor();
  expect(await site.world.ask('get_attempt', { attempt_id })).toMatchObject({ messages: [{ text: title }] });
});
