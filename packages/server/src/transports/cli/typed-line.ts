import { isObject } from '#transports/json';
import type { Shown } from './screen.ts';

/** A command line that a server runs for another process of the same person. */
export interface TypedLine {
  readonly argv: readonly string[];
  /** The settings of that process, and where its login is kept. */
  readonly env: Readonly<Record<string, string>>;
  readonly terminal: Shown;
}

/** The path at which a server says that it runs: a command that gets no answer opens the data itself. */
export const HELLO = '/';
/** The path at which it runs command lines. */
export const LINES = '/lines';

/** The status of an answer that is printed. */
export const RUNS = 200;
/** The status for a command line that the process has to run itself: nothing was done. */
export const NOT_HERE = 409;

/** A piece of what a command prints, on stdout (1) or stderr (2); or its exit code (0), which is the last. */
export type Piece = readonly [1 | 2, string] | readonly [0, number];

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isColumns = (value: unknown): value is number => typeof value === 'number';

/** Reads the command line that a process sent; null when it has another form. */
export function typedLineIn(body: unknown): TypedLine | null {
  if (!isObject(body)) return null;
  const { argv, env, terminal } = body;
  if (!isTexts(argv) || !isObject(env) || !isTexts(Object.values(env)) || !isObject(terminal)) return null;
  return {
    argv,
    // Safe: checked above.
    env: env as Readonly<Record<string, string>>,
    terminal: {
      is_terminal: terminal.is_terminal === true,
      columns: isColumns(terminal.columns) ? terminal.columns : undefined,
      has_colours: terminal.has_colours === true,
      error_columns: isColumns(terminal.error_columns) ? terminal.error_columns : null,
    },
  };
}
