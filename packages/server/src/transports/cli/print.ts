import { isObject, type JsonObject } from '#transports/json';

// A title may hold escape sequences, which a terminal would obey.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is taken out.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(CONTROL, ' ');
}

const heading = (field: string): string => field.replaceAll('_', ' ');
const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - text.length));

function columns(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((text, i) => pad(text, widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function table(rows: readonly JsonObject[]): string[] {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return columns([
    fields.map(heading),
    ...rows.map((row) => fields.map((field) => cell(row[field]).replaceAll('\n', ' '))),
  ]);
}

function section(field: string, value: unknown): string[] {
  if (!Array.isArray(value) || !value.every(isObject)) return columns([[heading(field), cell(value)]]);
  return value.length === 0 ? [`no ${heading(field)}`] : table(value);
}

/** An answer for people: a table where it is a list, else one line for each field. */
export function readable(answer: unknown): string {
  if (!isObject(answer)) return cell(answer);
  const entries = Object.entries(answer);
  const isList = entries.some(([, value]) => Array.isArray(value) && value.every(isObject));
  if (isList) return entries.flatMap(([field, value]) => section(field, value)).join('\n');
  return columns(entries.map(([field, value]) => [heading(field), cell(value)])).join('\n');
}
