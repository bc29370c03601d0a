import type { AnswerOf, Style } from './board-cli.ts';

type State = AnswerOf<'list_task_attempts'>['attempts'][number]['state'];

/** The words for people where they differ from the state. */
const WORDS: Readonly<Partial<Record<State, string>>> = { needs_you: 'needs you' };

export const stateWord = (state: State): string => WORDS[state] ?? state;

/** The colours of the words that tables show. */
const STYLES: Readonly<Record<string, Style>> = {
  green: 'green',
  merged: 'green',
  ready: 'green',
  red: 'red',
  failed: 'red',
  'needs you': 'yellow',
  question: 'yellow',
  running: 'blue',
  queued: 'blue',
  blocked: 'dim',
  archived: 'dim',
};

/** The style of a text by its first words: `green +84 −12` is green. */
export const styleOfWord = (text: string): Style | null => STYLES[text] ?? STYLES[text.split(' ', 1)[0] ?? ''] ?? null;

const STATUSES: Readonly<Record<string, string>> = {
  todo: 'is to do',
  inprogress: 'is in progress',
  inreview: 'is in review',
  done: 'is done',
  cancelled: 'is cancelled',
};

/** Where a task stands, in words: "is in review". */
export const statusWords = (status: string): string => STATUSES[status] ?? `is in ${status}`;
