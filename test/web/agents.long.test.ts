import { expect, it } from 'vitest';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { aSite } from './site.ts';

type Site = Awaited<ReturnType<typeof aSite>>;

/** Makes an agent that works in the project Shop. */
async function anAgent(site: Site, name: string) {
  const { project_id } = await aBoard(site.world);
  const scopes = ['board:read', 'board:write', 'execution:report'];
  const made = await site.world.ask('admin_create_agent', { name, project_ids: [project_id], scopes });
  return { ...made, agent_id: String(made.agent_id), token: String(made.token), project_id };
}

it('makes an agent in three steps, shows what it will see and its token once, and waits for its first call', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/agents');
  const { page } = window;
  const dialog = page.getByTestId('new-agent');
  await page.getByRole('button', { name: 'New agent' }).first().click();

  await dialog.getByLabel('Name').fill('atlas');
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('checkbox', { name: 'Shop' }).click();
  await dialog.getByRole('button', { name: 'Read' }).click();
  await dialog.getByText('create_task', { exact: true }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Worker' }).click();
  await dialog.getByText('next_task', { exact: true }).waitFor();
  await dialog.getByText('A run begins with an attempt').waitFor();
  await dialog.getByRole('button', { name: 'Make the agent' }).click();
  const token = (await dialog.getByTestId('token').textContent()) ?? '';
  await dialog.getByText('Waiting for the first request').waitFor();

  const others = await dialog.getByRole('button', { name: 'Other MCP client' }).isVisible();
  const caller = await site.world.gateway.authenticate(token);
  await dialog.getByText('atlas is connected').waitFor();
  await dialog.getByText('It has called no tool yet.').waitFor();
  await site.world.ask('list_tasks', { project_id: 'SHO' }, caller);

  await dialog.getByText('Its first call was list_tasks.').waitFor();
  expect(others).toBe(true);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByTestId('agent-atlas').getByText('Worker').waitFor();
  expect(await page.getByText(token).count()).toBe(0);
});

it('shows the calls of an agent, what was refused, its tokens, and what it sees', async () => {
  await using site = await aSite();
  const { agent_id, token } = await anAgent(site, 'atlas');
  const caller = await site.world.gateway.authenticate(token);
  await site.world.ask('list_tasks', { project_id: 'SHO' }, caller);
  await site.world.refuse('start_task_attempt', { task_id: 'SHO-1' }, caller);
  await using window = await site.open(`/agents/${agent_id}`);
  const { page } = window;

  await page.getByRole('row').filter({ hasText: 'list_tasks' }).getByText('done').waitFor();
  await page.locator('.refusals').getByText('start_task_attempt').waitFor();
  await page.getByRole('button', { name: /^Show all \d+ tools$/ }).click();
  await page.getByLabel('Tokens and rights').getByText('next_task:').waitFor();
});

