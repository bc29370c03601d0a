import { type Calls, Refused } from '#transports/cli/calls';
import { exitCodeOf } from '#transports/cli/exit-code';
import { WIDTH } from '#transports/cli/print';
import { tellFailure } from '#transports/cli/run-tool';
import { stopSignal } from '#transports/cli/stop-signal';
import type { Terminal } from './board-cli.ts';
import type { BoardWork } from './board-command.ts';
import { openBoardCli } from './open-board-cli.ts';
import { typedLines } from './typed-lines.ts';

const terminal = (): Terminal => ({
  write: (text) => void process.stdout.write(text),
  remark: (text) => void process.stderr.write(`${text}\n`),
  is_terminal: process.stdout.isTTY === true,
  width: process.stdout.isTTY === true ? process.stdout.columns || WIDTH : Number.POSITIVE_INFINITY,
  listen: () => typedLines(process.stdin),
  interrupted: stopSignal,
});

/** Runs an everyday command and returns the exit code. Refusals of tools are printed as by any other command. */
export async function runBoard(calls: Calls, json: boolean, work: BoardWork): Promise<number> {
  try {
    return await work(openBoardCli({ calls, json, ...terminal() }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tellFailure(error.error, json);
    return exitCodeOf(error.status);
  }
}
