/** A key of a project: it begins the short names of its tasks, WEB-12, and of their attempts, WEB-12.2. */
export const PROJECT_KEY = /^[A-Z0-9]{2,10}$/;

const MAX_KEY = 10;
const MAX_INITIALS = 4;
const MAX_LETTERS = 3;
/** The first letters of a key for a name without Latin letters and digits. */
const NO_LETTERS = 'P';

/** A thing of a project as answers name it. */
export interface KeyedItem {
  /** For example WEB-12; null for the todos of an app's users. */
  readonly key: string | null;
}

/** The short name of a task: WEB-12. Null without a key of its project, or when an older server has not numbered it. */
export const taskKey = (project_key: string | null, number: number | null): string | null =>
  project_key === null || number === null ? null : `${project_key}-${number}`;

/** The short name of an attempt: WEB-12.2. */
export const attemptKey = (task_key: string | null, number: number | null): string | null =>
  task_key === null || number === null ? null : `${task_key}.${number}`;

const COMMIT_CHARACTERS = 8;

/** The start of the hash of a commit, as people read and type it. */
export const shortCommit = (commit: string): string => commit.slice(0, COMMIT_CHARACTERS);

/** What a person types for a thing: its key, or its id when it has none. */
export const shownName = ({ key, id }: { readonly key?: string | null; readonly id: string }): string => key ?? id;

/** The letters of a key that is made of a name: the initials of several words, or the first letters of one. */
function lettersOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '');
  const [first = NO_LETTERS] = words;
  if (words.length <= 1) return first.slice(0, MAX_LETTERS);
  return words
    .slice(0, MAX_INITIALS)
    .map((word) => word[0])
    .join('');
}

const numbered = (letters: string, number: number): string => {
  // A key has two characters: one letter alone gets a number from the start.
  const suffix = number === 1 && letters.length > 1 ? '' : String(number);
  return `${letters.slice(0, MAX_KEY - suffix.length)}${suffix}`;
};

/**
 * Proposes keys for a project of this name and returns the first that is free. Each key that it yields is answered with
 * whether it is taken. The steps double, so that the thousandth project of one name does not ask a thousand times.
 */
export function* freeKey(name: string): Generator<string, string, boolean> {
  const letters = lettersOf(name);
  let taken = 0;
  let free = 1;
  while (yield numbered(letters, free)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (yield numbered(letters, middle)) taken = middle;
    else free = middle;
  }
  return numbered(letters, free);
}
