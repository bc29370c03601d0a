import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { initialize, rpc } from './drivers/mcp-messages.ts';
import { cleanEnvironment, ERRAND } from './program.ts';

const REVISION = '2025-11-25';
/** Together far larger than the buffer of a pipe. */
const LISTS = 100;

it('a reporter flushes its answers before it stops', async () => {
  const child = spawn(execPath, [ERRAND, 'mcp', '--profile', 'executions'], {
    env: cleanEnvironment({ USE_MOCK_CLIENT: 'true' }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const lists = Array.from({ length: LISTS }, (_, i) => rpc(REVISION, i + 2, 'tools/list'));
  child.stdin.write([initialize(REVISION, 1), ...lists].map((message) => `${JSON.stringify(message)}\n`).join(''));
  await once(output, 'line');

  child.kill('SIGTERM');

  expect(await ended).toEqual([0, null]);
  expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toHaveLength(1 + LISTS);
});
