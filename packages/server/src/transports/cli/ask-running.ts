import type { IncomingMessage } from 'node:http';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandPlace, readRecord } from './command-place.ts';
import { EXIT } from './exit-code.ts';
import { ownTerminal } from './screen.ts';
import { HELLO, LINES, NOT_HERE, type Piece, RUNS } from './typed-line.ts';

interface Start {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** Commands whose work is no call of tools, which listen to keys while they run, or whose files lie in the folder of the person. */
const OWN: ReadonlySet<string> = new Set(
  'serve mcp worker open connect login logout step migrate doctor watch import help'.split(' '),
);
/** The variables that decide what a command does. */
const SETTINGS = /^(?:ERRAND_|PLANE_|TASK_MANAGER_|NOVA_|USE_MOCK_CLIENT$|HOME$|XDG_CONFIG_HOME$)/;

/** A server that takes longer to say that it is there is stopped or overloaded: the data itself is quicker. */
const HELLO_MS = 1_000;
const LOST = {
  code: 'not_reachable',
  message: 'The server that runs on this data did not answer to the end.',
  hint: 'What you asked for may have been done: look before you repeat it.',
  retryable: true,
} as const;

/** The data folder of a line; null when the program itself must read the line. The server decides whether it is all of the place. */
function dataIn(words: readonly string[], env: Start['env']): string | null {
  const at = words.findIndex((word) => word === '--data' || word.startsWith('--data='));
  const [first = '', next] = at === -1 ? [] : words.slice(at);
  const given = at === -1 ? env.ERRAND_DATA || '~/.errand' : first === '--data' ? next : first.slice('--data='.length);
  if (!given) return null;
  return resolve(given === '~' || given.startsWith('~/') ? join(homedir(), given.slice(1)) : given);
}

interface Sent {
  readonly socket: string;
  readonly secret: string;
  readonly path: string;
  readonly body: string;
  readonly timeout_ms?: number;
}

function send({ socket, secret, path, body, timeout_ms }: Sent): Promise<IncomingMessage> {
  // `import` would also load Node's WebSocket, which takes as long as the rest of a command.
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((answered, reject) => {
    request({
      ...{ socketPath: socket, path, method: 'POST', agent: false },
      headers: { authorization: `Bearer ${secret}`, 'content-length': Buffer.byteLength(body) },
      ...(timeout_ms !== undefined && { signal: AbortSignal.timeout(timeout_ms) }),
    })
      .once('response', answered)
      .on('error', reject)
      .end(body);
  });
}

/** Asks whether the server is there. Not part of the command: one that is sent twice would be done twice. */
async function isThere(sent: Omit<Sent, 'path' | 'body' | 'timeout_ms'>): Promise<boolean> {
  try {
    const response = await send({ ...sent, path: HELLO, body: '', timeout_ms: HELLO_MS });
    response.resume();
    return response.statusCode === RUNS;
  } catch {
    return false;
  }
}

/** The lines of an answer, as they come. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** Prints the pieces. Resolves with the exit code; null when the answer ends without one. */
async function print(response: IncomingMessage): Promise<number | null> {
  try {
    for await (const line of linesOf(response)) {
      // Safe: only our own server knows the secret.
      const [stream, said] = JSON.parse(line) as Piece;
      if (stream === 0) return said;
      const output = stream === 1 ? process.stdout : process.stderr;
      if (!output.write(said)) await new Promise((drained) => output.once('drain', drained));
    }
  } catch {
    // Cut off in the middle: there is no exit code.
  }
  return null;
}

function lost(isJson: boolean): number {
  process.stderr.write(isJson ? `${JSON.stringify({ error: LOST })}\n` : `errand: ${LOST.message}\n${LOST.hint}\n`);
  return EXIT.not_reachable;
}

/**
 * Has the server that runs on this data run the command: it has loaded the program and opened the database already.
 * Resolves with the exit code; null when this process has to run it.
 */
export async function askRunning({ words, env, version }: Start): Promise<number | null> {
  const [command = '-'] = words;
  if (command.startsWith('-') || OWN.has(command) || words.includes('--wait')) return null;
  const data = dataIn(words, env);
  if (data === null) return null;
  const place = commandPlace(data);
  const record = readRecord(place);
  if (record === null || record.version !== version) return null;
  const { socket } = place;
  const { secret } = record;
  if (!(await isThere({ socket, secret }))) return null;

  const settings = Object.entries(env).filter(([name]) => SETTINGS.test(name));
  const body = JSON.stringify({ argv: words, env: Object.fromEntries(settings), terminal: ownTerminal() });
  process.stdout.on('error', leave);
  try {
    const response = await send({ socket, secret, path: LINES, body }).catch(() => null);
    if (response?.statusCode === RUNS) return (await print(response)) ?? lost(words.includes('--json'));
    response?.resume();
    return response?.statusCode === NOT_HERE ? null : lost(words.includes('--json'));
  } finally {
    process.stdout.off('error', leave);
  }
}

/** The reader of stdout may stop reading, like `head`: that needs no stack trace. */
const leave = (): never => process.exit(EXIT.failed);
