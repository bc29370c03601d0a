import type { State } from '#domain/project';

/** The words of other programs for the columns that every project begins with. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    todo: 'todo',
    open: 'todo',
    new: 'todo',
    pending: 'todo',
    ready: 'todo',
    unstarted: 'todo',
    notstarted: 'todo',
    backlog: 'todo',
    blocked: 'todo',
    deferred: 'todo',
    hooked: 'inprogress',
    inprogress: 'inprogress',
    started: 'inprogress',
    active: 'inprogress',
    doing: 'inprogress',
    wip: 'inprogress',
    review: 'inreview',
    inreview: 'inreview',
    done: 'done',
    closed: 'done',
    complete: 'done',
    completed: 'done',
    finished: 'done',
    resolved: 'done',
    fixed: 'done',
    cancelled: 'cancelled',
    canceled: 'cancelled',
    wontfix: 'cancelled',
    wontdo: 'cancelled',
    dropped: 'cancelled',
    abandoned: 'cancelled',
  }),
);

const GROUPS: ReadonlyMap<string, State['state_group']> = new Map(
  Object.entries({
    todo: 'unstarted',
    inprogress: 'started',
    inreview: 'started',
    done: 'completed',
    cancelled: 'cancelled',
  } as const),
);

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The column that a word of a file means: one of this name, else the one of the same meaning; null for none. */
export function namedState(states: readonly State[], word: string | null): State | null {
  if (word === null) return null;
  const wanted = plain(word);
  const own = states.find(({ slug, name }) => plain(slug) === wanted || plain(name) === wanted);
  if (own !== undefined) return own;
  const slug = WORDS.get(wanted) ?? '';
  return (
    states.find((state) => state.slug === slug) ??
    states.find(({ state_group }) => state_group === GROUPS.get(slug)) ??
    null
  );
}
