import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { projectsQuery } from './api/projects.ts';
import { queries } from './api/queries.ts';
import { Frame } from './shell/frame.tsx';

const root = createRootRoute();

const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame });

const start = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: async () => {
    const projects = await queries.ensureQueryData(projectsQuery);
    const first = projects.find(({ kind }) => kind === 'team') ?? projects[0];
    if (first?.key) throw redirect({ to: '/p/$key', params: { key: first.key } });
  },
});

interface BoardSearch {
  /** The key of the task whose panel is open. */
  readonly task?: string;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const board = createRoute({
  getParentRoute: () => frame,
  path: '/p/$key',
  validateSearch: ({ task }): BoardSearch => {
    const wanted = text(task);
    return wanted === undefined ? {} : { task: wanted };
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
