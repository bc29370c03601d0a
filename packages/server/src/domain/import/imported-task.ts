import type { DetailLayout } from '#domain/blocks';
import { visible } from '#domain/visible-text';
import { MAX_DESCRIPTION_CHARACTERS, MAX_TITLE_CHARACTERS, type Priority } from '#domain/work-item';

/** Tasks of one import: they are created in one transaction, for which other writes wait. */
export const MAX_IMPORTED_TASKS = 1_000;
/** Faults and notes that are told: the first ones say what is wrong with the others. */
const MAX_NOTES = 50;
/** A note names words of the file, which may be as long as the file. */
const MAX_NOTE_CHARACTERS = 500;

/** A file to read tasks from. */
export interface ImportFile {
  /** Its name, which faults name; empty for a pasted text. */
  readonly path: string;
  readonly text: string;
}

/** A task as a file describes it. */
export interface ImportedTask {
  /** Its name among the tasks of the import. */
  readonly ref: string;
  readonly title: string;
  readonly description: string;
  /** The column in the words of the file; null where it says nothing. */
  readonly status: string | null;
  readonly priority: Priority;
  readonly labels: readonly string[];
  /** The ref of its parent; null for none. */
  readonly parent_ref: string | null;
  /** The refs of the tasks that must be done before. */
  readonly blocked_by: readonly string[];
  /** The day that it is due (YYYY-MM-DD); null for none. */
  readonly target_date: string | null;
  /** Its criteria and other blocks; null for none. */
  readonly layout: DetailLayout | null;
  readonly file: string;
  /** The line of the file, from 1; null in files that have no lines of tasks. */
  readonly line: number | null;
}

/** Something in a file that cannot be read, or that is left out. */
export interface ImportNote {
  readonly file: string;
  readonly line: number | null;
  readonly text: string;
}

/** What a format makes of its files. */
export interface Parsed {
  readonly tasks: readonly ImportedTask[];
  /** With one of these nothing is imported. */
  readonly faults: readonly ImportNote[];
  /** What the tasks of Errand have no place for. */
  readonly left_out: readonly ImportNote[];
}

export const NOTHING: Parsed = { tasks: [], faults: [], left_out: [] };

export const joined = (parts: readonly Parsed[]): Parsed => ({
  tasks: parts.flatMap(({ tasks }) => tasks),
  faults: parts.flatMap(({ faults }) => faults),
  left_out: parts.flatMap(({ left_out }) => left_out),
});

interface Notes {
  readonly faults: ImportNote[];
  readonly left_out: ImportNote[];
}

/**
 * Reads the parts of a file one after the other: It stops where nothing would be
 * imported anyway: a file may have a million parts, and each fault takes time.
 */
export function readParts<Part>(
  parts: Iterable<Part>,
  read: (part: Part, at: number, notes: Notes) => readonly ImportedTask[],
): Parsed {
  const tasks: ImportedTask[] = [];
  const notes: Notes = { faults: [], left_out: [] };
  let at = 0;
  for (const part of parts) {
    tasks.push(...read(part, at, notes));
    if (tasks.length > MAX_IMPORTED_TASKS || notes.faults.length > MAX_NOTES) break;
    at += 1;
  }
  return { tasks, ...notes };
}

type Given = Pick<ImportedTask, 'ref' | 'title' | 'file' | 'line'> & Partial<ImportedTask>;

const cut = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
};

/** The first notes, and whether there are more. */
export function firstNotes(notes: readonly ImportNote[]): readonly ImportNote[] {
  const first = notes.slice(0, MAX_NOTES).map((note) => ({ ...note, text: cut(note.text, MAX_NOTE_CHARACTERS) }));
  return notes.length === first.length ? first : [...first, { file: '', line: null, text: 'And more like these.' }];
}

/** A task with what is not given left empty. A title that is too long is whole in the description. */
export function importedTask({ title, description = '', ...fields }: Given): ImportedTask {
  const line = visible(title).replaceAll(/\s+/g, ' ').trim();
  const short = cut(line, MAX_TITLE_CHARACTERS);
  const whole = short === line ? description.trim() : `${line}\n\n${description}`.trim();
  return {
    status: null,
    priority: 'none',
    labels: [],
    parent_ref: null,
    blocked_by: [],
    target_date: null,
    layout: null,
    ...fields,
    title: short,
    description: cut(whole, MAX_DESCRIPTION_CHARACTERS),
  };
}

const PRIORITIES: ReadonlyMap<string, Priority> = new Map(
  Object.entries({
    urgent: 'urgent',
    critical: 'urgent',
    highest: 'urgent',
    p0: 'urgent',
    high: 'high',
    p1: 'high',
    medium: 'medium',
    normal: 'medium',
    p2: 'medium',
    low: 'low',
    minor: 'low',
    lowest: 'low',
    p3: 'low',
    p4: 'low',
  } as const),
);

/** The priority that a word means; none for a word that means no priority. */
export const priorityOf = (word: string | null | undefined): Priority =>
  PRIORITIES.get((word ?? '').trim().toLowerCase()) ?? 'none';

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** The day of a date or of a moment; null for any other text, and for a day that no calendar has. */
export function dayOf(text: string | null | undefined): string | null {
  const [day] = DAY.exec(text ?? '') ?? [];
  const at = new Date(`${day}T00:00:00Z`);
  // A 31st of February is read as the 3rd of March.
  return day === undefined || Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day) ? null : day;
}

/** Names in a text, separated by commas or semicolons. */
export const namesIn = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Parts of a description, each under its name; empty ones are left out. */
export const described = (
  parts: readonly (readonly [name: string | null, text: string | null | undefined])[],
): string =>
  parts
    .flatMap(([name, text]) => {
      const words = (text ?? '').trim();
      if (words === '') return [];
      return [name === null ? words : `${name}:\n${words}`];
    })
    .join('\n\n');
