import { spawn } from 'node:child_process';
import { EXIT } from '#transports/cli/exit-code';

export interface ClientRun {
  readonly code: number;
  /** The end of the command's output, stdout and stderr together. */
  readonly said: string;
}

const MAX_SAID = 4_000;

/** Runs a command of the client without a shell. */
export function runClient([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<ClientRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const hear = (text: string): void => {
      said = (said + text).slice(-MAX_SAID);
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? EXIT.failed, said: said.trim() }));
  });
}
