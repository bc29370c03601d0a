import type { WireError } from '#gateway/gateway';
import type { TOOLS } from '#tools/catalog';

type BoardTool = (typeof TOOLS)['board'][number];
export type BoardToolName = BoardTool['name'];
type TypesOf<Name> = NonNullable<Extract<BoardTool, { readonly name: Name }>['types']>;
export type InputOf<Name extends BoardToolName> = TypesOf<Name>['input'];
export type AnswerOf<Name extends BoardToolName> = TypesOf<Name>['output'];

/** Lines that a person types while a command goes on. */
export interface TypedLines {
  /** The next one; null when there is none yet. */
  readonly take: () => string | null;
  readonly close: () => void;
}

/** The terminal of a command, or its stand-in in a test. */
export interface Terminal {
  /** Writes to stdout, as it is. */
  readonly write: (text: string) => void;
  /** Says something on stderr, where stdout is for the answer alone. */
  readonly remark: (text: string) => void;
  /** Whether a person reads stdout. */
  readonly is_terminal: boolean;
  /** How many characters fit into a line; infinite where no terminal is. */
  readonly width: number;
  /** Listens for what is typed; null when nobody is there to type. */
  readonly listen: () => TypedLines | null;
  /** Resolves when the person wants the command to end. */
  readonly interrupted: () => Promise<void>;
}

/** What a board command works with: the terminal, and the tools of the board. */
export interface BoardCli extends Terminal {
  readonly json: boolean;
  /** Calls a tool of the board; its refusal is thrown. */
  readonly ask: <Name extends BoardToolName>(name: Name, input: InputOf<Name>) => Promise<AnswerOf<Name>>;
  readonly print: (...lines: readonly string[]) => void;
  /** Prints an answer: as JSON for a script, in these lines for a person. */
  readonly tell: (answer: object, ...lines: readonly string[]) => void;
  /** A command that is one call: prints the answer, and resolves with the exit code. */
  readonly call: <Name extends BoardToolName>(
    name: Name,
    input: InputOf<Name>,
    linesOf: (answer: AnswerOf<Name>) => readonly string[],
  ) => Promise<number>;
}

/** A tool has refused: the command ends with its error. */
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
