import { spawn } from 'node:child_process';
import { constants } from 'node:os';

interface Ended {
  /** What a shell would say: 128 and the number of the signal for one that was killed. */
  readonly code: number;
  /** What went wrong, in a few words; null when nothing did. */
  readonly failure: string | null;
}

const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;
const MOST_CHARACTERS = 200;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
type Signal = (typeof SIGNALS)[number];

// A terminal sends it to the command as well, which would hear it twice.
const isOfTerminal = (signal: Signal): boolean =>
  (signal === 'SIGINT' || signal === 'SIGQUIT') &&
  [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

function endedAs(code: number | null, signal: NodeJS.Signals | null): Ended {
  if (signal !== null) return { code: 128 + constants.signals[signal], failure: `killed by ${signal}` };
  // One of the two is always there.
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
      // One that runs, as another user, may refuse a signal; it runs on.
      if (child.pid !== undefined) return;
      release();
      reject(error);
    });
  });
}

/** Some reasons not to run a command are thrown, others are told later. */
function notRun(program: string, error: unknown): Ended {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  // By character, as half a surrogate pair would be refused; much longer, the whole report would be.
  const name = [...program].slice(0, MOST_CHARACTERS).join('');
  const failure = `${name}: ${isMissing ? 'not found' : 'cannot be run'}`;
  process.stderr.write(`errand: ${failure}\n`);
  return { code: isMissing ? NOT_FOUND : NOT_RUNNABLE, failure };
}

/** Runs a command in our place: its streams and signals are ours. Never rejects. */
export async function runCommand([program, ...args]: readonly [string, ...string[]]): Promise<Ended> {
  try {
    return await run(program, args);
  } catch (error) {
    return notRun(program, error);
  }
}
