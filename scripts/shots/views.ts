import type { Page } from 'playwright-core';
import type { Size } from './camera.ts';

/** A picture: where it is taken, and what a person does there first. */
export interface View {
  readonly name: string;
  readonly path: string;
  /** Only at these widths. */
  readonly sizes?: readonly Size[];
  /** Before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** What shows that the page is there. */
  readonly shows?: string;
  readonly act?: (page: Page) => Promise<unknown>;
  /** The clock goes on: the picture shows that time has passed. */
  readonly flows?: boolean;
  /** Taken by somebody without a session, or by a member who is no admin. */
  readonly as?: 'stranger' | 'member';
}

const wide: readonly Size[] = [1440];

const refuse = (pattern: string, code: string, status: number) => (page: Page) =>
  page.route(pattern, (route) =>
    route.fulfill({
      status,
      json: {
        error: {
          code,
          message: 'The database did not answer.',
          hint: 'Try again in a moment.',
          retryable: true,
          correlation_id: '01a1e0b2',
        },
      },
    }),
  );

const never = (pattern: string) => (page: Page) => page.route(pattern, () => undefined);

const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) <= 760;

const press = (keys: string) => (page: Page) => page.keyboard.press(keys);

export const VIEWS: readonly View[] = [
  { name: 'board', path: '/p/SHOP', shows: '[data-testid=card-SHOP-138]' },
  {
    name: 'board-compact',
    path: '/p/SHOP',
    sizes: wide,
    shows: '[data-testid=card-SHOP-138]',
    prepare: (page) => page.addInitScript("localStorage.setItem('density', 'compact')"),
  },
  {
    name: 'board-palette',
    path: '/p/SHOP',
    shows: '[data-testid=card-SHOP-138]',
    act: async (page) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByTestId('palette').getByRole('combobox').fill('retry');
    },
  },
  {
    name: 'board-menu',
    path: '/p/SHOP',
    sizes: wide,
    shows: '[data-testid=card-SHOP-138]',
    act: (page) => page.getByRole('button', { name: 'Display' }).click(),
  },
  { name: 'board-keys', path: '/p/SHOP', sizes: wide, shows: '[data-testid=card-SHOP-138]', act: press('?') },
  {
    name: 'board-new-task',
    path: '/p/SHOP',
    shows: '[data-testid=card-SHOP-138]',
    act: (page) => page.getByTestId('new-task').click(),
  },
  { name: 'board-filtered', path: '/p/SHOP?q=nothing+has+this', shows: '.board:visible, .empty:visible' },
  { name: 'board-loading', path: '/p/SHOP', shows: '.sk:visible', prepare: never('**/cards*') },
  {
    name: 'board-error',
    path: '/p/SHOP',
    shows: '[role=alert], .error',
    prepare: refuse('**/cards*', 'database_error', 503),
  },
  { name: 'board-empty', path: '/p/NEW', shows: '.way' },
  {
    name: 'board-reconnecting',
    flows: true,
    path: '/p/SHOP',
    shows: '[data-testid=card-SHOP-138]',
    prepare: (page) => page.route('**/api/v1/events*', (route) => route.abort()),
    act: (page) => page.getByText('Reconnecting…').first().waitFor({ state: 'attached' }),
  },
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
    name: 'phone-more',
    path: '/p/SHOP',
    sizes: [390],
    shows: '[data-testid=card-SHOP-138]',
    act: (page) => page.getByRole('button', { name: 'More' }).click(),
  },
  { name: 'tasks', path: '/p/SHOP/tasks', shows: 'tbody tr' },
  { name: 'tasks-many', path: '/p/MANY/tasks', shows: 'tbody tr' },
  { name: 'task-panel', path: '/p/SHOP?task=SHOP-142', shows: '[data-testid=composer]' },
  { name: 'task-page', path: '/t/SHOP-142', shows: '[data-testid=composer]' },
  {
    name: 'task-start',
    path: '/t/SHOP-147',
    shows: '[data-testid=composer]',
    act: (page) => page.getByRole('button', { name: 'Start attempt' }).first().click(),
  },
  { name: 'task-missing', path: '/t/SHOP-999', shows: '.errpanel' },
  { name: 'attempt-timeline', path: '/a/SHOP-142.2?step=5', shows: '[data-testid=timeline-step-5]' },
  { name: 'attempt-feed', path: '/a/SHOP-142.2?tab=feed', shows: '.fr' },
  {
    name: 'attempt-changes',
    path: '/a/SHOP-142.2?tab=changes&file=src%2Fwebhooks%2Fretry.ts',
    shows: '[data-testid^=diff-file-]',
  },
  { name: 'attempt-details', path: '/a/SHOP-142.2?tab=details', shows: 'dl' },
  {
    name: 'attempt-follow-up',
    path: '/a/SHOP-142.2',
    shows: '[data-testid=timeline-step-5]',
    act: (page) => page.getByRole('button', { name: 'Follow up' }).first().click(),
  },
  { name: 'attempt-failed', path: '/a/SHOP-140.3', shows: '[data-testid^=timeline-step-]' },
  {
    name: 'inbox',
    path: '/inbox',
    shows: 'main h1',
    act: async (page) => {
      if (!isPhone(page)) await page.getByText('Run the migration on the staging database?').first().click();
    },
  },
  {
    name: 'inbox-opened',
    path: '/inbox',
    sizes: [390],
    shows: 'main h1',
    act: (page) => page.getByText('Run the migration on the staging database?').first().click(),
  },
  { name: 'inbox-empty', path: '/inbox', shows: 'h1, h2', as: 'member' },
  { name: 'runs', path: '/runs', shows: 'tbody tr' },
  { name: 'agents', path: '/agents', shows: '[data-testid=agent-atlas]' },
  { name: 'agents-one', path: '/agents/atlas', shows: 'h1' },
  { name: 'agents-new-first', path: '/agents?make=true', shows: '[role=dialog]' },
  {
    name: 'agents-new',
    path: '/agents?make=true',
    shows: '[role=dialog]',
    act: async (page) => {
      await page.getByLabel('Name').fill('fern');
      await page.getByRole('button', { name: 'Qwen Code' }).click();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByLabel('Docs').click();
      await page.getByRole('button', { name: 'Make the agent' }).click();
      await page.getByText('Shown this once').waitFor();
    },
  },
  { name: 'activity', path: '/activity', shows: '[data-row], tbody tr, li' },
  { name: 'settings', path: '/settings', shows: 'h1, h2' },
  { name: 'settings-project', path: '/p/SHOP/settings', shows: 'h1, h2' },
  { name: 'ops', path: '/ops', shows: 'h1' },
  { name: 'ops-not-allowed', path: '/ops', shows: 'main', as: 'member' },
  {
    name: 'signin',
    path: '/signin',
    shows: 'h1',
    as: 'stranger',
    act: async (page) => {
      await page.getByLabel('Name').fill('Ana Ruiz');
      await page.getByLabel('Password').fill('not this one');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').first().waitFor();
    },
  },
  { name: 'docs', path: '/docs', shows: 'h1', as: 'stranger' },
];
