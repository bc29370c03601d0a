/** A change on the server, as the event stream tells it. */
export interface Change {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly entity_id: string | null;
  readonly execution_id: string | null;
  /** The task that it is about; null for what is about none. */
  readonly task_id: string | null;
  readonly project_id: string | null;
  readonly actor: { readonly user_id: string | null; readonly agent_id: string | null } | null;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** What a page shows, by the first part of its query's key. */
export type Noun =
  | 'activity'
  | 'agents'
  | 'at-work'
  | 'attempt'
  | 'board'
  | 'inbox'
  | 'me'
  | 'operations'
  | 'projects'
  | 'run'
  | 'runs'
  | 'settings'
  | 'task'
  | 'tasks'
  | 'users';

/** A query's key, or the beginning of several. */
export type Shown = readonly [Noun, ...(string | null)[]];

const of = (noun: Noun, id: string | null): readonly Shown[] => [id === null ? [noun] : [noun, id]];

/** The card that a change is seen on. Null when it may be any: what a deleted task was related to is not known. */
export const cardOf = ({ kind, task_id }: Change): string | null => (kind === 'work_item.deleted' ? null : task_id);

/** Where one card changes, it alone is read again: see `api/live-cards.ts`. Otherwise all boards and lists are. */
function cardsOf(change: Change): readonly Shown[] {
  const { project_id } = change;
  const card = cardOf(change);
  if (card === null || project_id === null) return [...of('board', project_id), ...of('tasks', project_id)];
  return [['board', project_id, card]];
}

/** Changes of a task are seen on its page, on the boards and in the lists. */
const aboutTask = (change: Change): readonly Shown[] => [
  ...of('task', change.task_id ?? change.entity_id),
  ...cardsOf(change),
  ['inbox'],
];

const aboutAttempt = (change: Change): readonly Shown[] => [
  ...of('attempt', change.entity_id),
  ...of('task', change.task_id),
  ...cardsOf(change),
  ['runs'],
  ['at-work'],
  ['inbox'],
];

const aboutRun = (change: Change): readonly Shown[] => [
  ...of('run', change.execution_id ?? change.entity_id),
  ['attempt'],
  ...of('task', change.task_id),
  ['runs'],
  ['at-work'],
  ['inbox'],
  ...cardsOf(change),
];

const EFFECTS: Readonly<Record<string, (change: Change) => readonly Shown[]>> = {
  work_item: aboutTask,
  attempt: aboutAttempt,
  approval: (change) => [...aboutAttempt({ ...change, entity_id: null }), ['run']],
  git_job: (change) => aboutAttempt({ ...change, entity_id: null }),
  review_comment: () => [['attempt']],
  message: (change) => [['attempt'], ...of('task', change.task_id), ...cardsOf(change)],
  budget: aboutRun,
  execution: aboutRun,
  // What an agent does now comes with the event: `shell/at-work.tsx` takes it from there.
  step: (change) => [...of('run', change.execution_id), ...cardsOf(change)],
  feed: ({ execution_id }) => of('run', execution_id),
  project: () => [['projects'], ['settings'], ['me']],
  label: () => [['settings'], ['board']],
  state: () => [['settings'], ['board']],
  repo: () => [['settings'], ['projects']],
  agent: () => [['agents'], ['me']],
  token: () => [['agents'], ['settings'], ['me']],
  user: () => [['users'], ['me']],
  workspace: () => [['settings'], ['me']],
};

/** Which pages and lists must be read again after a change, by the kind of its event. */
export function shownBy(change: Change): readonly Shown[] {
  const [noun = ''] = change.kind.split('.');
  return [...(EFFECTS[noun]?.(change) ?? []), ['activity']];
}
