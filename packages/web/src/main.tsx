import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { router } from './router.tsx';
import './ui/tokens.css';
import './ui/base.css';

/** Where the board is drawn: the only element of index.html. */
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root.');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
