import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { ErrandError } from '#errors';

export interface ReadFile {
  readonly path: string;
  readonly text: string;
}

/** Where programs keep their tasks in a folder: the first that is there is read, and nothing else of the folder. */
const PLACES = [
  ['backlog/tasks', 'backlog/completed'],
  ['tasks', 'completed'],
  ['.beads/issues.jsonl', '.beads/beads.jsonl'],
  ['.taskmaster/tasks/tasks.json'],
] as const;

const KINDS: ReadonlySet<string> = new Set(['.md', '.markdown', '.txt', '.csv', '.tsv', '.json', '.jsonl']);
/** Larger files are no lists of tasks. */
const MAX_BYTES = 8 * 1024 * 1024;

const refuse = (message: string, hint?: string): ErrandError =>
  new ErrandError('validation_error', message, hint === undefined ? {} : { hint });

const byName = new Intl.Collator('en', { numeric: true }).compare;

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && KINDS.has(extname(entry.name).toLowerCase()))
    .map(({ name }) => join(folder, name))
    .toSorted(byName);
}

/** The files of a folder that hold tasks. */
function filesOf(folder: string): readonly string[] {
  const place = PLACES.find(([first]) => existsSync(join(folder, first)));
  if (place === undefined) return namesIn(folder);
  const there = place.map((name) => join(folder, name)).filter((path) => existsSync(path));
  // An earlier name of the same file holds the same tasks.
  if (there[0] !== undefined && statSync(there[0]).isFile()) return [there[0]];
  return there.flatMap(namesIn);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(path: string, name: string): string {
  if (statSync(path).size > MAX_BYTES) throw refuse(`${name} is larger than 8 MiB, which no list of tasks is.`);
  try {
    return utf8.decode(readFileSync(path));
  } catch {
    throw refuse(`${name} is not text in UTF-8.`);
  }
}

/** Reads the files and folders of an import. */
export function readFiles(paths: readonly string[]): readonly ReadFile[] {
  return paths.flatMap((given) => {
    if (!existsSync(given)) throw new ErrandError('not_found', `There is no file ${given}.`);
    if (!statSync(given).isDirectory()) return [{ path: given, text: textOf(given, given) }];
    const found = filesOf(given);
    if (found.length === 0) {
      throw refuse(`${given} holds no file of tasks.`, `Files end in ${[...KINDS].join(', ')}.`);
    }
    return found.map((path) => {
      const name = join(given, relative(given, path));
      return { path: name, text: textOf(path, name) };
    });
  });
}
