import { subscribe } from 'node:diagnostics_channel';
import { openSync, readdirSync } from 'node:fs';
import process from 'node:process';
import { ERRAND } from '../e2e/program.ts';
import type { Held } from './soak.ts';

// `errand serve` that reports its memory and handles on request; run with --expose-gc.
const [data = '', plant] = process.argv.slice(2);

if (plant === 'leak') {
  const kept: unknown[] = [];
  subscribe('http.server.request.start', (message) => {
    if (kept.push(message) % 100 === 0) openSync('/dev/null', 'r');
  });
}

process.on('message', () => {
  // Twice: the second collection frees what the first finalised.
  globalThis.gc?.();
  globalThis.gc?.();
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const held: Held = { heap: process.memoryUsage().heapUsed, files: readdirSync('/proc/self/fd').length, timers };
  process.send?.(held);
});

process.argv.splice(2, Number.POSITIVE_INFINITY, 'serve', '--port', '0', '--data', data);
await import(ERRAND);
