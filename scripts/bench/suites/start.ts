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
const MAX_MS = 250;

/** Measures from the start of the process to its list of tools, with the handshake of an ordinary client. */
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

/** Measures from the start of a process to its end. */
async function toEnd(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(execPath, args, { env: cleanEnvironment(), stdio: 'ignore' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}

/** Measures from the start of a server to the line with its address. */
async function toReady(data: string): Promise<number> {
  const started = performance.now();
  const child = spawn(execPath, [ERRAND, 'serve', '--port', '0', '--data', data], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('{"board"')) break;
  const elapsed = performance.now() - started;
  child.kill('SIGTERM');
  await once(child, 'close');
  return elapsed;
}

/** Measures the start of Errand, beside a Node process that does nothing. */
export const start: Suite = async (): Promise<Section> => {
  await using folder = await temporaryFolder();
  const data = folder.path;
  const kinds = {
    node: () => toEnd(['-e', '0']),
    list: () => coldStart(data),
    command: () => toEnd([ERRAND, 'task', 'list', '--data', data]),
    serve: () => toReady(data),
  };
  await kinds.serve();
  const times = { node: [] as number[], list: [] as number[], command: [] as number[], serve: [] as number[] };
  // In turns, so that other load on the machine affects all of them.
  for (let count = 0; count <= STARTS; count++) {
    for (const kind of ['node', 'list', 'command', 'serve'] as const) {
      const elapsed = await kinds[kind]();
      if (count > 0) times[kind].push(elapsed);
    }
  }

  const node = median(times.node);
  const finding = (subject: string, own: number) => ({
    subject,
    figure: milliseconds(own),
    against: `\`node -e 0\`: ${milliseconds(node)}`,
    ratio: own / node,
  });
  const list = median(times.list);
  return {
    title: 'Starting',
    how: `From the start of the process, median of ${STARTS} starts in turns: \`errand mcp --profile todo\` to its first \`tools/list\`, \`errand task list\` to its end, \`errand serve\` to the line that says where it is.`,
    findings: [
      { ...finding('first `tools/list` over stdio', list), target: `≤ ${MAX_MS} ms`, met: list <= MAX_MS },
      finding('a command', median(times.command)),
      finding('a server', median(times.serve)),
    ],
  };
};
