import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const MODULE = pathToFileURL(join(import.meta.dirname, 'stop-signal.ts')).href;
/** Gets the same signal again as soon as it has got the first. */
const PROGRAM = `
  const { abortOnStop } = await import('${MODULE}');
  const timer = setInterval(() => undefined, 1000);
  abortOnStop().addEventListener('abort', () => {
    process.kill(process.pid, 'SIGINT');
    setImmediate(() => setImmediate(() => clearInterval(timer)));
  });
  process.kill(process.pid, 'SIGINT');
`;

it('takes a signal that comes twice, from the terminal and from the launcher, for one', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { stdio: 'inherit' });

  expect(await once(child, 'exit')).toEqual([0, null]);
});
