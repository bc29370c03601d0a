import { type ImportedTask, type ImportFile, importedTask, type Parsed } from './imported-task.ts';

const TAB = 4;
const ITEM = /^(?<indent>[ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[(?<box>[ xX~/-])\][ \t]+)?(?<title>\S.*)$/;
const BOXES: Readonly<Record<string, string>> = {
  x: 'done',
  X: 'done',
  '~': 'cancelled',
  '-': 'cancelled',
  '/': 'inprogress',
};

const widthOf = (indent: string): number => [...indent].reduce((sum, sign) => sum + (sign === '\t' ? TAB : 1), 0);

interface Open {
  readonly width: number;
  readonly at: number;
}

/** Whether a text has an item of a list. */
export const looksLikeList = (text: string): boolean => text.split('\n').some((line) => ITEM.test(line));

/**
 * A list in Markdown: each item is a task, items below it are its sub-tasks, ticked ones are done, and indented lines
 * are its description. Headings and other text between the lists are left out. A text without any item: each line is a
 * task.
 */
export function readList({ path, text }: ImportFile): Parsed {
  const isList = looksLikeList(text);
  const tasks: ImportedTask[] = [];
  const open: Open[] = [];
  let isFenced = false;
  const add = (line: number, title: string, fields: Partial<ImportedTask>): void => {
    tasks.push(importedTask({ ref: `line ${line}`, title, file: path, line, ...fields }));
  };

  text.split('\n').forEach((whole, index) => {
    const line = whole.trimEnd();
    const words = line.trim();
    if (words.startsWith('```')) isFenced = !isFenced;
    const item = isFenced ? undefined : ITEM.exec(line)?.groups;
    if (item !== undefined) {
      const width = widthOf(item.indent ?? '');
      while (open.length > 0 && (open.at(-1)?.width ?? 0) >= width) open.pop();
      const parent = tasks[open.at(-1)?.at ?? -1];
      open.push({ width, at: tasks.length });
      add(index + 1, item.title ?? '', { status: BOXES[item.box ?? ''] ?? null, parent_ref: parent?.ref ?? null });
      return;
    }
    if (!isList) {
      if (words !== '' && !words.startsWith('#')) add(index + 1, words, {});
      return;
    }
    const last = open.at(-1);
    const task = tasks[last?.at ?? -1];
    if (last === undefined || task === undefined) return;
    // A blank line may stand between an item and what is indented below it.
    if (words === '' && task.description === '') return;
    if (words !== '' && widthOf(/^[ \t]*/.exec(line)?.[0] ?? '') <= last.width) {
      open.length = 0;
      return;
    }
    tasks[last.at] = { ...task, description: `${task.description}\n${words}`.trimStart() };
  });
  return { tasks: tasks.map((task) => ({ ...task, description: task.description.trim() })), faults: [], left_out: [] };
}
