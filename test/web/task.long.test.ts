import { expect, it } from 'vitest';
import { aBoard, anExecutor, aWorker } from '../../packages/server/src/testing/attempts.ts';
import { aSteeredRun } from '../../packages/server/src/testing/steered.ts';
import { aSite } from './site.ts';

it('opens a task over the board, goes to the next one, to its page and back, by keys alone', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  for (const title of ['Second', 'Third']) await site.world.ask('create_task', { project_id, title });
  await using window = await site.open('/p/SHO');
  const { page } = window;
  const panel = page.getByRole('dialog');
  await page.getByTestId('card-SHO-1').focus();

  await page.keyboard.press('Enter');
  await panel.getByRole('heading', { name: 'Fix the login' }).waitFor();
  await page.keyboard.press('j');
  await panel.getByRole('heading', { name: 'Second' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await panel.getByRole('heading', { name: 'Fix the login' }).waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await panel.waitFor();
  await page.keyboard.press('Control+Enter');

  await page.waitForURL(/\/t\/SHO-1$/);
  await page.getByRole('complementary', { name: 'Properties' }).waitFor();
  expect(await page.title()).toContain('SHO-1 Fix the login');
});

it('changes what tools change: title, text, criteria, priority and state', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/t/SHO-1');
  const { page } = window;
  const task = () => site.world.ask('get_task', { task_id: 'SHO-1' });

  await page.getByRole('button', { name: 'Fix the login' }).click();
  await page.getByLabel('Title').fill('Mend the login');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change the description' }).click();
  await page.getByLabel('Description').fill('It **fails** with <b>tags</b>.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Add a criterion' }).click();
  await page.keyboard.type('Tests pass');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'Tests pass' }).click();
  await page.getByRole('button', { name: 'No priority' }).click();
  await page.getByRole('menuitem', { name: 'High' }).click();
  await page.getByRole('button', { name: 'Todo' }).click();
  await page.getByRole('menuitem', { name: 'In progress' }).click();

  await expect.poll(task).toMatchObject({
    title: 'Mend the login',
    description: 'It **fails** with <b>tags</b>.',
    priority: 'high',
    status: 'inprogress',
  });
  const { issue } = await site.world.ask('tasker_get_issue', { issue_id: 'SHO-1' });
  expect(JSON.stringify(issue)).toContain('"text":"Tests pass","checked":true');
  expect(await page.locator('.prose').first().textContent()).toBe('It fails with <b>tags</b>.');
});

it('keeps a criterion that is added and ticked while another changes the task', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/t/SHO-1');
  const { page } = window;
  let others = 0;
  await page.route('**/tasker/issues/*/blocks', async (route) => {
    if (others < 2) await site.world.ask('update_task', { task_id: 'SHO-1', description: `Change ${++others}` });
    await route.continue();
  });

  await page.getByRole('button', { name: 'Add a criterion' }).click();
  await page.keyboard.type('Tests pass');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Docs are true');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'Docs are true' }).click();

  const kept = async () => JSON.stringify(await site.world.ask('tasker_get_issue', { issue_id: 'SHO-1' }));
  await expect.poll(kept).toContain('"text":"Docs are true","checked":true');
  expect(await kept()).toContain('"text":"Tests pass","checked":false');
  expect(others).toBe(2);
});

it('comments, and sends words to the agent, which are shown until it has read them', async () => {
  await using site = await aSite();
  const { hear } = await aSteeredRun(site.world);
  await using window = await site.open('/p/SHO?task=SHO-1');
  const { page } = window;
  const panel = page.getByRole('dialog');

  await panel.getByRole('button', { name: 'Comment' }).click();
  await page.getByTestId('composer').fill('A *kind* comment');
  await page.getByTestId('send').click();
  await panel.locator('.said em').getByText('kind').waitFor();
  await panel.getByRole('button', { name: 'Send to agent' }).click();
  await page.getByTestId('composer').fill('Mind the tests');
  await page.keyboard.press('Control+Enter');

  await panel.locator('.queued').getByText('Mind the tests').waitFor();
  expect(await hear()).toMatchObject([{ text: 'Mind the tests' }]);
  await panel.locator('.queued').getByText('Delivered').waitFor();
  await hear();
  await panel
    .locator('.queued')
    .getByText(/^Read \d/)
    .waitFor();
});

it('begins a further text with its heading', async () => {
  await using site = await aSite();
  await aSteeredRun(site.world);
  await using window = await site.open('/p/SHO?task=SHO-1');
  const { page } = window;
  await page.getByRole('button', { name: 'Add a text' }).click();

  await page.keyboard.type('Plan');
  await page.getByLabel('Text', { exact: true }).fill('First the door.');
  await page.keyboard.press('Control+Enter');

  await page.getByRole('heading', { name: 'Plan' }).waitFor();
});

