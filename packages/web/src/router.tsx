import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { meQuery } from './api/me.ts';
import { queries } from './api/queries.ts';
import { type BoardFilter, filterIn } from './board/filter.ts';
import { Frame } from './shell/frame.tsx';
import { firstProject } from './shell/project.ts';

const root = createRootRoute();

const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame });

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

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const board = createRoute({
  getParentRoute: () => frame,
  path: '/p/$key',
  validateSearch: (search): BoardSearch => {
    const task = text(search.task);
    return { ...filterIn(search), ...(task !== undefined && { task }) };
  },
  component: lazyRouteComponent(() => import('./board/board-page.tsx'), 'BoardPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([frame.addChildren([start, board])]),
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
