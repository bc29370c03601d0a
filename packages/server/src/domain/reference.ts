import type { AttemptId, ProjectId, RunId, UserId } from './ids.ts';
import type { Within } from './reach.ts';
import type { RunOwner } from './run.ts';

/** The kinds of things that can be named otherwise than by their whole id, in words for people. */
export const NAMED = {
  project: 'projects',
  work_item: 'tasks',
  attempt: 'attempts',
  review_comment: 'comments',
  approval: 'questions',
  repo: 'repositories',
  user: 'users',
  agent: 'agents',
  token: 'tokens',
  session: 'sessions',
  queued_prompt: 'follow-ups',
  execution: 'runs',
  step: 'steps',
  conversation: 'conversations',
} as const;

export type NamedKind = keyof typeof NAMED;

export const isNamedKind = (kind: string): kind is NamedKind => Object.hasOwn(NAMED, kind);

/** A thing that a name, a key or the start of an id can refer to. */
export interface Referent {
  readonly id: string;
  readonly name: string;
  /** For example WEB-12; null for things without one. */
  readonly key: string | null;
}

/** What a caller may find by its name. */
export interface NameSight extends Within {
  /** The caller's own attempt: such a caller finds nothing of other attempts and tasks. */
  readonly attempt_id: AttemptId | null;
  /** Whether all users, agents and tokens of the workspace are found; otherwise members of the projects alone. */
  readonly is_admin: boolean;
  /** Whose conversations are found. */
  readonly subject: UserId;
  readonly sees: (run: RunOwner) => boolean;
}

/** Things of the same call: of several candidates, those that belong to them are meant. */
export interface Near {
  readonly project_id?: ProjectId | undefined;
  readonly attempt_id?: AttemptId | undefined;
  readonly execution_id?: RunId | undefined;
}

/** The parts of a key such as WEB, WEB-12, WEB-12.2 or WEB-12.2#3. */
export interface KeyParts {
  readonly key: string;
  readonly task: number | null;
  readonly attempt: number | null;
  readonly comment: number | null;
}

const KEY = /^([a-z0-9]{2,10})(?:-([1-9]\d{0,9})(?:\.([1-9]\d{0,9})(?:#([1-9]\d{0,9}))?)?)?$/i;

const numberOr = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));

/** Reads a key, in any case; null for a text that is no key. */
export function keyParts(text: string): KeyParts | null {
  const [, key, task, attempt, comment] = KEY.exec(text) ?? [];
  if (key === undefined) return null;
  return { key: key.toUpperCase(), task: numberOr(task), attempt: numberOr(attempt), comment: numberOr(comment) };
}

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const isWholeId = (text: string): boolean => ID.test(text);

/** The start of an id, long enough to be unique. */
export const MIN_ID_PREFIX = 6;

/** Shorter than a whole id, which has 36 characters. */
const PREFIX = new RegExp(`^[0-9a-f][0-9a-f-]{${MIN_ID_PREFIX - 1},34}$`, 'i');

export const isIdPrefix = (text: string): boolean => PREFIX.test(text);

/** How many candidates an error lists. A longer list does not help to choose. */
export const MAX_CANDIDATES = 10;

/** How a thing is looked for. Each form is one statement with an index of its own. */
export type NameForm = { readonly key: KeyParts } | { readonly name: string } | { readonly prefix: string };

export interface WantedName {
  readonly kind: NamedKind;
  readonly form: NameForm;
  readonly near: Near;
}

export interface FoundNames {
  /** At most `MAX_CANDIDATES` and one more, in the order of their ids. */
  readonly rows: readonly Referent[];
  /** True when more ids begin like this than were looked at. */
  readonly is_cut: boolean;
}

/** Finds candidates for a text: by the whole id, else the exact name, else the name in any case, else the start of the id. */
export function meantBy<Row extends Pick<Referent, 'id' | 'name'>>(
  text: string,
  referents: readonly Row[],
): readonly Row[] {
  const wanted = text.toLowerCase();
  const rules: readonly ((referent: Row) => boolean)[] = [
    ({ id }) => id === wanted,
    ({ name }) => name === text,
    ({ name }) => name.toLowerCase() === wanted,
    ({ id }) => wanted.length >= MIN_ID_PREFIX && id.startsWith(wanted),
  ];
  return rules.map((rule) => referents.filter(rule)).find((found) => found.length > 0) ?? [];
}
