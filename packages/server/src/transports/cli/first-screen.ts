import { CLIENTS, setupLines } from '#transports/mcp-clients';

export interface Started {
  readonly version: string;
  readonly ready_ms: number;
  readonly url: string;
  /** The addresses for other machines. */
  readonly others: readonly string[];
  readonly board_url: string;
  /** The link with which the first admin chooses a name and a password; null when there is one. */
  readonly first_admin: string | null;
  /** The place of the tasks, as shown to people. */
  readonly data: string;
  readonly is_new: boolean;
  /** The token of the first agent: shown only at the very first start. */
  readonly first_token: string | null;
  /** The port that was asked for, when another process has it. */
  readonly taken_port: number | null;
}

const MIN_WIDTH = 45;
const NAME = 10;
const INDENT = '  ';

/** Formats rows of name, value and remark, with the remarks in one column. A remark without room goes below its value. */
function rows(entries: readonly (readonly [left: string, remark: string])[], width: number): string[] {
  const fits = (column: number, remark: string): boolean => INDENT.length + column + remark.length <= width;
  const columns = entries.map(([left, remark]) => (remark === '' ? 0 : left.length + 2));
  const column = Math.max(MIN_WIDTH, ...columns.filter((needed, i) => fits(needed, entries[i]?.[1] ?? '')));
  return entries.flatMap(([left, remark]) => {
    const isBeside = left.length + 2 <= column && fits(column, remark);
    const lines = isBeside || remark === '' ? [left.padEnd(column) + remark] : [left, ' '.repeat(NAME) + remark];
    return lines.map((line) => `${INDENT}${line}`.trimEnd());
  });
}

const named = (name: string, value: string): string => `${name.padEnd(NAME)}${value}`;

function connectLines(mcp_url: string, token: string): string[] {
  const shown = CLIENTS.map((client) => client.setup(mcp_url, token))
    .filter(({ kind }) => kind === 'command')
    .slice(0, 3)
    .flatMap(setupLines);
  return [
    '',
    '  A token for your first agent, shown this once:',
    `    ${token}`,
    '',
    '  Paste one of these:',
    ...shown.map((line) => `    ${line}`),
  ];
}

/** What a person sees when the server is up. */
export interface FirstScreen {
  /** Where everything is: printed as soon as the server answers. */
  readonly at_once: string;
  /** The rest, with the known agents on this machine and their versions: asking for them takes longer than the start. */
  readonly rest: (found: readonly string[]) => string;
}

/** Returns the text that a person sees when the server is up. `width` is that of the terminal. */
export function firstScreen(started: Started, width = Number.POSITIVE_INFINITY): FirstScreen {
  const { version, ready_ms, url, others, board_url, first_admin, data, is_new, first_token, taken_port } = started;
  const mcp_url = `${url}/mcp`;
  const places: readonly (readonly [string, string])[] = [
    [`Errand ${version}`, `ready in ${(ready_ms / 1000).toFixed(1)} s`],
    [named('Board', board_url), 'opens once, then a cookie keeps you in'],
    ...(first_admin === null
      ? []
      : [[named('Admin', first_admin), 'choose a name and a password; once, within a day'] as const]),
    [named('Agents', mcp_url), 'also stdio: errand mcp'],
    ...others.map((other): [string, string] => [named('Network', other), 'from other machines, with a token']),
    [named('Data', data), is_new ? 'new' : ''],
  ];
  const next = [named('Next', 'errand connect'), `Docs ${url}/docs    Stop Ctrl-C`] as const;
  // Both parts have their remarks in one column.
  const above = rows([...places, next], width);
  const below = above.splice(above.findIndex((line) => line.startsWith(`${INDENT}Next`)));
  if (taken_port !== null)
    below.push(`  ${named('Note', `port ${taken_port} is taken, so this is the next free one`)}`);
  if (first_token !== null) below.push(...connectLines(mcp_url, first_token));
  return {
    at_once: `\n${above.join('\n')}\n`,
    rest: (found) => {
      const names = named('Found', found.length === 0 ? 'no agent that it knows' : found.join(' · '));
      return `${[`${INDENT}${names}`, ...below].join('\n')}\n\n`;
    },
  };
}
