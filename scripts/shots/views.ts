import type { Size } from './camera.ts';
import { PAGES, STATES } from './pages.ts';
import { NOW } from './schedule.ts';
import { changed, isPhone, press, refusal, type View } from './view.ts';

const wide: readonly Size[] = [1440];
const narrow: readonly Size[] = [390];
const BOARD = { path: '/p/SHOP', shows: '[data-testid=card-SHOP-138]' };
const QUESTION = 'Run the migration on the staging database?';
const SOON = 60_000;
/** How long a card glows that somebody else has changed. */
const GLOWS_MS = 1_000;

/** One for each picture: two agents of one name are told apart by their ids, and the dialog says so. */
const NEW_AGENTS = ['wren', 'finch', 'robin', 'swift'];

interface Inbox {
  readonly rows: readonly unknown[];
  readonly counts: Readonly<Record<string, number>>;
}

interface ShownAgent {
  readonly grants?: readonly { readonly scopes: readonly string[] }[];
}

interface Figures {
  readonly queue: object;
}

/** What is opened on a page, and pages with nothing or very much. */
const OPENED: readonly View[] = [
  {
    ...BOARD,
    name: 'board-compact',
    sizes: wide,
    prepare: (page) => page.addInitScript("localStorage.setItem('density', 'compact')"),
  },
  {
    ...BOARD,
    name: 'board-palette',
    act: async (page) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByTestId('palette').getByRole('combobox').fill('retry');
    },
  },
  {
    ...BOARD,
    name: 'board-menu',
    sizes: wide,
    act: (page) => page.getByRole('button', { name: 'Display' }).click(),
  },
  { ...BOARD, name: 'board-keys', sizes: wide, act: press('?') },
  { ...BOARD, name: 'board-new-task', act: (page) => page.getByTestId('new-task').click() },
  { ...BOARD, name: 'phone-more', sizes: narrow, act: (page) => page.getByRole('button', { name: 'More' }).click() },
  { name: 'board-filtered', path: '/p/SHOP?q=nothing+has+this', shows: 'text=No task matches' },
  { name: 'board-empty', path: '/p/NEW', shows: '.way' },
  {
    name: 'board-many',
    path: '/p/MANY',
    shows: '.board',
    act: async (page) => {
      if (isPhone(page)) await page.getByRole('button', { name: 'Todo' }).first().click();
      await page.locator('[data-testid^=card-]').first().waitFor();
    },
  },
  {
    ...BOARD,
    name: 'board-offline',
    flows: true,
    prepare: (page) => page.route('**/api/v1/events*', (route) => route.abort()),
    act: async (page) => {
      await page.getByText('Reconnecting…').first().waitFor({ state: 'attached' });
      await page.clock.fastForward(31_000);
      await page
        .getByText(/^Offline since/)
        .first()
        .waitFor({ state: 'attached' });
    },
  },
  {
    ...BOARD,
    name: 'board-refused',
    sizes: wide,
    prepare: (page) =>
      page.route('**/api/v1/board/tasks/*', (route) =>
        route.request().method() === 'GET'
          ? route.continue()
          : refusal(409, { code: 'conflict', message: 'kite holds the claim of SHOP-151 until 14:21.' })(route),
      ),
    act: async (page) => {
      await page.getByTestId('card-SHOP-151').focus();
      await page.keyboard.press('m');
      await page.getByRole('menuitem', { name: 'In progress' }).click();
      await page.locator('.toast.bad').waitFor();
    },
  },
  { name: 'tasks-empty', path: '/p/NEW/tasks', shows: '.way' },
  { name: 'tasks-many', path: '/p/MANY/tasks', shows: 'tbody tr' },
  {
    name: 'tasks-selected',
    path: '/p/SHOP/tasks',
    shows: 'tbody tr',
    sizes: wide,
    act: async (page) => {
      for (const row of [1, 2, 3]) await page.locator('tbody tr').nth(row).getByRole('checkbox').click();
    },
  },
  {
    name: 'task-start',
    path: '/t/SHOP-147',
    shows: '[data-testid=composer]',
    act: (page) => page.getByRole('button', { name: 'Start attempt' }).first().click(),
  },
  { name: 'attempt-empty', path: '/a/PAY-88.1', shows: 'text=Waiting for the first step' },
  {
    name: 'attempt-follow-up',
    path: '/a/SHOP-142.2',
    shows: '[data-testid=timeline-step-5]',
    act: (page) => page.getByRole('button', { name: 'Follow up' }).first().click(),
  },
  { name: 'attempt-failed', path: '/a/SHOP-140.3', shows: '[data-testid^=timeline-step-]' },
  { name: 'attempt-lost', path: '/a/PAY-86.1', shows: '[data-testid^=timeline-step-]' },
  {
    name: 'inbox-question',
    path: '/inbox',
    shows: '.ib',
    act: async (page) => {
      await page.getByText(QUESTION).first().click();
      await page.mouse.move(0, 0);
    },
  },
  {
    name: 'inbox-empty',
    path: '/inbox',
    shows: 'text=Nothing needs you.',
    prepare: changed<Inbox>('**/api/v1/board/inbox*', ({ counts, ...inbox }) => ({
      ...inbox,
      rows: [],
      counts: Object.fromEntries(Object.keys(counts).map((kind) => [kind, 0])),
    })),
  },
  {
    name: 'runs-selected',
    path: '/runs',
    shows: 'tbody tr',
    sizes: wide,
    act: async (page) => {
      const failed = page.locator('tbody tr').filter({ hasText: /Failed|Lost/ });
      for (const row of [0, 1, 2]) await failed.nth(row).getByRole('checkbox').click();
    },
  },
  {
    name: 'agents-empty',
    path: '/agents',
    shows: '.empty-c',
    prepare: changed<object>('**/api/v1/agents?*', (agents) => ({ ...agents, agents: [] })),
  },
  { name: 'activity-empty', path: '/activity?q=nothing+like+this', shows: 'text=No event matches the filter.' },
  {
    name: 'activity-opened',
    path: '/activity',
    shows: 'tbody tr',
    // At its edge: a phone has a link in the middle of the row.
    act: (page) =>
      page
        .locator('tbody tr', { hasText: 'answered the agent' })
        .first()
        .click({ position: { x: 4, y: 4 } }),
  },
  { name: 'settings-project-empty', path: '/p/NEW/settings', shows: 'text=/^No repository/' },
  {
    name: 'ops-red',
    path: '/ops',
    shows: '.vital.red',
    prepare: changed<Figures>('**/operations*', (figures) => ({
      ...figures,
      queue: {
        ...figures.queue,
        queued: 8,
        running: 8,
        places: 8,
        oldest_queued_at: new Date(NOW - 6 * SOON).toISOString(),
      },
    })),
  },
  { name: 'agents-new-first', path: '/agents?make=true', shows: '[role=dialog]' },
  {
    name: 'agents-new-rights',
    path: '/agents?make=true',
    shows: '[role=dialog]',
    act: async (page) => {
      await page.getByLabel('Name').fill('wren');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByLabel('Docs').click();
    },
  },
  {
    // Other rights in one project than in the others.
    name: 'agents-edit-rights',
    path: '/agents/scout',
    shows: '.agentpage h1',
    prepare: changed<ShownAgent>('**/api/v1/agents/*', ({ grants = [], ...agent }) => ({
      ...agent,
      grants: grants.map((grant, at) => ({ ...grant, scopes: grant.scopes.slice(0, at === 0 ? 2 : 3) })),
    })),
    act: (page) => page.getByRole('button', { name: 'Edit rights' }).click(),
  },
  { name: 'docs', path: '/docs', shows: 'h1', as: 'stranger' },
];

