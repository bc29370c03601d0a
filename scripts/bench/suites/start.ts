import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process, { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { initialize, rpc } from '../../../test/e2e/drivers/mcp-messages.ts';
import { cleanEnvironment, ERRAND, temporaryFolder } from '../../../test/e2e/program.ts';
import { serve } from '../errand.ts';
import { type Finding, milliseconds, type Section } from '../report.ts';
import { median } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const STARTS = 10;
const BUSY_LOOPS = 2;
const MAX_MS = { list: 150, busy: 400, command: 250, served: 250, serve: 500 } as const;

/** Keeps a core busy until it is disposed. */
function busyLoop(): AsyncDisposable {
  const child = spawn(execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const ended = once(child, 'close');
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    [Symbol.asyncDispose]: async () => {
      process.off('exit', end);
      end();
      await ended;
    },
  };
}

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

/** Measures each kind in turns, so that other load on the machine affects all of them. The first turn is discarded. */
async function inTurns<Kind extends string>(
  kinds: Readonly<Record<Kind, () => Promise<number>>>,
): Promise<Readonly<Record<Kind, number>>> {
  // The cast: `Object.entries` loses the names of the keys.
  const entries = Object.entries(kinds) as [Kind, () => Promise<number>][];
  const times = new Map<Kind, number[]>(entries.map(([kind]) => [kind, []]));
  for (let count = 0; count <= STARTS; count++) {
    for (const [kind, measure] of entries) {
      const elapsed = await measure();
      if (count > 0) times.get(kind)?.push(elapsed);
    }
  }
  return Object.fromEntries([...times].map(([kind, all]) => [kind, median(all)])) as Readonly<Record<Kind, number>>;
}

async function besideLoops(data: string) {
  await using loops = new AsyncDisposableStack();
  for (let loop = 0; loop < BUSY_LOOPS; loop++) loops.use(busyLoop());
  return await inTurns({ node: () => toEnd(['-e', '0']), list: () => coldStart(data) });
}

/** Measures the start of Errand, beside a Node process that does nothing. */
export const start: Suite = async (): Promise<Section> => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  const data = folder.path;
  const served = other.path;
  await toReady(data);
  await using _ = await serve({ data: served });
  const quiet = await inTurns({
    node: () => toEnd(['-e', '0']),
    list: () => coldStart(data),
    command: () => toEnd([ERRAND, 'task', 'list', '--data', data]),
    served: () => toEnd([ERRAND, 'task', 'list', '--data', served]),
    serve: () => toReady(data),
  });
  const busy = await besideLoops(data);

  const finding = (subject: string, own: number, most: number, node: number): Finding => ({
    subject,
    figure: milliseconds(own),
    against: `\`node -e 0\`: ${milliseconds(node)}`,
    ratio: own / node,
    target: `≤ ${most} ms`,
    met: own <= most,
  });
  return {
    title: 'Starting',
    how: `From the start of the process, median of ${STARTS} starts in turns: \`errand mcp --profile todo\` to its first \`tools/list\`, \`errand task list\` to its end, \`errand serve\` to the line that says where it is.`,
    findings: [
      finding('first `tools/list` over stdio', quiet.list, MAX_MS.list, quiet.node),
      finding(`the same beside ${BUSY_LOOPS} busy loops`, busy.list, MAX_MS.busy, busy.node),
      finding('a command, while a server runs on its data', quiet.served, MAX_MS.served, quiet.node),
      finding('a command that opens the data itself', quiet.command, MAX_MS.command, quiet.node),
      finding('a server', quiet.serve, MAX_MS.serve, quiet.node),
    ],
  };
};
