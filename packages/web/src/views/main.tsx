import { routes } from 'virtual:tool-routes';
import { focusManager, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { defaults } from 'errand/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from '../api/queries.ts';
import { createHost } from './host.ts';
import { createToolFetch } from './tool-fetch.ts';
import { createViewRouter, HostProvider } from './view-router.tsx';
import '../ui/tokens.css';
import '../ui/base.css';

/** How often a view asks again while a person is in it. One that they scrolled past, or left, asks nothing. */
const ASK_AGAIN_MS = 15_000;
const HEIGHTS = { board: 560, task: 640 } as const;

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');

const host = createHost(window, window.parent);
defaults.fetch = createToolFetch(routes, host.callTool);

focusManager.setEventListener((onFocus) => {
  const onChange = () => onFocus(document.hasFocus());
  window.addEventListener('focus', onChange);
  window.addEventListener('blur', onChange);
  return () => {
    window.removeEventListener('focus', onChange);
    window.removeEventListener('blur', onChange);
  };
});
queries.setDefaultOptions({
  ...queries.getDefaultOptions(),
  queries: {
    ...queries.getDefaultOptions().queries,
    // No stream of events reaches a view.
    staleTime: ASK_AGAIN_MS,
    refetchOnWindowFocus: true,
    refetchInterval: ASK_AGAIN_MS,
  },
});

const dark = window.matchMedia('(prefers-color-scheme: dark)');
function applyTheme(): void {
  document.documentElement.dataset.theme = host.state().theme ?? (dark.matches ? 'dark' : 'light');
}
applyTheme();
dark.addEventListener('change', applyTheme);
host.watch(applyTheme);

const view = document.documentElement.dataset.view === 'task' ? 'task' : 'board';
void host.start().then(() => host.tellSize(document.documentElement.clientWidth, HEIGHTS[view]));

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <HostProvider value={host}>
        <RouterProvider router={createViewRouter()} />
      </HostProvider>
    </QueryClientProvider>
  </StrictMode>,
);
