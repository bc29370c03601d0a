import { type ImportedTask, type ImportFile, importedTask, MAX_IMPORTED_TASKS, type Parsed } from './imported-task.ts';

const TAB = 4;
const ITEM = /^(?<indent>[ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[(?<box>[ xX~/-])\][ \t]+)?(?<title>\S.*)$/s;
/** A line across the page, which looks like an item. */
const RULE = /^[ \t]*[-*_](?:[ \t]*[-*_]){2,}[ \t]*$/;
const BOXES: Readonly<Record<string, string>> = {
  x: 'done',
  X: 'done',
  '~': 'cancelled',
  '-': 'cancelled',
  '/': 'inprogress',
};

const widthOf = (indent: string): number => [...indent].reduce((sum, sign) => sum + (sign === '\t' ? TAB : 1), 0);

type Groups = Readonly<Record<string, string | undefined>>;

const itemIn = (line: string): Groups | undefined => (RULE.test(line) ? undefined : ITEM.exec(line)?.groups);

interface Item {
  readonly width: number;
  readonly line: number;
  readonly title: string;
  readonly fields: Partial<ImportedTask>;
  /** The lines below it. */
  readonly words: string[];
}

/**
 * A list in Markdown: each item is a task, items below it are its sub-tasks, ticked ones are done, and indented lines
 * are its description. Headings and other text between the lists are left out. A text without any item: each line is a
 * task.
 */
export function readList({ path, text }: ImportFile): Parsed {
  const lines = text.split(/\r?\n/);
  const isList = lines.some((line) => itemIn(line) !== undefined);
  const items: Item[] = [];
  const open: Item[] = [];
  let isFenced = false;

  for (const [index, whole] of lines.entries()) {
    // With more nothing is imported, and a text may have a million lines.
    if (items.length > MAX_IMPORTED_TASKS) break;
    const line = whole.trimEnd();
    const words = line.trim();
    if (words.startsWith('```')) isFenced = !isFenced;
    const found = isFenced ? undefined : itemIn(line);
    if (found !== undefined) {
      const width = widthOf(found.indent ?? '');
      while (open.length > 0 && (open.at(-1)?.width ?? 0) >= width) open.pop();
      const parent = open.at(-1);
      const fields = {
        status: BOXES[found.box ?? ''] ?? null,
        parent_ref: parent === undefined ? null : `line ${parent.line}`,
      };
      const item = { width, line: index + 1, title: found.title ?? '', fields, words: [] };
      items.push(item);
      open.push(item);
      continue;
    }
    if (!isList) {
      if (words !== '' && !words.startsWith('#') && !RULE.test(words)) {
        items.push({ width: 0, line: index + 1, title: words, fields: {}, words: [] });
      }
      continue;
    }
    const last = open.at(-1);
    // A blank line may stand between an item and what is indented below it.
    if (last === undefined || (words === '' && last.words.length === 0)) continue;
    if (words !== '' && widthOf(/^[ \t]*/.exec(line)?.[0] ?? '') <= last.width) open.length = 0;
    else last.words.push(words);
  }
  const tasks = items.map(({ line, title, fields, words }) =>
    importedTask({ ref: `line ${line}`, title, file: path, line, description: words.join('\n'), ...fields }),
  );
  return { tasks, faults: [], left_out: [] };
}
