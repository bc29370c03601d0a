import type { AnswerOf as AnswerIn, Calls, InputOf as InputIn, ToolNameOf } from '#transports/cli/calls';

export type BoardToolName = ToolNameOf<'board'>;
export type InputOf<Name extends BoardToolName> = InputIn<'board', Name>;
export type AnswerOf<Name extends BoardToolName> = AnswerIn<'board', Name>;

/** Lines that a person types while a command runs. */
export interface TypedLines {
  /** Returns the next line; null when there is none yet. */
  readonly take: () => string | null;
  readonly close: () => void;
}

export type Style = 'green' | 'red' | 'yellow' | 'blue' | 'dim' | 'bold';

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
  /** Colours a text where the terminal shows colours; elsewhere it stays as it is. */
  readonly paint: (text: string, style: Style) => string;
  /** Starts to read typed lines; null when stdin is no terminal. */
  readonly listen: () => TypedLines | null;
  /** Resolves when the person interrupts the command. */
  readonly interrupted: () => Promise<void>;
}

/** What a board command uses: the terminal, and the tools of the board. */
export interface BoardCli extends Terminal {
  readonly json: boolean;
  /** The address of the server; null for the data of this machine. */
  readonly address: string | null;
  /** Calls a tool of another profile. Throws `Refused` when the tool refuses. */
  readonly askOther: Calls['ask'];
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
