import { expect, it } from 'vitest';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { aSite } from './site.ts';

it('renames a project with its key, and goes on at its new address', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO/settings');
  const { page } = window;

  await page.getByLabel('Name of the project').fill('Storefront');
  await page.getByRole('textbox', { name: 'Key' }).fill('store');
  await page.getByRole('button', { name: 'Save the project' }).click();

  await page.waitForURL('**/p/STORE/settings');
  await page.getByRole('navigation', { name: 'Settings of' }).getByText('Storefront').waitFor();
  await page.getByRole('textbox', { name: 'Key' }).fill('not a key');
  await page.getByRole('button', { name: 'Save the project' }).click();
  await page.getByText('must be 2 to 10 letters and digits').waitFor();
});

it('shows the card guide as an agent reads it, with the guide of the workspace', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await site.world.ask('admin_update_workspace', { guide: 'Write in English.' });
  await using window = await site.open('/p/SHO/settings');
  const { page } = window;
  const preview = page.getByTestId('guide-preview');
  await preview.getByText('Nobody has said').waitFor();

  await page.getByLabel('Guide', { exact: true }).fill('  Short titles.\u200b  ');
  await page.getByRole('button', { name: 'Save the card guide' }).click();

  await preview.getByText('Short titles.', { exact: true }).waitFor();
  expect(await preview.textContent()).toContain('Write in English.');
});

it('adds states, labels and members, and decides how work is checked and merged', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  await site.world.ask('admin_add_user', { name: 'Ana Ruiz' });
  await using window = await site.open('/p/SHO/settings');
  const { page } = window;

  await page.getByLabel('Add a state').fill('In testing');
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'States' }).getByText('In testing').waitFor();
  await page.getByLabel('Add a label').fill('paint');
  await page.keyboard.press('Enter');
  await page.getByText('paint', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add a member' }).click();
  await page.getByRole('menuitem', { name: 'Ana Ruiz' }).click();
  await page.getByTestId('member-Ana Ruiz').waitFor();
  await page.getByRole('group', { name: 'Require green' }).getByRole('button', { name: 'Yes' }).click();
  await page.getByRole('group', { name: 'Merge mode' }).getByRole('button', { name: 'Squash' }).click();

  await expect
    .poll(() => site.world.ask('admin_show_project', { project_id }))
    .toMatchObject({ require_green: true, merge_mode: 'squash', completion_gate: 'none' });
  await site.world.ask('admin_update_project', { project_id, merge_mode: 'rebase' });
  await page.getByRole('button', { name: 'Rebase', pressed: true }).waitFor();
});

it('renames and removes states and labels, and says why a state with tasks stays', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  await site.world.ask('admin_add_label', { project_id, name: 'paint' });
  await using window = await site.open('/p/SHO/settings');
  const { page } = window;
  const states = page.getByRole('table', { name: 'States' });
  const labels = page.getByRole('table', { name: 'Labels' });

  await states.getByRole('button', { name: 'Rename Review' }).click();
  await page.getByLabel('Name of Review').fill('To check');
  await page.keyboard.press('Enter');
  await states.getByText('To check').waitFor();
  await states.getByRole('button', { name: 'Remove To check' }).click();
  await states.getByText('To check').waitFor({ state: 'detached' });
  await states.getByRole('button', { name: 'Remove Todo' }).click();
  await page.getByText('Todo is the only state of the group unstarted.').waitFor();
  await labels.getByRole('button', { name: 'Remove paint' }).click();
  await page.getByRole('button', { name: 'Remove the label' }).click();

  await page.getByText('No label yet.').waitFor();
  const { states: left } = await site.world.ask('admin_list_states', { project_id });
  expect((left as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual([
    'Todo',
    'In progress',
    'Done',
    'Cancelled',
  ]);
});

it('removes a project only after its key was typed', async () => {
  await using site = await aSite();
  await site.world.ask('admin_add_project', { name: 'Garden', key: 'GAR' });
  await using window = await site.open('/p/GAR/settings');
  const { page } = window;
  await page.getByRole('button', { name: 'Remove the project' }).click();
  const dialog = page.getByRole('dialog');

  await dialog.getByRole('button', { name: 'Remove Garden' }).click();
  await dialog.getByLabel('Type GAR to confirm').fill('GAR');
  expect(JSON.stringify(await site.world.ask('admin_list_projects', {}))).toContain('Garden');
  await dialog.getByRole('button', { name: 'Remove Garden' }).click();

  await page.getByText('Removed Garden and 0 tasks').waitFor();
  expect(JSON.stringify(await site.world.ask('admin_list_projects', {}))).not.toContain('Garden');
});

it('tells a member which right the settings of a project need', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  const { user_id } = await site.world.ask('admin_add_user', { name: 'Ana Ruiz' });
  await site.world.ask('admin_add_member', { project_id, user_id });
  await using window = await site.openAs(String(user_id), '/p/SHO/settings');
  const { page } = window;

  await page.getByText('the settings of SHO need the scope admin').waitFor();
});
