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

const NOUNS: Readonly<Record<string, string>> = { work_item: 'task', execution: 'run' };

/** The word that people use for the changed kind of thing. */
export const nounOf = (entity: string | null): string =>
  NOUNS[entity ?? ''] ?? (entity ?? 'thing').replaceAll('_', ' ');

/** The end of an id; a key that nothing has is shown whole. */
const endOf = (id: string): string => (id.length <= 12 ? id : `…${id.slice(-6)}`);

type Named = Pick<Entry, 'entity' | 'entity_id' | 'entity_name'>;

/** The name of the changed thing: its key or name, or else its kind and the end of its id. */
export const nameOf = ({ entity, entity_id, entity_name }: Named): string =>
  entity_name ?? `${nounOf(entity)} ${endOf(entity_id ?? '')}`;

/** The page of what was changed; null for what has none. */
export function pageOf({ entity, entity_id, entity_name }: Named): string | null {
  if (entity === null || entity_id === null) return null;
  // Questions, messages and comments are called after their attempt, and lead there.
  if (entity_name !== null && /^[A-Z0-9]+-\d+\.\d+$/.test(entity_name)) return `/a/${entity_name}`;
  if (entity === 'work_item') return `/t/${entity_id}`;
  if (entity === 'attempt') return `/a/${entity_id}`;
  return entity === 'agent' ? `/agents/${entity_id}` : null;
}

/** The beginning and end of a long name: 9c41…77e0. */
export const shortOf = (name: string): string => (name.length <= 12 ? name : `${name.slice(0, 4)}…${name.slice(-4)}`);

/** Whether an entry is about this project, a task of it or one of their attempts. */
const isIn = ({ entity, entity_name }: Named, project: Pick<MyProject, 'key' | 'name'>): boolean =>
  entity === 'project'
    ? entity_name === project.name
    : entity_name !== null && project.key !== null && entity_name.startsWith(`${project.key}-`);

/** Whether an entry has these words in its author, action, thing or reason, and is about this project. */
export function matches(
  entry: Entry,
  { q, project }: { readonly q?: string | undefined; readonly project?: Pick<MyProject, 'key' | 'name'> | undefined },
): boolean {
  if (project !== undefined && !isIn(entry, project)) return false;
  if (q === undefined) return true;
  const { action, entity, entity_id, entity_name, entity_title, reason } = entry;
  const words = [whoOf(entry), action, deedOf(action), entity, entity_id, entity_name, entity_title, reason]
    .join(' ')
    .toLowerCase();
  return words.includes(q.toLowerCase());
}
