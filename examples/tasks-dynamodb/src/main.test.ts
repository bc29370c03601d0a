import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';

const run = promisify(execFile);
const MAIN = new URL('main.ts', import.meta.url).pathname;

it('[EXMP-04, R4] runs and checks itself', async () => {
  const { stdout } = await run(process.execPath, [
    '--conditions=errand-source',
    MAIN,
    '--endpoint',
    inject('dynamodbEndpoint'),
  ]);

  expect(stdout).toMatch(/All checks passed\.\n$/);
}, 60_000);
