import { WIDTH } from './print.ts';

/** The properties of a terminal. */
export interface Shown {
  /** Whether stdout is a terminal. */
  readonly is_terminal: boolean;
  /** The columns of stdout, where it has some. */
  readonly columns?: number | undefined;
  readonly has_colours: boolean;
  /** The columns of stderr; null when it is no terminal. */
  readonly error_columns: number | null;
}

/** Where a command prints: the terminal of this process, or that of a command which a server runs. */
export interface Screen extends Shown {
  /** Writes to stdout. The promise resolves when the reader can take more. */
  readonly out: (text: string) => Promise<void>;
  /** Writes to stderr. */
  readonly err: (text: string) => void;
}

/** Describes the terminal of this process. */
export function ownTerminal(): Shown {
  const { stdout, stderr } = process;
  return {
    is_terminal: stdout.isTTY === true,
    columns: stdout.columns,
    // Node looks at NO_COLOR and TERM as well.
    has_colours: stdout.isTTY === true && stdout.hasColors(),
    error_columns: stderr.isTTY === true ? stderr.columns || WIDTH : null,
  };
}

/** The terminal of this process. */
export const ownScreen = (): Screen => ({
  ...ownTerminal(),
  out: (text) =>
    new Promise((resolve) => {
      // A long list would fill the memory while its reader is slow.
      if (process.stdout.write(text)) resolve();
      else process.stdout.once('drain', resolve);
    }),
  err: (text) => void process.stderr.write(text),
});
