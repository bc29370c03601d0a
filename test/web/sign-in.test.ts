import { expect, it } from 'vitest';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { aSite } from './site.ts';

const PASSWORD = 'correct horse battery staple';

it('sends a person without a session to the sign-in, and back after the password', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await site.world.ask('admin_set_password', { user_id: site.world.owner.user_id, password: PASSWORD });
  await using window = await site.visit('/p/SHO');
  const { page } = window;
  await page.getByLabel('Password').waitFor();

  await page.getByLabel('Name').fill('Ana');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  const { user } = await site.world.ask('admin_show_me', {});
  await page.getByLabel('Name').fill(String((user as { readonly name: string }).name));
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByTestId('card-SHO-1').waitFor();
  expect(new URL(page.url()).pathname).toBe('/p/SHO');
});

it('shows the sign-in after signing out, and after the session was ended elsewhere', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO');
  await using other = await site.open('/p/SHO');
  await window.page.getByTestId('card-SHO-1').waitFor();
  await other.page.getByTestId('card-SHO-1').waitFor();

  await window.page.locator('.rail-foot .me').click();
  await window.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await window.page.getByRole('heading', { name: 'Sign in to Errand' }).waitFor();
  const { sessions } = await site.world.ask('admin_list_sessions', {});
  for (const { session_id } of sessions as { readonly session_id: string }[]) {
    await site.world.ask('admin_end_session', { browser_session_id: session_id });
  }

  await other.page.getByRole('heading', { name: 'Sign in to Errand' }).waitFor();
});

it('asks nothing that is refused while a person signs out, from any page', async () => {
  await using site = await aSite();
  await aBoard(site.world);

  for (const path of ['/p/SHO', '/t/SHO-1', '/ops', '/inbox']) {
    await using window = await site.open(path);
    const { page } = window;
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 401) refused.push(response.url());
    });
    await page.locator('.rail-foot .me').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Sign in to Errand').waitFor();
    await page.waitForLoadState('networkidle');

    expect([path, refused, new URL(page.url()).pathname, new URL(page.url()).search]).toEqual([
      path,
      [],
      '/signin',
      '',
    ]);
  }
});

it('stays signed in, and says why, when the server does not answer the sign-out', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByTestId('card-SHO-1').waitFor();
  await page.route('**/signout', (route) => route.abort());

  await page.locator('.rail-foot .me').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('The server did not answer.').waitFor();

  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByLabel('Vital signs').waitFor();
});

it('lets the first admin of a server choose a name and a password, once', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  const { key } = await site.world.ask('admin_create_sign_in', {});
  const link = `/signin?first=${String(key)}`;
  await using window = await site.visit(link);
  const { page } = window;
  const fill = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Become the admin' }).click();
  };

  await fill({ Name: 'Anna', Password: PASSWORD, 'Repeat it': 'something else' });
  await page.getByText('The two passwords differ.').waitFor();
  expect(page.url()).not.toContain(String(key));
  await fill({ 'Repeat it': PASSWORD });
  await page.getByTestId('card-SHO-1').waitFor();
  await using later = await site.visit(link);
  await later.page.getByLabel('Name', { exact: true }).fill('Eve');
  await later.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await later.page.getByLabel('Repeat it').fill(PASSWORD);
  await later.page.getByRole('button', { name: 'Become the admin' }).click();

  await later.page.getByText('This server has an admin with a password already.').waitFor();
  expect(await site.world.ask('admin_show_me', {})).toMatchObject({ user: { name: 'Anna' } });
});

it('signs in by a link once, and says so when it is opened again', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  const { key } = await site.world.ask('admin_create_sign_in', {});
  await using window = await site.visit(`/?key=${String(key)}`);
  await window.page.getByTestId('card-SHO-1').waitFor();
  expect(window.page.url()).not.toContain('key=');

  await using other = await site.visit(`/?key=${String(key)}`);

  await other.page.getByText('Its key was used already').waitFor();
});

it('ends the session of a person who is blocked, wherever they are', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  const user_id = await site.world.addUser('Ana Ruiz');
  await site.world.ask('admin_add_member', { project_id, user_id });
  await using window = await site.openAs(user_id, '/t/SHO-1');
  const { page } = window;
  await page.getByRole('heading', { name: 'Fix the login' }).waitFor();

  await site.world.ask('admin_block_user', { user_id });

  await page.getByRole('heading', { name: 'Sign in to Errand' }).waitFor();
  await page.goto(`${site.url}/p/SHO`);
  await page.getByRole('heading', { name: 'Sign in to Errand' }).waitFor();
});

it('shows a person nothing of a project that they are not in', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  const user_id = await site.world.addUser('Ana Ruiz');
  await using window = await site.openAs(user_id);
  const { page } = window;
  await page.getByRole('heading', { name: 'Board of My tasks' }).waitFor();

  for (const [path, words] of [
    ['/p/SHO', 'errand member add "Ana Ruiz" --project SHO'],
    ['/p/SHO/tasks', 'You may not see this page'],
    ['/t/SHO-1', 'There is no such task'],
    ['/p/SHO/settings', 'the settings of SHO need the scope admin'],
  ] as const) {
    await page.goto(`${site.url}${path}`);
    await page.getByText(words).waitFor();
    expect([path, await page.getByText('Fix the login').count()]).toEqual([path, 0]);
  }
});
