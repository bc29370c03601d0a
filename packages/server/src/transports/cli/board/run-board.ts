import type { Gateway } from '#gateway/gateway';
import { exitCodeOf } from '#transports/cli/exit-code';
import { WIDTH } from '#transports/cli/print';
import { callerOf, tellFailure } from '#transports/cli/run-tool';
import { stopSignal } from '#transports/cli/stop-signal';
import { Refused, type Terminal } from './board-cli.ts';
import type { BoardWork } from './board-command.ts';
import { openBoardCli } from './open-board-cli.ts';
import { typedLines } from './typed-lines.ts';

interface BoardAccess {
  readonly gateway: Gateway;
  /** The caller's token; null for the owner of the machine. */
  readonly token: string | null;
  readonly json: boolean;
}

const terminal = (): Terminal => ({
  write: (text) => void process.stdout.write(text),
  remark: (text) => void process.stderr.write(`${text}\n`),
  is_terminal: process.stdout.isTTY === true,
  width: process.stdout.isTTY === true ? process.stdout.columns || WIDTH : Number.POSITIVE_INFINITY,
  listen: () => typedLines(process.stdin),
  interrupted: stopSignal,
});

/** Runs an everyday command and returns the exit code. Refusals of tools are printed as by any other command. */
export async function runBoard({ gateway, token, json }: BoardAccess, work: BoardWork): Promise<number> {
  const caller = await callerOf(gateway, token);
  try {
    return await work(openBoardCli({ gateway, caller, json, ...terminal() }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tellFailure(error.error, json);
    return exitCodeOf(error.status);
  }
}
