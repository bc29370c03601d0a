import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { anAttempt } from './an-attempt.ts';
import { aSite } from './site.ts';

type Site = Awaited<ReturnType<typeof aSite>>;
type Attempt = Awaited<ReturnType<typeof anAttempt>>;

interface PageOfBoard {
  readonly path: string;
  /** What is on the page once it has come. */
  readonly shown: string;
  /** A change by somebody else. */
  readonly change: (site: Site, attempt: Attempt) => Promise<unknown>;
  /** How the page shows the change. */
  readonly changed: string;
}

const retitle = (site: Site) => site.world.ask('update_task', { task_id: 'SHO-1', title: 'Mend the login' });

const agentOf = (site: Site, name: string, project_id: unknown) =>
  site.world.ask('admin_create_agent', { name, project_ids: [project_id], scopes: ['board:read'] });

/** Every page of the board. */
const PAGES: readonly PageOfBoard[] = [
  { path: '/p/SHO', shown: '[data-testid=card-SHO-1]', change: retitle, changed: 'text=Mend the login' },
  {
    path: '/p/SHO?task=SHO-1',
    shown: '[role=dialog] h2',
    change: retitle,
    changed: '[role=dialog] >> text=Mend the login',
  },
  { path: '/p/SHO/tasks', shown: '[data-testid=row-SHO-1]', change: retitle, changed: 'text=Mend the login' },
  { path: '/t/SHO-1', shown: '.side .atts', change: retitle, changed: 'main >> text=Mend the login' },
  {
    path: '/a/SHO-1.1',
    shown: '[data-testid=timeline-step-1]',
    change: (_, { step }) => step(2, 'Run the tests'),
    changed: '[data-testid=timeline-step-2]',
  },
  {
    path: '/a/SHO-1.1?tab=feed',
    shown: '.fr',
    change: (_, { say }) => say('command', 'npm run everything'),
    changed: '.fr >> text=npm run everything',
  },
  {
    path: '/a/SHO-1.1?tab=details',
    shown: '.sheet',
    change: (_, { step }) => step(2, 'Run the tests'),
    changed: 'text=2 steps and',
  },
  {
    path: '/a/SHO-1.1?tab=changes',
    shown: 'text=Nothing has changed yet',
    change: (_, { end }) => end([{ path: 'a.ts', lines: ['-const wait = 1;', '+const wait = 5;'] }]),
    changed: '.diff mark',
  },
  {
    path: '/inbox',
    shown: '.ib-detail',
    change: (site, { caller }) => site.world.ask('ask_person', { question: 'Which colour?', wait_ms: 0 }, caller),
    changed: 'text=Which colour?',
  },
  {
    path: '/runs',
    shown: '[data-testid="run-SHO-1.1"]',
    change: (_, { end }) => end([], 'failed'),
    changed: '[data-testid="run-SHO-1.1"] >> text=Failed',
  },
  {
    path: '/agents',
    shown: '[data-testid=agent-atlas]',
    change: (site, { project_id }) => agentOf(site, 'kite', project_id),
    changed: '[data-testid=agent-kite]',
  },
  {
    path: '/agents/atlas',
    shown: '.agentpage h1',
    change: (site) => site.world.ask('admin_revoke_agent', { agent_id: 'atlas' }),
    changed: '.agentpage >> text=/revoked/i',
  },
  { path: '/activity', shown: '[data-testid=event-1]', change: retitle, changed: 'tr:has-text("changed SHO-1")' },
  {
    path: '/settings',
    shown: '[data-testid^=person-]',
    change: (site) => site.world.addUser('Ana Ruiz'),
    changed: '[data-testid="person-Ana Ruiz"]',
  },
  {
    path: '/p/SHO/settings',
    shown: '[data-testid=guide-preview]',
    change: (site, { project_id }) => site.world.ask('admin_add_label', { project_id, name: 'paint' }),
    changed: 'text=paint',
  },
  {
    path: '/ops',
    shown: '.toolt tbody tr',
    change: (site) => site.world.refuse('get_task', { task_id: 'NO-1' }),
    changed: 'text=not_found',
  },
];

/** A site with something on every page. */
async function aFullSite() {
  const site = await aSite();
  const attempt = await anAttempt(site.world);
  await attempt.step(1, 'Read the code');
  await attempt.say('message', 'I read.');
  await site.world.ask('ask_person', { question: 'Which port?', wait_ms: 0 }, attempt.caller);
  await agentOf(site, 'atlas', attempt.project_id);
  return { site, attempt };
}

