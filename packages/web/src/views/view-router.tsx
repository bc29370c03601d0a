import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  useParams,
  useRouter,
} from '@tanstack/react-router';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import { BoardView } from './board-view.tsx';
import type { Host } from './host.ts';
import { startOf } from './start.ts';
import { TaskView } from './task-view.tsx';
import './views.css';

const TheHost = createContext<Host | null>(null);
export const HostProvider = TheHost.Provider;

function View() {
  return (
    <ToastProvider>
      <main className="in-chat">
        <Outlet />
      </main>
    </ToastProvider>
  );
}

const nothing = () => () => undefined;
const noState = () => null;

function Start() {
  const host = useContext(TheHost);
  const state = useSyncExternalStore(host?.watch ?? nothing, host?.state ?? noState);
  const router = useRouter();
  const start = state === null ? null : startOf(state);
  const to = start?.kind === 'page' ? start.path : null;
  useEffect(() => {
    if (to !== null) void router.navigate({ to, replace: true });
  }, [to, router]);
  return start?.kind === 'note' ? <p className="view-note">{start.text}</p> : null;
}

function Board() {
  const router = useRouter();
  const { key = '' } = useParams({ strict: false });
  return <BoardView project={key} onOpen={(name) => void router.navigate({ to: `/t/${encodeURIComponent(name)}` })} />;
}

function Task() {
  const { history } = useRouter();
  const { key = '' } = useParams({ strict: false });
  return <TaskView key={key} name={key} onBack={history.canGoBack() ? () => history.back() : null} />;
}

/** Links of the board lead to pages that a chat does not show. */
function Elsewhere() {
  const { history } = useRouter();
  return (
    <Empty
      icon="board"
      title="This page is on the web board"
      actions={<Button onClick={() => history.back()}>Back</Button>}
    >
      Run errand open to see it there.
    </Empty>
  );
}

const root = createRootRoute({ component: View, notFoundComponent: Elsewhere });

/** The pages of a view. Their addresses are those of the web board, so that its links work; the frame itself has none. */
export const createViewRouter = () =>
  createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/', component: Start }),
      createRoute({ getParentRoute: () => root, path: '/p/$key', component: Board }),
      createRoute({ getParentRoute: () => root, path: '/t/$key', component: Task }),
    ]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
    defaultPreload: false,
  });
