import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const MAIN = new URL('main.ts', import.meta.url).pathname;

it('[EXMP-01, R11] runs and checks itself', async () => {
  const { stdout } = await run(process.execPath, ['--conditions=errand-source', MAIN]);

  expect(stdout).toMatch(/All checks passed\.\n$/);
}, 20_000);
