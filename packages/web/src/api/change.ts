/** A change on the server, as the event stream tells it. */
export interface Change {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly entity_id: string | null;
  readonly execution_id: string | null;
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

/** Changes of a task are seen on its page, on the boards and in the lists. */
const aboutTask = ({ entity_id, project_id }: Change): readonly Shown[] => [
  ...of('task', entity_id),
  ...of('board', project_id),
  ...of('tasks', project_id),
  ['inbox'],
];

/** An event of an attempt does not name its task: every task that is shown is read again. */
const aboutAttempt = ({ entity_id, project_id }: Change): readonly Shown[] => [
  ...of('attempt', entity_id),
  ['task'],
  ...of('board', project_id),
  ...of('tasks', project_id),
  ['runs'],
  ['at-work'],
  ['inbox'],
];

const aboutRun = ({ execution_id, entity_id, project_id }: Change): readonly Shown[] => [
  ...of('run', execution_id ?? entity_id),
  ['attempt'],
  ['task'],
  ['runs'],
  ['at-work'],
  ['inbox'],
  ...of('board', project_id),
];

const EFFECTS: Readonly<Record<string, (change: Change) => readonly Shown[]>> = {
  work_item: aboutTask,
  attempt: aboutAttempt,
  approval: (change) => [...aboutAttempt({ ...change, entity_id: null }), ['run']],
  git_job: (change) => aboutAttempt({ ...change, entity_id: null }),
  review_comment: () => [['attempt']],
  message: () => [['attempt'], ['task'], ['board']],
  budget: aboutRun,
  execution: aboutRun,
  step: ({ execution_id, project_id }) => [...of('run', execution_id), ...of('board', project_id), ['at-work']],
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

/** What must be read again after a change. */
export function shownBy(change: Change): readonly Shown[] {
  const [noun = ''] = change.kind.split('.');
  return [...(EFFECTS[noun]?.(change) ?? []), ['activity']];
}
