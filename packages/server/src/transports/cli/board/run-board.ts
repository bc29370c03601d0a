import { type Calls, Refused } from '#transports/cli/calls';
import { exitCodeOf } from '#transports/cli/exit-code';
import { WIDTH } from '#transports/cli/print';
import { tellFailure } from '#transports/cli/run-tool';
import { stopSignal } from '#transports/cli/stop-signal';
import type { Style, Terminal } from './board-cli.ts';
import type { BoardWork } from './board-command.ts';
import { openBoardCli } from './open-board-cli.ts';
import { typedLines } from './typed-lines.ts';

const CODES: Readonly<Record<Style, number>> = { green: 32, red: 31, yellow: 33, blue: 34, dim: 2, bold: 1 };

// Node looks at NO_COLOR and TERM as well.
const hasColours = (): boolean => process.stdout.isTTY === true && process.stdout.hasColors();

export const createPaint =
  (isOn: boolean): Terminal['paint'] =>
  (text, style) =>
    isOn ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;

const terminal = (): Terminal => ({
  write: (text) => void process.stdout.write(text),
  remark: (text) => void process.stderr.write(`${text}\n`),
  is_terminal: process.stdout.isTTY === true,
  width: process.stdout.isTTY === true ? process.stdout.columns || WIDTH : Number.POSITIVE_INFINITY,
  paint: createPaint(hasColours()),
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
