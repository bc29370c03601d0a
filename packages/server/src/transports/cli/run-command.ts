import { spawn } from 'node:child_process';
import { constants } from 'node:os';

interface Ended {
  /** The exit code as in a shell: 128 plus the number of the signal for a killed command. */
  readonly code: number;
  /** What went wrong, in short; null for success. */
  readonly failure: string | null;
}

const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;
const MAX_CHARACTERS = 200;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
type Signal = (typeof SIGNALS)[number];

// A terminal also sends the signal to the command itself; passing it on would deliver it twice.
const isOfTerminal = (signal: Signal): boolean =>
  (signal === 'SIGINT' || signal === 'SIGQUIT') &&
  [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

function endedAs(code: number | null, signal: NodeJS.Signals | null): Ended {
  if (signal !== null) return { code: 128 + constants.signals[signal], failure: `killed by ${signal}` };
  // Node gives either a code or a signal.
  const exit = code ?? 1;
  return { code: exit, failure: exit === 0 ? null : `exit ${exit}` };
}

function run(program: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    const handlers = SIGNALS.map(
      (signal) => [signal, () => void (isOfTerminal(signal) || child.kill(signal))] as const,
    );
    for (const [signal, handler] of handlers) process.on(signal, handler);

    const release = (): void => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    };
    child.once('exit', (code, signal) => {
      release();
      resolve(endedAs(code, signal));
    });
    child.on('error', (error) => {
      // A command that runs as another user may refuse a signal; it keeps running.
      if (child.pid !== undefined) return;
      release();
      reject(error);
    });
  });
}

/** Node throws some reasons why a command cannot run, and emits others as an event. */
function notRun(program: string, error: unknown): Ended {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  // Cut by character: half a surrogate pair, or a much longer name, would make the whole report invalid.
  const name = [...program].slice(0, MAX_CHARACTERS).join('');
  const failure = `${name}: ${isMissing ? 'not found' : 'cannot be run'}`;
  process.stderr.write(`errand: ${failure}\n`);
  return { code: isMissing ? NOT_FOUND : NOT_RUNNABLE, failure };
}

/** Runs a command with our own streams and signals. Never rejects. */
export async function runCommand([program, ...args]: readonly [string, ...string[]]): Promise<Ended> {
  try {
    return await run(program, args);
  } catch (error) {
    return notRun(program, error);
  }
}
