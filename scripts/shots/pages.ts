import { setTimeout } from 'node:timers/promises';
import { NOW } from './schedule.ts';
import { answered, refusal, type View } from './view.ts';

const SOON_MS = 60_000;
const POLL_MS = 10_000;
/** An answer takes less. */
const PATIENCE_MS = 1_000;

/**
 * The figures of the server are drawn while their page is open: it stays open for this many reads, while agents call.
 */
const watchedFor =
  (reads: number): NonNullable<View['act']> =>
  async (page, { as, projects }) => {
    await page.clock.pauseAt(NOW + SOON_MS);
    for (let read = 0; read < reads; read += 1) {
      const calls = 6 + Math.round(4 * Math.sin(read / 3)) + (read % 3);
      for (let call = 0; call < calls; call += 1) await as('atlas', 'list_tasks', { project_id: projects.get('SHOP') });
      const answer = page.waitForResponse('**/operations*').then(() => true);
      await page.clock.runFor(POLL_MS);
      // A page that still takes in the last answer when its time comes asks again only after another ten seconds.
      while (!(await Promise.race([answer, setTimeout(PATIENCE_MS, false)]))) await page.clock.runFor(POLL_MS);
    }
  };

/** Every page of the board, as somebody finds it who opens its address. */
export const PAGES: readonly View[] = [
  { name: 'board', path: '/p/SHOP', shows: '[data-testid=card-SHOP-138]' },
  { name: 'tasks', path: '/p/SHOP/tasks', shows: 'tbody tr' },
  { name: 'task-panel', path: '/p/SHOP?task=SHOP-142', shows: '[data-testid=composer]' },
  { name: 'task-page', path: '/t/SHOP-142', shows: '[data-testid=composer]' },
  { name: 'attempt-timeline', path: '/a/SHOP-142.2?step=5', shows: '[data-testid=timeline-step-5]' },
  { name: 'attempt-feed', path: '/a/SHOP-142.2?tab=feed', shows: '.fr' },
  {
    name: 'attempt-changes',
    path: '/a/SHOP-142.2?tab=changes&file=src%2Fwebhooks%2Fretry.ts',
    shows: '[data-testid^=diff-file-]',
  },
  { name: 'attempt-details', path: '/a/SHOP-142.2?tab=details', shows: 'dl' },
  { name: 'inbox', path: '/inbox', shows: '.ib' },
  { name: 'runs', path: '/runs', shows: 'tbody tr' },
  { name: 'agents', path: '/agents', shows: '[data-testid=agent-atlas]' },
  { name: 'agents-one', path: '/agents/atlas', shows: '.agentpage h1' },
  { name: 'activity', path: '/activity', shows: 'tbody tr' },
  { name: 'settings', path: '/settings', shows: '[data-testid^=person-]' },
  { name: 'settings-project', path: '/p/SHOP/settings', shows: '[data-testid=guide-preview]' },
  { name: 'ops', path: '/ops', shows: '.toolt tbody tr', flows: true, act: watchedFor(40) },
];

/** A page while it loads, when it could not be loaded, for those who may not see it, and while the server is away. */
const statesOf = ({ name, path, shows }: View): readonly View[] => [
  {
    name: `${name}-loading`,
    path,
    shows: '[role=status][aria-label$="loading"]',
    prepare: answered(() => new Promise(() => undefined)),
  },
  {
    name: `${name}-error`,
    path,
    shows: '.errpanel, .ierr, [role=alert]',
    prepare: answered(refusal(400, { code: 'database_error', message: 'The database did not answer.' })),
  },
  {
    name: `${name}-not-allowed`,
    path,
    shows: 'text=/can grant it/i',
    prepare: answered(refusal(403, { code: 'forbidden', message: 'This needs the scope board:read.' })),
  },
  {
    name: `${name}-reconnecting`,
    path,
    shows,
    flows: true,
    prepare: (of) => of.route('**/api/v1/events*', (route) => route.abort()),
    act: (of) => of.getByText('Reconnecting…').first().waitFor({ state: 'attached' }),
  },
];

/** Each page in the states that every page has. */
export const STATES: readonly View[] = PAGES.flatMap(statesOf);
