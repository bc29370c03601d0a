import type { MergeMode } from '#domain/git-job';
import type { ShipReason } from '#runner/git/ship/ship-plan';
import type { Files } from './history.ts';

/** Where the target branch is: in the work tree, in another work tree, or in none. */
export const PLACES = ['here', 'linked', 'detached', 'bare'] as const;

export type TargetPlace = (typeof PLACES)[number];

/** A merge, a rebase of the attempt's own branch, or a pull request. */
export type Mode = MergeMode | 'attempt' | 'pr';

/** A repository that a twist can still change. */
export interface Draft {
  readonly place: TargetPlace;
  readonly init: string[];
  readonly attributes: string[];
  readonly base: Record<string, string>;
  /** Applied to the base to get the target, and the work of the attempt; null removes a file. */
  readonly target: Record<string, string | null>;
  readonly work: Record<string, string | null>;
  /** Settings before the files are written. */
  readonly settings: [string, string][];
  /** Without a common history. */
  is_unrelated: boolean;
  is_shallow: boolean;
  /** What a person does in the repository afterwards. */
  readonly acts: ((made: Made) => unknown)[];
  /** What is done after all that, since it would meet the person's own git too. */
  readonly last_acts: ((made: Made) => unknown)[];
}

export interface Made {
  readonly folder: string;
  readonly source: string;
  /** The work tree of the target branch, or else that of the repository; the git directory for a bare one. */
  readonly tree: string;
  readonly git_dir: string;
  readonly canary: string;
  readonly git: (...args: readonly string[]) => string;
  /** The same with an input. */
  readonly tell: (input: string, ...args: readonly string[]) => string;
}

export interface Twist {
  readonly name: string;
  readonly change: (draft: Draft) => unknown;
  /** The answer that it leads to, where the target is checked out; null for a merge. */
  readonly gives?: ShipReason | 'conflicts';
  /** Whether that is the answer wherever the target is, and in each mode. */
  readonly always?: boolean;
  /** Whether it is played in long runs only, because another one is like it. */
  readonly is_alike?: boolean;
  /** Places where it means nothing. */
  readonly not?: readonly TargetPlace[];
}

export const aDraft = (place: TargetPlace): Draft => ({
  place,
  init: [],
  attributes: [],
  base: { 'a.txt': 'one\ntwo\nthree\n', 'keep/k.txt': 'k\n', 'dirty.txt': 'dirty\n', '.gitignore': '*.log\n' },
  target: {},
  work: { 'a.txt': 'one\ntwo\nTHREE\n', 'work/w.txt': 'w\n' },
  settings: [],
  is_unrelated: false,
  is_shallow: false,
  acts: [],
  last_acts: [],
});

export function filesOf(draft: Draft, change: Draft['base'] | Draft['target'] = {}): Files {
  const lines = draft.attributes.map((line) => `${line}\n`).join('');
  const all: Record<string, string | null> = {
    ...(lines === '' ? {} : { '.gitattributes': lines }),
    ...draft.base,
    ...change,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null));
}
