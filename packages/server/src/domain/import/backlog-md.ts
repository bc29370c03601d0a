import { dayOf, type ImportFile, importedTask, type Parsed, priorityOf } from './imported-task.ts';

const FRONT = /^\uFEFF?---[ \t]*\r?\n(?<front>[\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const FIELD = /^(?<name>[\w-]+):[ \t]*(?<value>.*)$/;
/** Marks that Backlog.md puts around the parts of a task for itself. */
const MARKS = /^<!-- (?:SECTION:[A-Z_]+|AC|DOD):(?:BEGIN|END) -->\r?\n?/gm;

type Fields = ReadonlyMap<string, readonly string[]>;

function unquoted(text: string): string {
  const trimmed = text.trim();
  const quote = trimmed[0];
  if ((quote !== '"' && quote !== "'") || trimmed.length < 2 || !trimmed.endsWith(quote)) return trimmed;
  const inner = trimmed.slice(1, -1);
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replaceAll('\\"', '"');
}

const inlineList = (text: string): readonly string[] =>
  text
    .slice(1, -1)
    .split(',')
    .map(unquoted)
    .filter((each) => each !== '');

/** The fields before a task: names with a text or a list of texts, which is all that Backlog.md writes of YAML. */
function fieldsOf(front: string): Fields {
  const fields = new Map<string, string[]>();
  const folded = new Map<string[], string[]>();
  let current: string[] = [];
  let isFolded = false;
  for (const line of front.split(/\r?\n/)) {
    const field = FIELD.exec(line)?.groups;
    if (field !== undefined) {
      const value = (field.value ?? '').trim();
      isFolded = /^[>|][+-]?$/.test(value);
      current =
        isFolded || value === ''
          ? []
          : value.startsWith('[') && value.endsWith(']')
            ? [...inlineList(value)]
            : [unquoted(value)];
      fields.set((field.name ?? '').toLowerCase(), current);
    } else if (/^\s*- /.test(line) && !isFolded) current.push(unquoted(line.replace(/^\s*- /, '')));
    else if (line.trim() !== '') {
      const parts = folded.get(current) ?? [];
      parts.push(line.trim());
      folded.set(current, parts);
    }
  }
  // Joined at the end: to lengthen a text by each of a million lines takes minutes.
  for (const [field, parts] of folded) field.splice(0, 1, [...field.slice(0, 1), ...parts].join(' ').trim());
  return fields;
}

/** Whether a text is a task of Backlog.md: its fields first, between two lines of dashes. */
export function looksLikeBacklog(text: string): boolean {
  const front = FRONT.exec(text)?.groups?.front;
  const fields = fieldsOf(front ?? '');
  return fields.has('id') && fields.has('title');
}

/** Refs are compared in lower case: the files are called task-1, newer ones name it TASK-1. */
const refOf = (name: string): string => name.trim().toLowerCase();

/** A task of Backlog.md: a file of its own. */
export function readBacklog({ path, text }: ImportFile): Parsed {
  const found = FRONT.exec(text);
  const fields = fieldsOf(found?.groups?.front ?? '');
  const one = (name: string): string => fields.get(name)?.[0] ?? '';
  const title = one('title');
  if (title === '')
    return { tasks: [], faults: [{ file: path, line: 1, text: 'This task has no title.' }], left_out: [] };
  const parent = one('parent_task_id') || one('parent');
  const body = text
    .slice(found?.[0].length ?? 0)
    .replaceAll(MARKS, '')
    .replaceAll('\r', '');
  const task = importedTask({
    ref: refOf(one('id')),
    title,
    description: body.trim(),
    status: one('status') || null,
    priority: priorityOf(one('priority')),
    labels: fields.get('labels') ?? [],
    parent_ref: parent === '' ? null : refOf(parent),
    blocked_by: (fields.get('dependencies') ?? []).map(refOf),
    target_date: dayOf(one('due_date')),
    file: path,
    line: 1,
  });
  return { tasks: [task], faults: [], left_out: [] };
}
