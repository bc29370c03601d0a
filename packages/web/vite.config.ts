import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The client of the REST API is taken from the server's sources.
  resolve: { conditions: ['errand-source', 'browser', 'module', 'development|production'] },
  build: {
    target: 'es2023',
    // Inlined files would be `data:` addresses of scripts and fonts, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
});
