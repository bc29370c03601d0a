import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { initialize, rpc } from '../../../test/e2e/drivers/mcp-messages.ts';
import { cleanEnvironment, ERRAND, temporaryFolder } from '../../../test/e2e/program.ts';
import { milliseconds, type Section } from '../report.ts';
import { median } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const STARTS = 10;
const MAX_MS = 300;

/** From the start of the process to its list of tools, with the handshake of an ordinary client between. */
async function coldStart(data: string): Promise<number> {
  const started = performance.now();
  const child = spawn(execPath, [ERRAND, 'mcp', '--profile', 'todo', '--data', data], {
    env: cleanEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  const say = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  say(initialize('2025-11-25', 1));
  await lines.next();
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  say(rpc('2025-11-25', 2, 'tools/list'));
  const { value } = await lines.next();
  const elapsed = performance.now() - started;

  child.stdin.end();
  await ended;
  if (!String(value).includes('"add_task"')) throw new Error(`tools/list answered ${value}`);
  return elapsed;
}

/** How long an agent waits for Errand when it starts it itself. */
export const stdio: Suite = async (): Promise<Section> => {
  await using folder = await temporaryFolder();
  await coldStart(folder.path);
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) times.push(await coldStart(folder.path));

  const p50 = median(times);
  return {
    title: 'Starting: stdio',
    how: `From the start of \`errand mcp --profile todo\` to the answer of the first \`tools/list\`, ${STARTS} starts.`,
    findings: [{ subject: 'p50', figure: milliseconds(p50), target: `≤ ${MAX_MS} ms`, met: p50 <= MAX_MS }],
  };
};
