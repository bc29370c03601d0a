import {
  dayOf,
  type ImportFile,
  type ImportNote,
  importedTask,
  MAX_IMPORTED_TASKS,
  namesIn,
  type Parsed,
  priorityOf,
  readParts,
} from './imported-task.ts';

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The names that other programs give the columns. */
const COLUMNS = {
  ref: ['id', 'key', 'ref', 'number', 'issue key', 'issue id', 'task'],
  title: ['title', 'name', 'summary', 'subject', 'task name'],
  description: ['description', 'body', 'notes', 'details'],
  status: ['status', 'state', 'column'],
  priority: ['priority', 'urgency'],
  labels: ['labels', 'label', 'tags', 'tag'],
  parent_ref: ['parent', 'parent id', 'parent key', 'parent task'],
  blocked_by: ['blocked by', 'depends on', 'dependencies', 'blockers'],
  target_date: ['due', 'due date', 'target date', 'deadline'],
} as const;
type Column = keyof typeof COLUMNS;

/** Rows that are read: the names, and one more than an import takes. */
const MAX_ROWS = MAX_IMPORTED_TASKS + 2;

const SEPARATORS = [',', ';', '\t'] as const;

/** Reads rows as RFC 4180 has them: quoted cells may hold separators, quotes and line ends. */
function rowsOf(text: string, separator: string): { readonly rows: readonly Row[]; readonly open: number | null } {
  const rows: Row[] = [];
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let start = 1;
  let quoted: number | null = null;
  const end = (): void => {
    cells.push(cell);
    if (cells.some((each) => each.trim() !== '')) rows.push({ line: start, cells });
    cells = [];
    cell = '';
    start = line;
  };
  for (let at = 0; at < text.length && rows.length < MAX_ROWS; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\n') line += 1;
    if (quoted !== null) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = null;
    } else if (sign === '"' && cell === '') quoted = line;
    else if (sign === separator) {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') end();
    else cell += sign;
  }
  if (rows.length < MAX_ROWS) end();
  return { rows, open: quoted };
}

const plainName = (name: string): string => name.trim().toLowerCase().replaceAll(/[_-]/g, ' ');

function columnsOf(head: readonly string[]): ReadonlyMap<Column, number> {
  const places = new Map<string, number>();
  for (const [at, name] of head.map(plainName).entries()) if (!places.has(name)) places.set(name, at);
  const found = new Map<Column, number>();
  for (const [column, spellings] of Object.entries(COLUMNS)) {
    const named = spellings.flatMap((spelling) => places.get(spelling) ?? []);
    // Safe: the keys of the table.
    if (named.length > 0) found.set(column as Column, Math.min(...named));
  }
  return found;
}

const separatorOf = (head: string): string =>
  SEPARATORS.toSorted((one, other) => head.split(other).length - head.split(one).length)[0] ?? ',';

const headOf = (text: string): string => text.split('\n', 1)[0] ?? '';

/** Whether a text begins with the names of columns, a title among them. */
export function looksLikeCsv(text: string): boolean {
  const head = headOf(text);
  const separator = separatorOf(head);
  return head.includes(separator) && columnsOf(rowsOf(head, separator).rows[0]?.cells ?? []).has('title');
}

/** A table with a row of names first. */
export function readCsv({ path, text }: ImportFile): Parsed {
  const { rows, open } = rowsOf(text, separatorOf(headOf(text)));
  const [head, ...others] = rows;
  const fault = (line: number, words: string): ImportNote => ({ file: path, line, text: words });
  const columns = columnsOf(head?.cells ?? []);
  if (open !== null)
    return { tasks: [], faults: [fault(open, 'The quote that begins here never ends.')], left_out: [] };
  if (!columns.has('title')) {
    const names = `title (or ${COLUMNS.title.slice(1).join(', ')})`;
    return {
      tasks: [],
      faults: [fault(1, `The first line must name the columns, one of them ${names}.`)],
      left_out: [],
    };
  }
  return readParts(others, ({ line, cells }, _, { faults }) => {
    const of = (column: Column): string => (cells[columns.get(column) ?? -1] ?? '').replaceAll('\r', '').trim();
    if (of('title') === '') {
      faults.push(fault(line, 'This row has no title.'));
      return [];
    }
    return [
      importedTask({
        ref: of('ref') || `line ${line}`,
        title: of('title'),
        description: of('description'),
        status: of('status') || null,
        priority: priorityOf(of('priority')),
        labels: namesIn(of('labels')),
        parent_ref: of('parent_ref') || null,
        blocked_by: namesIn(of('blocked_by')),
        target_date: dayOf(of('target_date')),
        file: path,
        line,
      }),
    ];
  });
}