it('scrolls to a comment that was sent while the panel shows another part', async () => {
  await using site = await aSite();
  await aSteeredRun(site.world);
  const description = Array.from({ length: 80 }, (_, at) => `Line ${at}`).join('\n\n');
  await site.world.ask('update_task', { task_id: 'SHO-1', description });
  await using window = await site.open('/p/SHO?task=SHO-1');
  const { page } = window;
  const panel = page.getByRole('dialog');
  await panel.getByText('Line 79').waitFor();
  const top = () => page.evaluate<number>("document.querySelector('.panel-body').scrollTop");
  await panel.getByRole('region', { name: 'Activity' }).waitFor();
  expect(await top()).toBe(0);

  await panel.getByRole('button', { name: 'Comment' }).click();
  await page.getByTestId('composer').fill('Well done');
  await page.getByTestId('send').click();

  await panel.locator('.said').getByText('Well done').waitFor();
  await expect.poll(top).toBeGreaterThan(0);
});

it('begins with words to the agent on each task, whatever was chosen on the task before', async () => {
  await using site = await aSite();
  const { project_id, start } = await aSteeredRun(site.world);
  const { task_id } = await site.world.ask('create_task', { project_id, title: 'Mend the door' });
  await start({ task_id });
  await using window = await site.open('/p/SHO?task=SHO-1');
  const { page } = window;
  const panel = page.getByRole('dialog');
  const way = () => panel.locator('.composer [aria-pressed=true]').textContent();

  await panel.getByRole('button', { name: 'Comment' }).click();
  await expect.poll(way).toBe('Comment');
  await page.getByTestId('card-SHO-2').click();

  await panel.getByRole('heading', { name: 'Mend the door' }).waitFor();
  await expect.poll(way).toBe('Send to agent');
});

it('shows messages above the composer, so that its switch can be pressed', async () => {
  await using site = await aSite();
  await aSteeredRun(site.world);
  await using window = await site.open('/p/SHO?task=SHO-1');
  const { page } = window;
  await page.getByTestId('composer').waitFor();
  const isAbove = () =>
    page.evaluate<boolean>(
      "document.querySelector('.toasts').getBoundingClientRect().bottom <= document.querySelector('.composer').getBoundingClientRect().top",
    );

  await expect.poll(isAbove).toBe(true);
  await page.getByTestId('composer').fill('One\nTwo\nThree\nFour\nFive');
  await expect.poll(isAbove).toBe(true);
});

it('queues a follow-up and takes it back', async () => {
  await using site = await aSite();
  await aSteeredRun(site.world);
  await using window = await site.open('/t/SHO-1');
  const { page } = window;

  await page.getByRole('button', { name: 'Queue' }).click();
  await page.getByTestId('composer').fill('Then the docs');
  await page.getByTestId('send').click();
  await page.locator('.queued').getByText('Then the docs').waitFor();
  await page.locator('.queued').getByRole('button', { name: 'Cancel' }).click();

  await page.locator('.queued').waitFor({ state: 'detached' });
});

it('answers a question of the agent by a key', async () => {
  await using site = await aSite();
  const { caller, hear, statuses } = await aSteeredRun(site.world);
  const options = [
    { option: 'three', label: 'Three days' },
    { option: 'ever', label: 'For ever' },
  ];
  const { approval_id } = await site.world.ask('ask_person', { question: 'How long?', options, wait_ms: 0 }, caller);
  await using window = await site.open('/p/SHO?task=SHO-1');
  const { page } = window;
  const frame = page.getByTestId(`approval-${String(approval_id)}`);
  await frame.getByRole('heading', { name: 'How long?' }).waitFor();

  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: 'Reply' }).fill('A week');
  await page.keyboard.press('Control+Enter');

  await frame.waitFor({ state: 'detached' });
  expect(await hear()).toMatchObject([{ text: expect.stringContaining('A week') }]);
  await expect.poll(statuses).toEqual(['delivered']);
  const asked = page.getByTestId(`asked-${String(approval_id)}`);
  await asked.getByText('How long?').waitFor();
  await asked.getByText('owner: A week').waitFor();
});

it('changes what belongs to a task: labels, people, dates, sub-tasks and what comes first', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  await site.world.ask('create_task', { project_id, title: 'Paint the door' });
  await site.world.ask('admin_add_label', { project_id, name: 'urgent work' });
  await using window = await site.open('/p/SHO?task=SHO-1');
  const { page } = window;
  const panel = page.getByRole('dialog');

  await panel.getByRole('button', { name: 'Label' }).click();
  await page.getByRole('menuitem', { name: 'urgent work' }).click();
  await panel.getByRole('button', { name: 'urgent work' }).waitFor();
  await panel.getByRole('button', { name: 'Assign' }).click();
  await page.getByRole('menuitem', { name: 'owner' }).click();
  await panel.getByRole('button', { name: 'owner' }).waitFor();
  await panel.getByRole('button', { name: 'Due' }).click();
  await page.getByLabel('Due').fill('2030-01-31');
  await page.keyboard.press('Escape');
  await panel.getByRole('button', { name: '31 Jan 2030' }).waitFor();
  await panel.getByRole('button', { name: 'Add a sub-task' }).click();
  await page.keyboard.type('Read the log');
  await page.keyboard.press('Enter');
  await panel.getByRole('link', { name: 'Read the log' }).waitFor();
  await panel.locator('li', { hasText: 'Read the log' }).getByLabel('Ready').waitFor();
  await page.keyboard.press('Escape');
  await panel.getByRole('button', { name: 'Add a task to complete first' }).click();
  await page.getByLabel('Words or a key').fill('Paint');
  await page.getByRole('button', { name: /Paint the door/ }).click();
  await panel.getByRole('link', { name: 'Paint the door' }).waitFor();

  const { issue } = await site.world.ask('tasker_get_issue', { issue_id: 'SHO-1' });
  expect(issue).toMatchObject({
    labels: [{ name: 'urgent work' }],
    assignees: [{ name: 'owner' }],
    target_date: '2030-01-31',
  });
  expect(await site.world.ask('get_task', { task_id: 'SHO-1' })).toMatchObject({ blocked_by: [{ key: 'SHO-2' }] });
  expect(await site.world.ask('get_task', { task_id: 'SHO-3' })).toMatchObject({ parent_key: 'SHO-1' });
});

