const MAX_COLUMNS = 200;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Writes JSON in one line, with spaces. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isContainer(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inline(inner)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const isValues = (value: unknown): value is unknown[] => Array.isArray(value) && !value.some(isContainer);

/** True for an object of plain values: a field of a schema, whose description may be long. */
const isLeaf = (value: object): boolean =>
  Object.values(value).every((inner) => !isContainer(inner) || isValues(inner));

/** Puts as many values into each line as fit. */
function filled(values: readonly unknown[], indent: string): readonly string[] {
  const lines: string[] = [];
  for (const value of values.map(inline)) {
    const longer = `${lines.at(-1) ?? indent}, ${value}`;
    if (lines.length > 0 && longer.length < MAX_COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${value}`);
  }
  return lines;
}

/** Puts plain fields and short lists of an object that follow each other into one line, as far as they fit; every other field into its own. */
function fieldsOf(value: object, indent: string): readonly string[] {
  const rows: string[] = [];
  let isPlainBefore = false;
  for (const [key, inner] of Object.entries(value)) {
    const name = `${JSON.stringify(key)}: `;
    const field = `${name}${printed(inner, indent, name.length + 1)}`;
    const isPlain = !isContainer(inner) || (isValues(inner) && !field.includes('\n'));
    const longer = `${rows.at(-1) ?? ''}, ${field}`;
    if (isPlain && isPlainBefore && longer.length < MAX_COLUMNS) rows[rows.length - 1] = longer;
    else rows.push(`${indent}${field}`);
    isPlainBefore = isPlain;
  }
  return rows;
}

function rowsOf(value: object, indent: string): readonly string[] {
  if (isValues(value)) return filled(value, indent);
  if (Array.isArray(value)) return value.map((inner) => `${indent}${printed(inner, indent, 1)}`);
  return fieldsOf(value, indent);
}

function printed(value: unknown, indent: string, used: number): string {
  const line = inline(value);
  if (!isContainer(value) || indent.length + used + line.length <= MAX_COLUMNS) return line;
  if (!Array.isArray(value) && isLeaf(value)) return line;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${rowsOf(value, `${indent}  `).join(',\n')}\n${indent}${close}`;
}

/** Writes JSON with each object and list in one line if it fits, or if it has only plain values; plain fields share lines. */
export const compactJson = (value: unknown): string => `${printed(JSON.parse(JSON.stringify(value)), '', 0)}\n`;
