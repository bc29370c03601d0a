import { expect, it } from 'vitest';
import { aSite } from './site.ts';

it('changes a password, shows a wrong one at its field, and ends another browser', async () => {
  await using site = await aSite();
  await using other = await site.open('/settings');
  await using window = await site.open('/settings');
  const { page } = window;
  const current = page.getByLabel('Current password');
  const sessions = page.getByRole('table', { name: 'Signed-in browsers' }).locator('tbody tr');
  await expect.poll(() => sessions.count()).toBe(2);

  await sessions.getByRole('button', { name: 'End' }).click();

  await expect.poll(() => sessions.count()).toBe(1);
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('New password').fill('a long password');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('Changed your password').waitFor();
  await current.fill('not this one');
  await page.getByLabel('New password').fill('another password');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await expect.poll(() => current.getAttribute('aria-invalid')).toBe('true');
});

it('adds a person, makes them an admin, and blocks them', async () => {
  await using site = await aSite();
  await using window = await site.open('/settings');
  const { page } = window;
  const row = page.getByTestId('person-Ana Ruiz');
  const act = async (name: string) => {
    await row.getByRole('button', { name: 'Change Ana Ruiz' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  await page.getByLabel('Add a person').fill('Ana Ruiz');
  await page.keyboard.press('Enter');
  await row.getByText('Member').waitFor();
  await act('Make an admin');
  await row.getByText('Admin').waitFor();
  await act('Block');
  await row.getByText('Blocked').waitFor();

  expect(await site.world.ask('admin_list_users', {})).toMatchObject({
    users: expect.arrayContaining([expect.objectContaining({ name: 'Ana Ruiz', role: 'admin', status: 'blocked' })]),
  });
});

it('makes a token that is shown once with the end of its time, and revokes it', async () => {
  await using site = await aSite();
  await using window = await site.open('/settings');
  const { page } = window;

  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByTestId('new-token');
  await dialog.getByLabel('Name').fill('laptop');
  await dialog.getByText('Delete tasks of the board', { exact: true }).waitFor();
  await dialog.getByRole('checkbox', { name: /board:write/, checked: true }).waitFor();
  await dialog.getByRole('checkbox', { name: /board:run/, checked: false }).waitFor();
  await dialog.getByRole('button', { name: 'Create the token' }).click();
  await dialog.getByText('It is shown this once').waitFor();
  expect(await dialog.locator('code').textContent()).toMatch(/^errand_/);
  await dialog.getByText(/It works until \d+ \w+ \d{4}, \d\d:\d\d:\d\d\./).waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('token-laptop').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke the token' }).click();

  await page.getByTestId('token-laptop').waitFor({ state: 'detached' });
});

it('names the workspace, and shows what another admin saved without a reload', async () => {
  await using site = await aSite();
  await using window = await site.open('/settings');
  const { page } = window;

  await page.getByLabel('Name of the workspace').fill('Harbour');
  await page.getByRole('button', { name: 'Save the workspace' }).click();

  await page.getByRole('navigation', { name: 'Main', exact: true }).getByText('Harbour').waitFor();
  await site.world.ask('admin_update_workspace', { guide: 'Write short titles.' });
  await expect.poll(() => page.getByLabel('Guide for agents').inputValue()).toBe('Write short titles.');
});

it('tells a member which right is missing, and leaves them their own settings', async () => {
  await using site = await aSite();
  const { user_id } = await site.world.ask('admin_add_user', { name: 'Ana Ruiz' });
  await using window = await site.openAs(String(user_id), '/settings');
  const { page } = window;

  await page.getByText('need the scope admin').waitFor();
  await page.getByLabel('New password').waitFor();
  expect(await page.getByLabel('Add a person').count()).toBe(0);
});
