import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { isSignedOut } from '../api/client.ts';
import { openLive, stopLive, useLive } from '../api/live-store.ts';
import { meQuery } from '../api/me.ts';
import { type Bindings, useKeys } from '../keys/bindings.ts';
import { ToastProvider } from '../ui/toast.tsx';
import { useOnePerson } from './one-person.ts';
import { PhoneTabs } from './phone-tabs.tsx';
import { PLACES } from './places.ts';
import { useProject } from './project.ts';
import { Rail } from './rail.tsx';
import { Refreshing } from './refreshing.tsx';
import { TopBar } from './top-bar.tsx';
import { useWaitingSigns } from './use-waiting.ts';
import './frame.css';
import './page.css';
import './view-bar.css';
import { lazily } from '../ui/lazily.ts';

// What opens later is loaded later: the first view must be small.
const NewTask = lazily(() => import('../task/new-task.tsx').then(({ NewTask }) => NewTask));
const ImportTasks = lazily(() => import('../board/import/import-tasks.tsx').then(({ ImportTasks }) => ImportTasks));
const KeysDialog = lazily(() => import('./keys-dialog.tsx').then(({ KeysDialog }) => KeysDialog));
const Palette = lazily(() => import('./palette.tsx').then(({ Palette }) => Palette));

type Opened = 'palette' | 'keys' | 'new-task' | 'import' | null;

/**
 * What surrounds every page: opens the event stream, leads to the sign-in when the session has ended, and has the keys
 * of all pages (⌘K, ?, C, G and a letter).
 */
export function Frame() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const project = useProject();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);

  const { data: me, error } = useQuery(meQuery);
  useOnePerson(me?.user.user_id);
  const { state } = useLive();
  useEffect(() => {
    // The stream says at once that a session was ended elsewhere.
    if (state === 'ended') void client.invalidateQueries({ queryKey: meQuery.queryKey });
  }, [state, client]);
  useEffect(() => {
    const here = window.location.pathname;
    // The address changes before the page does: the sign-in must not lead back to itself.
    if (isSignedOut(error) && here !== '/signin') void navigate({ to: '/signin', search: { to: here } });
  }, [error, navigate]);

  useEffect(() => {
    void openLive(client);
    return stopLive;
  }, [client]);

  const ways = PLACES.flat().flatMap(({ name, key, to }) =>
    key === undefined
      ? []
      : [[`g ${key}`, { does: `Go to ${name}`, run: () => void navigate({ to: to(project?.key ?? null) }) }] as const],
  );
  const bindings: Bindings = {
    'mod+k': { does: 'Search or run a command', run: () => setOpened('palette') },
    '?': { does: 'Keys for this view', run: () => setOpened('keys') },
    c: { does: 'New task', run: () => setOpened('new-task') },
    ...Object.fromEntries(ways),
  };
  useKeys(bindings);
  useWaitingSigns();

  return (
    <ToastProvider>
      <div className="app">
        <Rail onShowKeys={() => setOpened('keys')} />
        <div className="main">
          <TopBar
            onSearch={() => setOpened('palette')}
            onNewTask={() => setOpened('new-task')}
            onImport={() => setOpened('import')}
          />
          <Refreshing />
          <Outlet />
        </div>
        <PhoneTabs />
      </div>
      <Suspense>
        {opened === 'palette' ? (
          <Palette
            onClose={close}
            onNewTask={() => setOpened('new-task')}
            onImport={project?.scopes.includes('board:write') ? () => setOpened('import') : undefined}
          />
        ) : null}
        {opened === 'keys' ? <KeysDialog onClose={close} /> : null}
        {opened === 'new-task' ? <NewTask onClose={close} /> : null}
        {opened === 'import' && project !== null ? <ImportTasks project={project} onClose={close} /> : null}
      </Suspense>
    </ToastProvider>
  );
}
