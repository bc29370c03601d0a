import type { Style, Terminal } from './board-cli.ts';

const GAP = '  ';
/** The last column keeps this many characters, however wide the others are. */
const MIN_TEXT = 12;

type Cells = Readonly<Record<string, string>>;

export interface Table {
  /** One style for a cell; null for none. */
  readonly styleOf?: (column: string, text: string) => Style | null;
  /** Lines below a row, such as why an attempt failed. */
  readonly below?: (row: number) => readonly string[];
}

const lengthOf = (text: string): number => [...text].length;

/** Cuts a text that is longer than the room. */
export function cutTo(text: string, room: number): string {
  const characters = [...text];
  return characters.length <= room ? text : `${characters.slice(0, Math.max(0, room - 1)).join('')}…`;
}

/** Formats a table. The last column is cut to the rest of the line. */
export function tableOf(
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
  rows: readonly Cells[],
  { styleOf = () => null, below = () => [] }: Table = {},
): readonly string[] {
  const columns = Object.keys(rows[0] ?? {});
  const last = columns.length - 1;
  const widths = columns.map((column) => Math.max(...[column, ...rows.map((row) => row[column] ?? '')].map(lengthOf)));
  const taken = widths.slice(0, last).reduce((sum, each) => sum + each + GAP.length, 0);
  const room = Math.max(MIN_TEXT, width - taken);

  const lineOf = (cells: Cells, isHead: boolean): string =>
    columns
      .map((column, i) => {
        const whole = cells[column] ?? '';
        const text = i === last ? cutTo(whole, room) : whole;
        const style = isHead ? 'dim' : styleOf(column, text);
        const padding = i === last ? '' : ' '.repeat((widths[i] ?? 0) - lengthOf(text));
        return `${style === null || text === '' ? text : paint(text, style)}${padding}`;
      })
      .join(GAP)
      .trimEnd();

  const head = Object.fromEntries(columns.map((column) => [column, column]));
  const indent = ' '.repeat((widths[0] ?? 0) + GAP.length);
  return [
    lineOf(head, true),
    ...rows.flatMap((row, i) => [
      lineOf(row, false),
      ...below(i).map((line) => indent + cutTo(line, Math.max(MIN_TEXT, width - indent.length))),
    ]),
  ];
}