it('starts an agent from the open panel: by its button, its key, and the palette', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await aWorker(site.world, [anExecutor()]);
  await using window = await site.open('/p/SHO?task=SHO-1');
  const { page } = window;
  const choice = page.getByRole('dialog', { name: 'Start an attempt' });
  const panel = page.getByRole('dialog', { name: 'SHO-1' });

  await panel.getByRole('button', { name: 'Start attempt' }).click();
  await choice.waitFor();
  await page.keyboard.press('Escape');
  await choice.waitFor({ state: 'detached' });
  await panel.getByRole('heading', { name: 'Attempts' }).click();
  await page.keyboard.press('s');
  await choice.waitFor();
  await page.keyboard.press('Escape');
  await choice.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByTestId('palette').getByRole('combobox').fill('start an');
  await page.keyboard.press('Enter');

  await choice.getByRole('button', { name: 'Start', exact: false }).last().click();
  await panel.locator('.atts li').waitFor();
});

it('starts two agents on a task, compares them, and chooses one', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await aWorker(site.world, [anExecutor(), anExecutor({ executor: 'other', title: 'Other agent' })]);
  await using window = await site.open('/t/SHO-1');
  const { page } = window;

  await page.getByRole('button', { name: 'Start attempt' }).click();
  await page.getByRole('checkbox', { name: 'Other agent' }).click();
  await page.getByRole('button', { name: 'Start 2 attempts' }).click();
  await page.locator('.atts li').nth(1).waitFor();
  for (const attempt_id of ['SHO-1.1', 'SHO-1.2']) await site.world.ask('stop_attempt', { attempt_id });
  await page.getByRole('button', { name: 'Compare' }).click();
  const second = page.getByRole('region', { name: 'Attempt 2' });
  await second.getByText('Stopped').waitFor();
  await second.getByRole('button', { name: 'Choose this one' }).click();

  await page.getByText('SHO-1.2 is chosen. Archived: SHO-1.1.').waitFor();
  expect(await site.world.ask('get_attempt', { attempt_id: 'SHO-1.1' })).toMatchObject({ state: 'archived' });
});

it('shows who else looks at the task, and that they write', async () => {
  await using site = await aSite();
  const { project_id, task_id } = await aBoard(site.world);
  const user_id = await site.world.addUser('Anna');
  await site.world.ask('admin_add_member', { project_id, user_id, role: 'member' });
  const anna = await site.world.callerWith({ user_id, scopes: ['board:read'] });
  await using window = await site.open('/t/SHO-1');
  const { page } = window;
  await page.getByTestId('composer').waitFor();

  await site.world.ask('show_presence', { task_id, editing: true }, anna);
  await page.getByText('Anna is writing').waitFor();
  await site.world.ask('end_presence', { task_id }, anna);

  await page.getByText('Anna is writing').waitFor({ state: 'detached' });
  const { people } = await site.world.ask('show_presence', { task_id }, anna);
  expect(people).toMatchObject([{ name: 'owner' }, { name: 'Anna' }]);
});

it('keeps a task readable that is deleted while it is open, and says so', async () => {
  await using site = await aSite();
  const { task_id } = await aBoard(site.world);
  await using window = await site.open('/t/SHO-1');
  const { page } = window;
  await page.getByRole('heading', { name: 'Fix the login' }).waitFor();

  await site.world.ask('delete_task', { task_id });

  await page.getByText('This task was deleted').waitFor();
  await page.getByRole('heading', { name: 'Fix the login' }).waitFor();
  expect(await page.getByTestId('composer').count()).toBe(0);
});

it('says in place that there is no such task', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/t/SHO-99');

  await window.page.getByText('There is no such task').waitFor();
});

it('says who ticked a criterion', async () => {
  await using site = await aSite();
  const { task_id } = await aBoard(site.world);
  const items = [{ id: 'a', text: 'It works' }];
  await site.world.ask('tasker_update_structured_blocks', {
    issue_id: task_id,
    action: 'append_checker',
    items,
    idempotency_key: 'criteria',
  });
  await using window = await site.open('/t/SHO-1');
  const { page } = window;
  const row = page.getByRole('listitem').filter({ hasText: 'It works' });

  await row.getByRole('checkbox').click();

  await row.getByText('ticked by owner').waitFor();
});
