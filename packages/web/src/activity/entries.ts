import type { AuditFilter, Entry } from '../api/activity.ts';
import type { MyProject } from '../api/me.ts';
import { dayStart } from '../text/time.ts';
import { deedOf, isEnding } from './deeds.ts';

/** What the page shows, as its address keeps it. */
export interface ActivityView extends Omit<AuditFilter, 'since'> {
  readonly q?: string;
  /** The key of the project in which it was done. */
  readonly project?: string;
  readonly when?: When;
}

export type When = keyof typeof WHENS;

const DAY_MS = 86_400_000;

/** The times that can be chosen, and how many days before today each of them begins. */
export const WHENS = { today: { label: 'Today', days: 0 }, week: { label: 'Last 7 days', days: 6 } } as const;

const isWhen = (value: unknown): value is When => typeof value === 'string' && Object.hasOwn(WHENS, value);

/** What the server is asked for. It is the same all day, so that a list is not loaded again by each drawing. */
export function filterOf({ q: _, project: __, when, ...filter }: ActivityView, now: number): AuditFilter {
  if (when === undefined) return filter;
  // Half a day more or less, where a clock was changed in between, still ends in the day that is meant.
  const since = dayStart(dayStart(now) - WHENS[when].days * DAY_MS + DAY_MS / 2);
  return { ...filter, since: new Date(since).toISOString() };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export function activityViewIn(search: Record<string, unknown>): ActivityView {
  const [user, agent, action, q] = [text(search.user), text(search.agent), text(search.action), text(search.q)];
  const project = text(search.project);
  return {
    ...(user !== undefined && { user }),
    ...(agent !== undefined && { agent }),
    ...(action !== undefined && { action }),
    ...(search.refused === true && { refused: true }),
    ...(project !== undefined && { project }),
    ...(isWhen(search.when) && { when: search.when }),
    ...(q !== undefined && { q }),
  };
}

type Who = Pick<Entry, 'actor_kind' | 'agent_name' | 'user_name'>;

/** Who did it, as people know them. */
export function whoOf({ actor_kind, agent_name, user_name }: Who): string {
  if (agent_name !== null) return agent_name;
  if (actor_kind === 'stranger') return 'a stranger';
  return user_name ?? 'somebody who is gone';
}

/** Through what it was done: the token, the machine itself, the browser, or Errand, which ends what was asked for. */
export function throughOf({ token_id, actor_kind, action }: Pick<Entry, 'token_id' | 'actor_kind' | 'action'>): string {
  if (isEnding(action)) return 'by Errand';
  if (token_id !== null) return `token …${token_id.slice(-4)}`;
  return actor_kind === 'local' ? 'at the machine' : 'browser';
}

const NOUNS: Readonly<Record<string, string>> = {
  work_item: 'task',
  execution: 'run',
  repo: 'repository',
  approval: 'question',
};

/** Things whose name alone does not tell what they are. */
const NEEDS_NOUN: ReadonlySet<string> = new Set(['label', 'state', 'repo', 'token']);

/** The word that people use for the changed kind of thing. */
export const nounOf = (entity: string | null): string =>
  NOUNS[entity ?? ''] ?? (entity ?? 'thing').replaceAll('_', ' ');

/** The end of an id; a key that nothing has is shown whole. */
const endOf = (id: string): string => (id.length <= 12 ? id : `…${id.slice(-6)}`);

type Named = Pick<Entry, 'entity' | 'entity_id' | 'entity_name'>;

/** The name of the changed thing: its key or name, or else its kind and the end of its id. */
export const nameOf = ({ entity, entity_id, entity_name }: Named): string =>
  entity_name === null
    ? `${nounOf(entity)} ${endOf(entity_id ?? '')}`
    : NEEDS_NOUN.has(entity ?? '')
      ? `the ${nounOf(entity)} ${entity_name}`
      : entity_name;

interface Placed extends Named {
  readonly entity_project: Entry['entity_project'];
}

const OF_PROJECT: ReadonlySet<string> = new Set(['project', 'label', 'state', 'repo']);
const OF_WORKSPACE: ReadonlySet<string> = new Set(['user', 'token', 'workspace']);

/** The page of what was changed; null for what has none. */
export function pageOf({ entity, entity_id, entity_name, entity_project }: Placed): string | null {
  if (entity === null || entity_id === null) return null;
  // Questions, messages and comments are called after their attempt, and lead there.
  if (entity_name !== null && /^[A-Z0-9]+-\d+\.\d+$/.test(entity_name)) return `/a/${entity_name}`;
  if (entity_name !== null && /^[A-Z0-9]+-\d+$/.test(entity_name)) return `/t/${entity_name}`;
  // What is gone has no name, and no page. Who was refused may have named a task by its key.
  if (entity_name === null) return /^[A-Z0-9]+-\d+$/.test(entity_id) ? `/t/${entity_id}` : null;
  if (entity === 'agent') return `/agents/${entity_id}`;
  if (OF_PROJECT.has(entity)) return entity_project === null ? null : `/p/${entity_project}/settings`;
  return OF_WORKSPACE.has(entity) ? '/settings' : null;
}

/** The beginning and end of a long name: 9c41…77e0. */
export const shortOf = (name: string): string => (name.length <= 12 ? name : `${name.slice(0, 4)}…${name.slice(-4)}`);

/** What was said: a message, a comment, a question or its answer; null for what says nothing. */
export const saidIn = ({
  action,
  entity_words,
  entity_answer,
}: Pick<Entry, 'action' | 'entity_words' | 'entity_answer'>) =>
  action === 'respond_approval' ? (entity_answer ?? entity_words) : entity_words;

/** Whether an entry has these words in its author, action, thing or reason, and is about this project. */
export function matches(
  entry: Entry,
  { q, project }: { readonly q?: string | undefined; readonly project?: Pick<MyProject, 'key'> | undefined },
): boolean {
  if (project !== undefined && entry.entity_project !== project.key) return false;
  if (q === undefined) return true;
  const { action, entity, entity_id, entity_name, entity_title, entity_words, entity_answer, reason } = entry;
  const said = [entity_words, entity_answer];
  const words = [whoOf(entry), action, deedOf(action), entity, entity_id, entity_name, entity_title, reason, ...said]
    .join(' ')
    .toLowerCase();
  return words.includes(q.toLowerCase());
}
