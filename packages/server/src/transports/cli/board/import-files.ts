import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { ErrandError } from '#errors';

export interface ReadFile {
  /**
   * What the server calls it: the same from wherever the command runs, because an import that is repeated is known by
   * its files.
   */
  readonly path: string;
  /** As the person finds it. */
  readonly shown: string;
  readonly text: string;
}

type Found = Omit<ReadFile, 'text'>;

/** Where programs keep their tasks in a folder: the first that is there is read, and nothing else of the folder. */
const PLACES = [
  ['backlog/tasks', 'backlog/completed'],
  ['.beads/issues.jsonl', '.beads/beads.jsonl'],
  ['.taskmaster/tasks/tasks.json'],
  // Before the folder: beside its list task-master writes each task as a text.
  ['tasks/tasks.json'],
  ['tasks', 'completed'],
  ['issues.jsonl', 'beads.jsonl'],
  ['tasks.json'],
] as const;

const KINDS: ReadonlySet<string> = new Set(['.md', '.markdown', '.txt', '.csv', '.tsv', '.json', '.jsonl']);
/** Larger files are no lists of tasks. */
const MAX_BYTES = 8 * 1024 * 1024;
/** What the server reads of one import: more is not read here either. */
const MAX_FILES = 1_000;
const MAX_CHARACTERS = 2_000_000;
const PART_BYTES = 1024 * 1024;

const refuse = (message: string, hint?: string): ErrandError =>
  new ErrandError('validation_error', message, hint === undefined ? {} : { hint });

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** Runs what reads files; what the system refuses is a refusal that names the file. */
function reading<Value>(name: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw refuse(`${name} cannot be read: ${error.message}.`);
    throw error;
  }
}

const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && KINDS.has(extname(entry.name).toLowerCase()))
    .map(({ name }) => join(folder, name))
    .toSorted(byName);

/** The files of a folder that hold tasks. */
function filesOf(folder: string): readonly string[] {
  const places = PLACES.map((place) => place.map((name) => join(folder, name)).filter((path) => existsSync(path)));
  const there = places.find((found) => found.length > 0);
  if (there === undefined) return namesIn(folder);
  // An earlier name of the same file holds the same tasks.
  if (there[0] !== undefined && statSync(there[0]).isFile()) return [there[0]];
  return there.flatMap(namesIn);
}

/** The bytes of a file, as far as one may be long: a device has no size, and may have no end. */
function bytesOf(path: string, name: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(PART_BYTES);
      const count = readSync(file, part);
      if (count === 0) return Buffer.concat(parts);
      size += count;
      if (size > MAX_BYTES) throw refuse(`${name} is larger than 8 MiB, which no list of tasks is.`);
      parts.push(part.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(path: string, name: string): string {
  const bytes = reading(name, () => bytesOf(path, name));
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse(`${name} is not text in UTF-8.`);
  }
}

function foundAt(given: string): readonly Found[] {
  if (!existsSync(given)) throw new ErrandError('not_found', `There is no file ${given}.`);
  return reading(given, () => {
    if (!statSync(given).isDirectory()) return [{ path: basename(given), shown: given }];
    const found = filesOf(given);
    if (found.length > 0) return found.map((shown) => ({ path: relative(given, shown), shown }));
    throw refuse(`${given} holds no file of tasks.`, `Files end in ${[...KINDS].join(', ')}.`);
  });
}

/** Reads the files and folders of an import. */
export function readFiles(paths: readonly string[]): readonly ReadFile[] {
  const found = paths.flatMap(foundAt);
  if (found.length > MAX_FILES) {
    throw refuse(`These are ${found.length} files; an import reads at most ${MAX_FILES}.`);
  }
  const hasTwins = new Set(found.map(({ path }) => path)).size < found.length;
  let size = 0;
  return found.map(({ path, shown }) => {
    const text = textOf(shown, shown);
    size += text.length;
    if (size > MAX_CHARACTERS) {
      throw refuse(`With ${shown} these are more than ${MAX_CHARACTERS} characters; an import reads no more.`);
    }
    return { path: hasTwins ? shown : path, shown, text };
  });
}
