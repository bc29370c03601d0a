import type { WireError } from '#gateway/gateway';
import type { TOOLS } from '#tools/catalog';

type BoardTool = (typeof TOOLS)['board'][number];
export type BoardToolName = BoardTool['name'];
type TypesOf<Name> = NonNullable<Extract<BoardTool, { readonly name: Name }>['types']>;
export type InputOf<Name extends BoardToolName> = TypesOf<Name>['input'];
export type AnswerOf<Name extends BoardToolName> = TypesOf<Name>['output'];

/** Lines that a person types while a command runs. */
export interface TypedLines {
  /** Returns the next line; null when there is none yet. */
  readonly take: () => string | null;
  readonly close: () => void;
}

/** The terminal of a command, or its stand-in in a test. */
export interface Terminal {
  /** Writes to stdout, unchanged. */
  readonly write: (text: string) => void;
  /** Writes to stderr, because stdout holds only the answer. */
  readonly remark: (text: string) => void;
  /** Whether stdout is a terminal. */
  readonly is_terminal: boolean;
  /** The width of a line in characters; infinite without a terminal. */
  readonly width: number;
  /** Starts to read typed lines; null when stdin is no terminal. */
  readonly listen: () => TypedLines | null;
  /** Resolves when the person interrupts the command. */
  readonly interrupted: () => Promise<void>;
}

/** What a board command uses: the terminal, and the tools of the board. */
export interface BoardCli extends Terminal {
  readonly json: boolean;
  /** Calls a tool of the board. Throws `Refused` when the tool refuses. */
  readonly ask: <Name extends BoardToolName>(name: Name, input: InputOf<Name>) => Promise<AnswerOf<Name>>;
  readonly print: (...lines: readonly string[]) => void;
  /** Prints an answer: as JSON for a script, as these lines for a person. */
  readonly tell: (answer: object, ...lines: readonly string[]) => void;
  /** Runs a command that is one call: prints the answer, and resolves with the exit code. */
  readonly call: <Name extends BoardToolName>(
    name: Name,
    input: InputOf<Name>,
    linesOf: (answer: AnswerOf<Name>) => readonly string[],
  ) => Promise<number>;
}

/** The refusal of a tool: the command ends with its error. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly error: WireError;
  readonly status: number;

  constructor(error: WireError, status: number) {
    super(error.message);
    this.error = error;
    this.status = status;
  }
}
