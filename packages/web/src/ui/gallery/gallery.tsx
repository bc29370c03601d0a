import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../tokens.css';
import '../base.css';
import { ToastProvider } from '../toast.tsx';
import { Controls, Icons, Overlays } from './controls.tsx';
import { Statuses } from './statuses.tsx';
import { Cards, Things } from './things.tsx';
import './gallery.css';

/** Every component in every state on one sheet, to be held beside the design. `?theme=dark&density=compact` as there. */
function Gallery() {
  return (
    <>
      <header className="sheet-head">
        <h1>Components</h1>
      </header>
      <main className="specs">
        <Statuses />
        <Controls />
        <Cards />
        <Overlays />
        <Icons />
        <Things />
      </main>
    </>
  );
}

for (const name of ['theme', 'density']) {
  const value = new URLSearchParams(location.search).get(name);
  if (value !== null) {
    document.documentElement.dataset[name] = value;
  }
}
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <ToastProvider>
        <Gallery />
      </ToastProvider>
    </StrictMode>,
  );
}
