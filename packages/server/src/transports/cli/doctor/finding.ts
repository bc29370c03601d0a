import type { Style } from '#transports/cli/board/board-cli';
import { EXIT } from '#transports/cli/exit-code';
import { wrapped } from '#transports/cli/print';

/** What `errand doctor` found out about one part. */
export interface Finding {
  /** The part, in a word: "database". */
  readonly check: string;
  /** `failed` keeps Errand, or what was configured, from working; with a `warning` it works. */
  readonly state: 'ok' | 'warning' | 'failed';
  readonly says: string;
  /** What to do about it; null when there is nothing to do, or when `says` says it. */
  readonly todo: string | null;
}

export const fine = (check: string, says: string): Finding => ({ check, state: 'ok', says, todo: null });

export const warning = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'warning',
  says,
  todo,
});

export const failed = (check: string, says: string, todo: string | null): Finding => ({
  check,
  state: 'failed',
  says,
  todo,
});

interface Telling {
  readonly json: boolean;
  /** The width of a line in characters. */
  readonly width: number;
  readonly paint: (text: string, style: Style) => string;
  readonly print: (text: string) => void;
}

const STYLES = { ok: 'green', warning: 'yellow', failed: 'red' } as const;
const STATE = 9;
const CHECK = 10;

function linesOf({ check, state, says, todo }: Finding, { width, paint }: Telling): readonly string[] {
  const room = width - STATE - CHECK;
  const [first = '', ...others] = [says, ...(todo === null ? [] : [todo])].flatMap((text) =>
    wrapped(text, room).split('\n'),
  );
  const start = paint(state, STYLES[state]) + ' '.repeat(STATE - state.length) + check.padEnd(CHECK);
  return [start + first, ...others.map((line) => ' '.repeat(STATE + CHECK) + line)];
}

function summary(findings: readonly Finding[]): string {
  const count = findings.filter(({ state }) => state === 'failed').length;
  if (count === 0) return 'Nothing keeps Errand from working.';
  return count === 1 ? '1 thing does not work.' : `${count} things do not work.`;
}

/** Prints the findings. The exit code is 1 when something does not work. */
export function tellFindings(findings: readonly Finding[], telling: Telling): number {
  const is_ok = findings.every(({ state }) => state !== 'failed');
  const lines = [...findings.flatMap((finding) => linesOf(finding, telling)), '', summary(findings)];
  telling.print(telling.json ? JSON.stringify({ ok: is_ok, findings }) : lines.join('\n'));
  return is_ok ? EXIT.ok : EXIT.failed;
}
