import { type Calls, Refused } from '#transports/cli/calls';
import { exitCodeOf } from '#transports/cli/exit-code';
import { WIDTH } from '#transports/cli/print';
import { tellFailure } from '#transports/cli/run-tool';
import { ownScreen, type Screen } from '#transports/cli/screen';
import { stopSignal } from '#transports/cli/stop-signal';
import type { Style, Terminal } from './board-cli.ts';
import type { BoardWork } from './board-command.ts';
import { openBoardCli } from './open-board-cli.ts';
import { typedLines } from './typed-lines.ts';

const CODES: Readonly<Record<Style, number>> = { green: 32, red: 31, yellow: 33, blue: 34, dim: 2, bold: 1 };

export const createPaint =
  (isOn: boolean): Terminal['paint'] =>
  (text, style) =>
    isOn ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;

const terminalOf = ({ out, err, is_terminal, columns, has_colours }: Screen, inputs: Inputs): Terminal => ({
  write: (text) => void out(text),
  remark: (text) => err(`${text}\n`),
  is_terminal,
  width: is_terminal ? columns || WIDTH : Number.POSITIVE_INFINITY,
  paint: createPaint(has_colours),
  ...inputs,
});

/** What the person at the terminal can do while a command runs. */
type Inputs = Pick<Terminal, 'listen' | 'interrupted'>;

const OWN_INPUTS: Inputs = { listen: () => typedLines(process.stdin), interrupted: stopSignal };

/** Runs an everyday command and returns the exit code. Refusals of tools are printed as by any other command. */
export async function runBoard(
  calls: Calls,
  json: boolean,
  work: BoardWork,
  { screen = ownScreen(), inputs = OWN_INPUTS }: { readonly screen?: Screen; readonly inputs?: Inputs } = {},
): Promise<number> {
  try {
    return await work(openBoardCli({ calls, json, ...terminalOf(screen, inputs) }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tellFailure(error.error, json, screen);
    return exitCodeOf(error.status);
  }
}
