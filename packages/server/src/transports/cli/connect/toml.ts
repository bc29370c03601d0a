/** A table of a TOML file, edited in place: the rest of the person's text stays unchanged. */

interface Header {
  readonly line: number;
  readonly keys: readonly string[];
}

interface Layout {
  readonly lines: readonly string[];
  readonly headers: readonly Header[];
  /** Keys with values, with the table that contains them. */
  readonly pairs: readonly Header[];
}

/** Names the place where the text is no valid TOML. */
export class NotToml extends Error {
  override readonly name = 'NotToml';
}

const KEY = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*/y;
const PIECE = /"""|'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|["']|#|[[\]{}]|[^"'#[\]{}]+/g;

/** Splits a text into the dotted key at its start and the rest. */
function keysAt(text: string): { readonly keys: readonly string[]; readonly rest: string } | null {
  const keys: string[] = [];
  for (let at = 0; ; at++) {
    KEY.lastIndex = at;
    const found = KEY.exec(text);
    if (found === null) return null;
    keys.push(found[1] ?? found[2] ?? found[3] ?? '');
    at = KEY.lastIndex;
    if (text[at] !== '.') return { keys, rest: text.slice(at) };
  }
}

/** A value that goes on in the next line: a multi-line string or a bracket. */
interface Open {
  readonly quote: string | null;
  readonly depth: number;
}

const CLOSED: Open = { quote: null, depth: 0 };

/** Returns the line after the end of a multi-line string; an escaped quote does not end it. */
function afterQuote(line: string, quote: string): string | null {
  const end = quote === '"""' ? /^(?:[^"\\]|\\.|"(?!""))*"""+/.exec(line)?.[0].length : line.indexOf(quote) + 3;
  return end === undefined || end < 3 ? null : line.slice(end);
}

function readLine(line: string, open: Open, number: number): Open {
  if (open.quote !== null) {
    const rest = afterQuote(line, open.quote);
    return rest === null ? open : readLine(rest, { ...open, quote: null }, number);
  }
  let { depth } = open;
  for (const { 0: piece, index } of line.matchAll(PIECE)) {
    if (piece === '#') break;
    if (piece === '"""' || piece === "'''") return readLine(line.slice(index + 3), { quote: piece, depth }, number);
    if (piece === '"' || piece === "'") throw new NotToml(`line ${number}`);
    if (piece === '[' || piece === '{') depth++;
    if (piece === ']' || piece === '}') depth--;
    if (depth < 0) throw new NotToml(`line ${number}`);
  }
  return { quote: null, depth };
}

function layoutOf(text: string): Layout {
  const lines = text.split('\n');
  const headers: Header[] = [];
  const pairs: Header[] = [];
  let open = CLOSED;
  for (const [index, line] of lines.entries()) {
    const trimmed = line.replace(/^\uFEFF/, '').trim();
    const isInside = open.quote !== null || open.depth > 0;
    if (!isInside && trimmed !== '' && !trimmed.startsWith('#')) {
      const isHeader = trimmed.startsWith('[');
      const found = keysAt(trimmed.replace(/^\[{1,2}/, ''));
      if (found === null || !(isHeader ? /^\]{1,2}\s*(#.*)?$/ : /^=/).test(found.rest)) {
        throw new NotToml(`line ${index + 1}`);
      }
      const table = isHeader ? [] : (headers.at(-1)?.keys ?? []);
      (isHeader ? headers : pairs).push({ line: index, keys: [...table, ...found.keys] });
    }
    open = readLine(line, open, index + 1);
  }
  if (open.quote !== null || open.depth > 0) throw new NotToml(`line ${lines.length}`);
  return { lines, headers, pairs };
}

const isWithin = (keys: readonly string[], table: readonly string[]): boolean =>
  table.every((key, i) => keys[i] === key);

/** Returns the line numbers of a table and its sub-tables. Comments before the next table belong to that table. */
function linesOf({ lines, headers }: Layout, table: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [i, { line, keys }] of headers.entries()) {
    if (!isWithin(keys, table)) continue;
    const next = headers[i + 1]?.line ?? lines.length;
    const isLoose = (at: number): boolean => /^\s*(#.*)?$/.test(lines[at] ?? '');
    let end = next;
    while (end > line + 1 && isLoose(end - 1)) end--;
    for (let at = line; at < end; at++) found.add(at);
  }
  return found;
}

/** Whether the same table is written in another form: `errand = {…}`, or keys with dots. */
function spelledOtherwise({ pairs }: Layout, table: readonly string[], own: ReadonlySet<number>): number | null {
  const other = pairs.find(
    ({ line, keys }) => !own.has(line) && (isWithin(keys, table) || (keys.length === 1 && keys[0] === table[0])),
  );
  return other === undefined ? null : other.line + 1;
}

function located(text: string, table: readonly string[]) {
  const layout = layoutOf(text);
  const own = linesOf(layout, table);
  const other = spelledOtherwise(layout, table, own);
  if (other !== null)
    throw new NotToml(`line ${other}, which spells ${table.join('.')} in a way that Errand cannot edit`);
  return { lines: layout.lines, own, first: Math.min(...own) };
}

/** Replaces the table of this name, or adds it at the end. */
export function setTable(text: string, table: readonly string[], content: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const added = content.replaceAll('\n', eol);
  const { lines, own, first } = located(text, table);
  if (own.size === 0) {
    const start = text.trimEnd();
    return `${start === '' ? '' : `${start}${eol}${eol}`}${added}${eol}`;
  }
  const carriage = eol === '\r\n' ? '\r' : '';
  return lines.flatMap((line, i) => (i === first ? [added + carriage] : own.has(i) ? [] : [line])).join('\n');
}

/** Removes a table and its sub-tables. Returns the same text when it is not there. */
export function removeTable(text: string, table: readonly string[]): string {
  const { lines, own, first } = located(text, table);
  if (own.size === 0) return text;
  const kept = lines.filter((_, i) => !own.has(i) && !(i === first - 1 && lines[i]?.trim() === ''));
  return kept.join('\n');
}
