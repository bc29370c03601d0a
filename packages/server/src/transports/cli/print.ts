import { isObject, type JsonObject } from '#transports/json';

// A title may contain escape sequences, which the terminal would execute.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is taken out.
export const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const MAX_COLUMNS = 8;
/** The width for a terminal that does not report one. */
export const WIDTH = 80;
const INDENT = '  ';

const isNamed = (value: unknown): boolean => isObject(value) && typeof value.name === 'string';
const isRows = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** Returns the field by which people know an object. */
function nameOf(value: JsonObject): string {
  const known = [value.name, value.id].find((text) => typeof text === 'string');
  return known ?? JSON.stringify(value);
}

function words(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && isEmpty(value)) return 'none';
  if (Array.isArray(value)) return value.map(words).join(', ');
  const text = isObject(value) ? nameOf(value) : String(value);
  return text.replaceAll(CONTROL, ' ');
}

const heading = (field: string): string => field.replaceAll('_', ' ');
const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? line : INDENT + line));
const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));

/** Indents the further lines of a text to where it began. */
const hanging = (start: string, text: string): string[] =>
  text.split('\n').map((line, i) => ((i === 0 ? start : ' '.repeat(start.length)) + line).trimEnd());

const line = (field: string, value: unknown, column: number): string[] =>
  hanging(heading(field).padEnd(column) + INDENT, words(value));

function block(field: string, value: object, width: number): string[] {
  return [heading(field), ...indented(inside(value, width - INDENT.length))];
}

function inside(value: object, width: number): string[] {
  if (isRows(value)) return rows(value, width);
  if (Array.isArray(value)) return value.flatMap((item) => hanging('- ', words(item)));
  return parts(Object.entries(value), width).flat();
}

/** One-line fields in one column, then the fields that have lines of their own. */
function parts(entries: readonly (readonly [string, unknown])[], width: number): string[][] {
  const blocks = entries.flatMap(([field, value]) =>
    typeof value === 'object' && value !== null && !isEmpty(value) ? [{ field, value }] : [],
  );
  const own = new Set(blocks.map(({ field }) => field));
  const lines = entries.filter(([field]) => !own.has(field));
  const column = widest(lines.map(([field]) => field));
  return [
    lines.flatMap(([field, value]) => line(field, value, column)),
    ...blocks.map(({ field, value }) => block(field, value, width)),
  ].filter((part) => part.length > 0);
}

/** Rows inside a row have no name that a cell could show. */
const isNested = (value: unknown): value is readonly JsonObject[] => isRows(value) && !value.every(isNamed);

function rows(list: readonly JsonObject[], width: number): string[] {
  const fields = [...new Set(list.flatMap((row) => Object.keys(row)))];
  const isTable = fields.length <= MAX_COLUMNS && !list.some((row) => Object.values(row).some(isNested));
  const lines = isTable ? table(fields, list) : [];
  return isTable && widest(lines) <= width ? lines : records(fields, list, width);
}

function table(fields: readonly string[], list: readonly JsonObject[]): string[] {
  const cells = [
    fields.map(heading),
    ...list.map((row) => fields.map((field) => words(row[field]).replaceAll('\n', ' '))),
  ];
  const widths = fields.map((_, i) => widest(cells.map((row) => row[i] ?? '')));
  return cells.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join(INDENT)
      .trimEnd(),
  );
}

function records(fields: readonly string[], list: readonly JsonObject[], width: number): string[] {
  const column = widest(fields);
  return list.flatMap((row, i) => [
    ...(i === 0 ? [] : ['']),
    ...Object.entries(row).flatMap(([field, value]) =>
      isNested(value) ? block(field, value, width) : line(field, value, column),
    ),
  ]);
}

/** Breaks the lines of a text between words. A word that is longer than a line stays whole: people copy it. */
export const wrapped = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => {
      if (line.length <= width) return [line];
      const lines: string[] = [];
      for (const word of line.split(' ')) {
        const last = lines.at(-1);
        if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
        else lines[lines.length - 1] = `${last} ${word}`;
      }
      return lines;
    })
    .join('\n');

/** Formats an answer for people: a table for a list, else its fields. `width` is that of the terminal. */
export function readable(answer: unknown, width = WIDTH): string {
  if (!isObject(answer)) return words(answer);
  const [first, ...rest] = Object.entries(answer);
  if (first === undefined) return '';
  const [field, value] = first;
  if (rest.length === 0 && isObject(value)) return readable(value, width);
  if (rest.length === 0 && Array.isArray(value) && value.length === 0) return `no ${heading(field)}`;
  // Only a list and a cursor: its rows need no heading.
  const isList = isRows(value) && rest.every(([, other]) => typeof other !== 'object' || other === null);
  const shown = isList ? [rows(value, width), ...parts(rest, width)] : parts([first, ...rest], width);
  return shown.map((lines) => lines.join('\n')).join('\n\n');
}
