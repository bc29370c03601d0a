import { isObject, type JsonObject } from '#transports/json';

// A title may hold escape sequences, which a terminal would obey.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is taken out.
export const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const MAX_COLUMNS = 8;
/** The width of a terminal that does not say its own. */
export const WIDTH = 80;
const INDENT = '  ';

const isNamed = (value: unknown): boolean => isObject(value) && typeof value.name === 'string';
const isRows = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** An object by what people know it by. */
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

/** Text of several lines goes on below where it began. */
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

/** What fits on a line each, in one column, and then what has lines of its own. */
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

/** Rows within a row have no name that could stand for them in a cell. */
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

/** An answer for people: a table where it is a list, else its fields; `width` is that of their terminal. */
export function readable(answer: unknown, width = WIDTH): string {
  if (!isObject(answer)) return words(answer);
  const [first, ...rest] = Object.entries(answer);
  if (first === undefined) return '';
  const [field, value] = first;
  if (rest.length === 0 && isObject(value)) return readable(value, width);
  if (rest.length === 0 && Array.isArray(value) && value.length === 0) return `no ${heading(field)}`;
  // A list and where it goes on: there is nothing to tell its rows apart from.
  const isList = isRows(value) && rest.every(([, other]) => typeof other !== 'object' || other === null);
  const shown = isList ? [rows(value, width), ...parts(rest, width)] : parts([first, ...rest], width);
  return shown.map((lines) => lines.join('\n')).join('\n\n');
}
