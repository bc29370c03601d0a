import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { aSite } from './site.ts';

/** Holds the calls of an address back until they are let go. */
async function held(page: Page, address: string) {
  const arrived = Promise.withResolvers<void>();
  const let_go = Promise.withResolvers<void>();
  await page.route(address, async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue();
    arrived.resolve();
    await let_go.promise;
    await route.continue();
  });
  return { arrived: arrived.promise, letGo: let_go.resolve };
}

it('adds every task that is typed while earlier ones are on their way, in their order', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByTestId('column-todo').getByRole('button', { name: 'Add task' }).click();
  const calls = await held(page, '**/api/v1/board/projects/*/tasks');

  await page.keyboard.type('Oil the hinge');
  await page.keyboard.press('Enter');
  await calls.arrived;
  await page.keyboard.type('Hang the door');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Paint');
  calls.letGo();

  await page.getByTestId('card-SHO-3').getByText('Hang the door').waitFor();
  expect(await page.getByTestId('card-SHO-2').textContent()).toContain('Oil the hinge');
  expect(await page.getByLabel('New task in').inputValue()).toBe('Paint');
  expect(await page.getByTestId('card-SHO-4').count()).toBe(0);
});

it('adds a task once when its answer is lost and the person sends it again', async () => {
  await using site = await aSite();
  const { project_id } = await aBoard(site.world);
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByTestId('column-todo').getByRole('button', { name: 'Add task' }).click();
  await page.route('**/api/v1/board/projects/*/tasks', async (route) => {
    await route.fetch();
    await route.abort();
  });

  await page.keyboard.type('Oil the hinge');
  await page.keyboard.press('Enter');
  await page.getByText('“Oil the hinge” was not added').waitFor();
  await page.unrouteAll();
  expect(await page.getByLabel('New task in').inputValue()).toBe('Oil the hinge');
  await page.getByLabel('New task in').press('Enter');
  await page.getByTestId('card-SHO-2').waitFor();
  await page.keyboard.type('Paint');
  await page.keyboard.press('Enter');

  await page.getByTestId('card-SHO-3').getByText('Paint').waitFor();
  const { tasks } = await site.world.ask('list_tasks', { project_id });
  expect(tasks).toHaveLength(3);
});

it('keeps what is typed while a comment is on its way', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/t/SHO-1');
  const { page } = window;
  const box = page.getByTestId('composer');
  await box.fill('First words');
  const calls = await held(page, '**/api/v1/tasker/issues/*/comments');

  await page.getByTestId('send').click();
  await calls.arrived;
  await box.press('End');
  await box.pressSequentially(' and more');
  calls.letGo();

  await page.getByText('First words', { exact: true }).waitFor();
  await page.waitForFunction('document.querySelector("[data-testid=composer]").value === "and more"');
});

it('shows nothing more of a person when another one signs in beside them in the same browser', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  const anna = await site.world.addUser('Anna');
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.getByTestId('card-SHO-1').waitFor();
  const { key } = await site.world.ask('admin_create_sign_in', { user_id: anna });

  const beside = await page.context().newPage();
  await beside.goto(`${site.url}/?key=${String(key)}`);
  await beside.locator('.rail-foot .me', { hasText: 'Anna' }).waitFor();

  await page.locator('.rail-foot .me', { hasText: 'Anna' }).waitFor();
  await page.getByTestId('card-SHO-1').waitFor({ state: 'detached' });
  await beside.close();
});

it('leads from an address that no page has to the board', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.open('/p/%E0%A4%A');
  const { page } = window;

  await page.getByText('There is no such page').waitFor();
  await page.getByRole('link', { name: 'Go to the board' }).click();

  await page.getByTestId('column-todo').waitFor();
});