/** What leaves something behind: an entry in the log, another agent, a changed task. */
const LEAVING: readonly View[] = [
  {
    ...BOARD,
    name: 'board-live',
    flows: true,
    changes: true,
    act: async (page, { as }) => {
      await page.clock.pauseAt(NOW + SOON);
      for (const [status, column] of [
        ['inprogress', 'In progress'],
        ['inreview', 'Review'],
      ] as const) {
        if (isPhone(page)) await page.getByRole('button', { name: column }).first().click();
        await page.clock.runFor(2 * GLOWS_MS);
        await as('Sam Okoro', 'update_task', { task_id: 'SHOP-137', status });
        // The light goes out after a second of the page: its time goes on in small steps until it is lit.
        const lit = page.locator('.card.glow').filter({ visible: true });
        for (let step = 0; step < 200 && (await lit.count()) === 0; step += 1) await page.clock.runFor(GLOWS_MS / 50);
        await lit.first().waitFor();
      }
    },
  },
  { name: 'runs-empty', path: '/runs', shows: 'text=No agent ran in this time.', as: 'member' },
  { name: 'agents-member', path: '/agents', shows: 'text=You may not see this page', as: 'member' },
  { name: 'ops-member', path: '/ops', shows: 'text=Operations is for admins', as: 'member' },
  { name: 'task-missing', path: '/t/SHOP-999', shows: '.errpanel' },
  {
    name: 'signin',
    path: '/signin',
    shows: 'h1',
    as: 'stranger',
    act: async (page) => {
      await page.getByLabel('Name').fill('Ana Ruiz');
      await page.getByLabel('Password').fill('not this one');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'agents-new',
    changes: true,
    path: '/agents?make=true',
    shows: '[role=dialog]',
    act: async (page) => {
      await page.getByLabel('Name').fill(NEW_AGENTS.shift() ?? 'wren');
      await page.getByRole('button', { name: 'Qwen Code' }).click();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByLabel('Docs').click();
      await page.getByRole('button', { name: 'Make the agent' }).click();
      await page.getByText('Shown this once').waitFor();
    },
  },
];

/** All pictures. Pictures that change the data come last, because later ones would show the change. */
export const VIEWS: readonly View[] = [...PAGES, ...OPENED, ...STATES, ...LEAVING];
