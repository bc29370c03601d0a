import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { type ActivityView, activityViewIn } from './activity/entries.ts';
import { isSignedOut } from './api/client.ts';
import type { InboxKind } from './api/inbox.ts';
import { openLive } from './api/live-store.ts';
import { meQuery } from './api/me.ts';
import { queries } from './api/queries.ts';
import { attemptSearch } from './attempt/attempt-search.ts';
import { type BoardFilter, filterIn } from './board/filter.ts';
import { isKind } from './inbox/kinds.ts';
import { opsViewIn } from './ops/range.ts';
import { type RunsView, viewIn } from './runs/filter.ts';
import { Frame } from './shell/frame.tsx';
import { NoSuchPage } from './shell/no-such-page.tsx';
import { PageError } from './shell/page-error.tsx';
import { firstProject } from './shell/project.ts';
import { tableViewIn } from './tasks/view.ts';
import { loadModule } from './ui/lazily.ts';

const root = createRootRoute();

const page: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadModule(load), name);

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

interface SignInSearch {
  /** The address to open after signing in. */
  readonly to?: string;
  /** `used`: the person came by a link that has been used. */
  readonly link?: string;
  /** The key of the link for the first admin of a server. */
  readonly first?: string;
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/signin',
  validateSearch: (search): SignInSearch => {
    const to = text(search.to);
    const link = text(search.link);
    const first = text(search.first);
    return {
      ...(to !== undefined && { to }),
      ...(link !== undefined && { link }),
      ...(first !== undefined && { first }),
    };
  },
  component: page(() => import('./signin/sign-in-page.tsx'), 'SignInPage'),
});

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ location }) => {
    try {
      await openLive(queries);
      await queries.ensureQueryData(meQuery);
    } catch (error) {
      if (isSignedOut(error)) throw redirect({ to: '/signin', search: { to: location.href } });
    }
  },
});

const start = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: async () => {
    const { projects } = await queries.ensureQueryData(meQuery);
    const first = firstProject(projects);
    if (first?.key) throw redirect({ to: '/p/$key', params: { key: first.key } });
  },
});

interface BoardSearch extends BoardFilter {
  /** The key of the task whose panel is open. */
  readonly task?: string;
}

const board = createRoute({
  getParentRoute: () => frame,
  path: '/p/$key',
  validateSearch: (search): BoardSearch => {
    const task = text(search.task);
    return { ...filterIn(search), ...(task !== undefined && { task }) };
  },
  component: page(() => import('./board/board-page.tsx'), 'BoardPage'),
});

const task = createRoute({
  getParentRoute: () => frame,
  path: '/t/$key',
  component: page(() => import('./task/task-page.tsx'), 'TaskPage'),
});

const tasks = createRoute({
  getParentRoute: () => frame,
  path: '/p/$key/tasks',
  validateSearch: tableViewIn,
  component: page(() => import('./tasks/tasks-page.tsx'), 'TasksPage'),
});

interface InboxSearch {
  /** Only what is of this kind. */
  readonly kind?: InboxKind;
  /** Only for what has waited longest first; the newest comes first otherwise. */
  readonly order?: 'oldest';
  /** The entry that is opened. */
  readonly row?: string;
}

const inbox = createRoute({
  getParentRoute: () => frame,
  path: '/inbox',
  validateSearch: ({ kind, order, ...search }): InboxSearch => {
    const row = text(search.row);
    return {
      ...(isKind(kind) && { kind }),
      ...(order === 'oldest' && { order }),
      ...(row !== undefined && { row }),
    };
  },
  component: page(() => import('./inbox/inbox-page.tsx'), 'InboxPage'),
});

const attempt = createRoute({
  getParentRoute: () => frame,
  path: '/a/$attempt',
  validateSearch: attemptSearch,
  component: page(() => import('./attempt/attempt-page.tsx'), 'AttemptPage'),
});

const runs = createRoute({
  getParentRoute: () => frame,
  path: '/runs',
  validateSearch: (search): RunsView => viewIn(search),
  component: page(() => import('./runs/runs-page.tsx'), 'RunsPage'),
});

const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  component: page(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

const projectSettings = createRoute({
  getParentRoute: () => frame,
  path: '/p/$key/settings',
  component: page(() => import('./settings/project-settings-page.tsx'), 'ProjectSettingsPage'),
});

const activity = createRoute({
  getParentRoute: () => frame,
  path: '/activity',
  validateSearch: (search): ActivityView => activityViewIn(search),
  component: page(() => import('./activity/activity-page.tsx'), 'ActivityPage'),
});

interface AgentsSearch {
  readonly q?: string | undefined;
  /** The dialog for a new agent is open. */
  readonly make?: boolean | undefined;
}

const agents = createRoute({
  getParentRoute: () => frame,
  path: '/agents',
  validateSearch: (search): AgentsSearch => {
    const q = text(search.q);
    return { ...(q !== undefined && { q }), ...(search.make === true && { make: true }) };
  },
  component: page(() => import('./agents/agents-page.tsx'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => frame,
  path: '/agents/$id',
  component: page(() => import('./agents/agent-page.tsx'), 'AgentPage'),
});

const ops = createRoute({
  getParentRoute: () => frame,
  path: '/ops',
  validateSearch: opsViewIn,
  component: page(() => import('./ops/ops-page.tsx'), 'OpsPage'),
});

/** The pages and their addresses, what each keeps in its address, and who is sent to the sign-in. */
export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    frame.addChildren([
      start,
      inbox,
      board,
      tasks,
      task,
      attempt,
      runs,
      agents,
      agent,
      settings,
      projectSettings,
      ops,
      activity,
    ]),
  ]),
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NoSuchPage,
  defaultPreload: 'intent',
  // What was read is kept by the query cache.
  defaultPreloadStaleTime: 0,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}