/** Every read of a page, but who the reader is and the stream of changes. */
const isRead = ({ pathname }: URL): boolean =>
  pathname.startsWith('/api/v1/') && !['/api/v1/me', '/api/v1/events'].includes(pathname);

const answers =
  (status: number, error: { readonly code: string; readonly message: string }) =>
  (route: Route): Promise<void> =>
    route.request().method() === 'GET'
      ? route.fulfill({ status, json: { error: { ...error, retryable: false, correlation_id: 'c-17' } } })
      : route.continue();

const failing = answers(400, { code: 'validation_error', message: 'Out of order.' });
const forbidding = answers(403, { code: 'forbidden', message: 'This needs the scope board:read.' });

/** Opens a page that has read nothing yet, and answers all its reads with `answer`. */
async function openAnswered(site: Site, path: string, answer: (route: Route) => Promise<void>) {
  const window = await site.open('/healthz');
  await window.page.route(isRead, answer);
  await window.page.goto(`${site.url}${path}`);
  return window;
}

const errorsOn = (page: Page) => page.locator('main [role=alert], [role=dialog] [role=alert]');

describe.each(PAGES)('$path', ({ path, shown, change, changed }) => {
  it('shows its layout while it loads, then what it has, and changes as they come', async () => {
    const { site, attempt } = await aFullSite();
    await using _ = site;
    const held = Promise.withResolvers<void>();
    await using window = await openAnswered(site, path, async (route) => {
      await held.promise;
      await route.continue();
    });
    const { page } = window;

    await page.locator('main [role=status][aria-label$="loading"], [role=dialog] [role=status]').first().waitFor();
    held.resolve();
    await page.locator(shown).first().waitFor();
    await change(site, attempt);

    await page.locator(changed).first().waitFor();
  });

  it('says in place what failed, with code and request, and reads again', async () => {
    const { site } = await aFullSite();
    await using _ = site;
    await using window = await openAnswered(site, path, failing);
    const { page } = window;
    const error = errorsOn(page).first();

    await error.getByText('Out of order.').waitFor();
    expect(await error.textContent()).toMatch(/could not be loaded.*validation_error.*c-17/);
    await error.getByRole('button', { name: 'Copy details' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    // Parts that failed apart from each other are read again one by one.
    await expect
      .poll(async () => {
        const retry = errorsOn(page).first().getByRole('button', { name: 'Retry' });
        if ((await retry.count()) > 0) await retry.click({ timeout: 1_000 }).catch(() => undefined);
        return errorsOn(page).count();
      })
      .toBe(0);

    await page.locator(shown).first().waitFor();
  });

  it('names the missing permission to who may not see it', async () => {
    const { site } = await aFullSite();
    await using _ = site;
    await using window = await openAnswered(site, path, forbidding);
    const { page } = window;

    await page
      .getByText(/You may not|is for admins|are for admins/)
      .first()
      .waitFor();
    expect(await page.locator('body').textContent()).toMatch(/scope board:read.* can grant it/);
    expect(await errorsOn(page).count()).toBe(0);
  });

  it('keeps what it shows while the server is away, says so, and goes on', async () => {
    const { site } = await aFullSite();
    await using _ = site;
    await using window = await site.open(path);
    const { page } = window;
    await page.locator(shown).first().waitFor();

    const start = await site.stop();
    await page.getByTestId('live-dot').getByText('Reconnecting…').waitFor();
    expect(await page.locator(shown).count()).toBeGreaterThan(0);
    await using again = await start();

    expect(again).toBeDefined();
    await page.getByTestId('live-dot').getByText(/^Live/).waitFor();
    expect(await errorsOn(page).count()).toBe(0);
  });
});

it('turns the dot red after 30 seconds, and connects at once by Retry', async () => {
  const { site } = await aFullSite();
  await using _ = site;
  await using window = await site.open('/p/SHO', {});
  const { page } = window;
  await page.clock.install();
  await page.reload();
  await page.getByTestId('card-SHO-1').waitFor();
  const dot = page.getByTestId('live-dot');

  const start = await site.stop();
  await dot.getByText('Reconnecting…').waitFor();
  await page.clock.fastForward('00:31');
  await dot.getByText(/^Offline since/).waitFor();
  await retitle(site);
  await using again = await start();
  await dot.getByRole('button', { name: 'Retry' }).click();

  expect(again).toBeDefined();
  await page.getByText('Mend the login').first().waitFor();
});

it.each([
  ['/p/SHO', 'Your board is ready. Put work on it.'],
  ['/p/SHO/tasks', 'Your board is ready. Put work on it.'],
  ['/inbox', 'Nothing needs you.'],
  ['/runs', 'No agent ran in this time.'],
  ['/agents', 'No agent works here yet.'],
  ['/activity?q=nothing+like+this', 'No event matches the filter.'],
  ['/p/SHO/settings', 'No repository: agents cannot be started on tasks of this project.'],
])('says on %s what will appear there when there is nothing', async (path, words) => {
  await using site = await aSite();
  await site.world.ask('admin_add_project', { name: 'Shop', key: 'SHO' });
  await using window = await site.open(path);

  await window.page.getByText(words).waitFor();
});

it('says on an empty board which agent has called, and which one is still waited for', async () => {
  await using site = await aSite();
  const { project_id } = await site.world.ask('admin_add_project', { name: 'Shop', key: 'SHO' });
  const { token } = await agentOf(site, 'atlas', project_id);
  await agentOf(site, 'moss', project_id);
  await fetch(`${site.url}/api/v1/projects`, { headers: { authorization: `Bearer ${String(token)}` } });
  await using window = await site.open('/p/SHO');
  const line = (name: string) => window.page.locator('.connect li', { hasText: name });

  await line('atlas').getByText('Connected').waitFor();
  await line('moss').getByText('Waiting').waitFor();
});

it.each([
  ['/p/SHO', '[data-testid=column-todo] article', /250/],
  ['/p/SHO/tasks', '[data-row]', /250 tasks/],
  ['/agents', '[data-testid^=agent-]', /150/],
  ['/activity', '[data-testid^=event-]', /./],
])('draws only what is in view of many on %s, and counts all', async (path, drawn, counted) => {
  await using site = await aSite();
  const { project_id } = await site.world.ask('admin_add_project', { name: 'Shop', key: 'SHO' });
  for (let at = 0; at < 250; at += 50) {
    const tasks = Array.from({ length: 50 }, (_, each) => ({ ref: `${at + each}`, title: `Task ${at + each}` }));
    await site.world.ask('create_tasks', { project_id, tasks });
  }
  for (let at = 0; at < 150; at += 1) await agentOf(site, `agent ${at}`, project_id);
  await using window = await site.open(path);
  const { page } = window;
  await page.locator(drawn).first().waitFor();

  await expect.poll(() => page.locator('main').textContent()).toMatch(counted);
  const count = await page.locator(drawn).count();
  expect(count).toBeGreaterThan(5);
  expect(count).toBeLessThan(100);
});

it('waits for the first step of an attempt whose run nobody has taken', async () => {
  const { site, attempt } = await aFullSite();
  await using _ = site;
  const { task_id } = await site.world.ask('create_task', { project_id: attempt.project_id, title: 'Mend the door' });
  const repos = [{ repo_id: attempt.repo_id }];
  await site.world.ask('start_task_attempt', { task_id, executor: 'scripted', repos });
  await using window = await site.open('/a/SHO-2.1');
  const { page } = window;

  await page.getByText('No run has begun.').waitFor();
  // The feed is what decides which part is opened: it has been read by then.
  await page
    .getByRole('link', { name: 'Feed 0' })
    .or(page.getByRole('link', { name: 'Feed', exact: true }))
    .waitFor();
  expect(await page.getByText('Waiting for the first step').isVisible()).toBe(true);
});

it('lets a person reach all of an empty board on a phone', async () => {
  await using site = await aSite();
  await site.world.ask('admin_add_project', { name: 'Shop', key: 'SHO' });
  await using window = await site.open('/p/SHO');
  const { page } = window;
  await page.setViewportSize({ width: 390, height: 844 });

  await page.locator('.connect').getByRole('button', { name: 'Copy the command' }).click();

  await page
    .locator('.connect')
    .getByText('Copied')
    .or(page.locator('.connect').getByText('refused'))
    .waitFor({ state: 'attached' });
});