it('rotates the token with an overlap, and revokes the earlier one at once', async () => {
  await using site = await aSite();
  const { agent_id, token } = await anAgent(site, 'atlas');
  await using window = await site.open(`/agents/${agent_id}`);
  const { page } = window;
  await page.getByRole('button', { name: 'Rotate token' }).click();
  await page.getByRole('button', { name: '24 h' }).click();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  const next = (await page.getByTestId('token').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Revoke now' }).count()).toBe(2);
  expect((await site.world.gateway.authenticate(token)).fault).toBeNull();

  await page.getByRole('button', { name: 'Revoke now' }).last().click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click();

  await page.getByText('The token works no longer.').waitFor();
  await expect
    .poll(async () => site.world.gateway.authenticate(token).then(({ fault }) => fault, String))
    .not.toBeNull();
  expect((await site.world.gateway.authenticate(next)).fault).toBeNull();
});

it('says who may see agents to a person who is no admin', async () => {
  await using site = await aSite();
  await using window = await site.open('/agents');
  const { page } = window;
  const refusal = { error: { code: 'forbidden', message: 'This needs the scope admin.', retryable: false } };
  await page.route('**/api/v1/agents?**', (route) => route.fulfill({ status: 403, json: refusal }));

  await page.reload();

  await page.getByText('You may not see this page').waitFor();
  expect(await page.getByRole('button', { name: 'New agent' }).count()).toBe(0);
});

it('changes the rights of an agent: another preset, and one project less', async () => {
  await using site = await aSite();
  const { agent_id } = await anAgent(site, 'atlas');
  const { project_id } = await site.world.ask('admin_add_project', { name: 'Garden', key: 'GAR' });
  await site.world.ask('admin_grant_agent', { agent_id, project_id, scopes: ['board:read'] });
  await using window = await site.open(`/agents/${agent_id}`);
  const { page } = window;
  await page.getByRole('button', { name: 'Edit rights' }).click();
  const dialog = page.getByTestId('edit-rights');

  await dialog.getByRole('checkbox', { name: 'Garden' }).click();
  await dialog.getByRole('checkbox', { name: 'Move tasks to Done' }).click();
  await dialog.getByRole('button', { name: 'Save the rights' }).click();
  await page.getByText('Changed the rights of atlas').waitFor();

  const { grants } = await site.world.ask('admin_show_agent', { agent_id });
  expect(grants).toMatchObject([{ project_name: 'Shop', can_complete: true }]);
});

it('shows the newer work of an agent that left a run open on a task that is done', async () => {
  await using site = await aSite();
  const { token } = await anAgent(site, 'atlas');
  const caller = await site.world.gateway.authenticate(token);
  const { task_id } = await site.world
    .ask('next_task', { project_id: 'SHO', task_id: 'SHO-1' }, caller)
    .then(() => site.world.ask('get_task', { task_id: 'SHO-1' }));
  await site.world.ask('create_execution', { work_item_id: task_id, name: 'Read the code' }, caller);
  await site.world.ask('update_task', { task_id, status: 'done' });
  await site.world.ask('create_task', { project_id: 'SHO', title: 'Mend the door' });
  site.world.time.now += 60_000;
  await site.world.ask('next_task', { task_id: 'SHO-2' }, caller);
  await using window = await site.open('/agents');
  const { page } = window;

  const row = page.getByTestId('agent-atlas');
  await row.getByText('Mend the door').waitFor();

  expect(await row.getByText('Read the code').count()).toBe(0);
});

it('keeps what projects do not share when nothing or another right is set, and announces the same tools', async () => {
  await using site = await aSite();
  const { project_id: shop } = await aBoard(site.world);
  const { project_id: garden } = await site.world.ask('admin_add_project', { name: 'Garden', key: 'GAR' });
  const scopes = ['board:read', 'board:write', 'execution:report', 'todo:read', 'todo:write'];
  const { agent_id } = await site.world.ask('admin_create_agent', { name: 'atlas', project_ids: [shop], scopes });
  await site.world.ask('admin_grant_agent', { agent_id, project_id: shop, scopes, can_complete: true });
  await site.world.ask('admin_grant_agent', { agent_id, project_id: garden, scopes: ['board:read'], can_cancel: true });
  const grantsNow = async () => (await site.world.ask('admin_show_agent', { agent_id })).grants;
  const before = await grantsNow();
  await using window = await site.open(`/agents/${agent_id}`);
  const { page } = window;
  const dialog = page.getByTestId('edit-rights');
  const shown = await page.getByRole('button', { name: /^Show all [1-9]\d* tools$/ }).textContent();
  const count = /\d+ tools/.exec(shown ?? '')?.[0] ?? '';

  await page.getByRole('button', { name: 'Edit rights' }).click();
  await dialog.getByText('next_task', { exact: true }).waitFor();
  const announced = await dialog.getByRole('heading', { name: /will see/ }).textContent();
  await dialog.getByRole('button', { name: 'Save the rights' }).click();
  await dialog.waitFor({ state: 'detached' });

  expect(await grantsNow()).toEqual(before);
  expect(announced).toContain(count);

  await page.getByRole('button', { name: 'Edit rights' }).click();
  await dialog.getByText('Shop: Worker, Garden: Custom').waitFor();
  const choice = await dialog.getByRole('group', { name: 'Rights' }).boundingBox();
  const title = await dialog.getByText('Rights', { exact: true }).boundingBox();
  const hint = await dialog.getByText('Shop: Worker, Garden: Custom').boundingBox();
  const mixed = await dialog.getByRole('checkbox', { name: 'Cancel tasks' }).getAttribute('aria-checked');
  await dialog.getByRole('checkbox', { name: 'Move tasks to Done' }).click();
  await dialog.getByRole('button', { name: 'Save the rights' }).click();
  await page.getByText('Changed the rights of atlas').waitFor();

  expect(title && choice && title.y + title.height <= choice.y).toBe(true);
  expect(choice && hint && choice.y + choice.height <= hint.y).toBe(true);
  expect(mixed).toBe('mixed');
  expect(await grantsNow()).toMatchObject([
    { project_name: 'Shop', scopes, can_complete: true, can_cancel: false },
    { project_name: 'Garden', scopes: ['board:read'], can_complete: true, can_cancel: true },
  ]);
});
