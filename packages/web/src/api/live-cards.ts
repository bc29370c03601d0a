import type { Query, QueryClient } from '@tanstack/react-query';
import { showBoard } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import type { Board } from './board.ts';
import { type Change, cardOf } from './change.ts';
import { withCards } from './changed-cards.ts';
import { shownFirst } from './shown-first.ts';

/** Changes that come together are read together. */
const GATHER_MS = 30;
/** Cards are read at most this often. */
const PAUSE_MS = 100;
/** At most this many cards are read in one call; for more the whole board is read. */
const MAX_CARDS = 100;
/**
 * A card is not read again while a person's own edit is on its way, at most this long: as in `api/refresh.ts` for
 * everything else.
 */
const MAX_WAIT_MS = 2_000;

/** Whether a query keeps the cards of a whole project: a board or the list of tasks. */
const isWhole = ({ queryKey }: Query): boolean =>
  (queryKey[0] === 'board' || queryKey[0] === 'tasks') && queryKey.length === 2;

const isFetching = ({ state }: Query): boolean => state.fetchStatus === 'fetching';

/** Keeps the boards and lists of tasks that are shown up to date: of a changed task its card alone is read again. */
export function createCardRefresher(client: QueryClient): (change: Change) => void {
  /** The changed tasks by project. */
  const waiting = new Map<string, Set<string>>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isReading = false;
  let last = Number.NEGATIVE_INFINITY;
  let since = 0;

  function add(project_id: string, tasks: Iterable<string>): void {
    const known = waiting.get(project_id) ?? new Set();
    for (const task of tasks) known.add(task);
    waiting.set(project_id, known);
    plan();
  }

  function plan(): void {
    if (timer !== null || isReading || waiting.size === 0) return;
    since = performance.now();
    timer = setTimeout(flush, Math.max(GATHER_MS, last + PAUSE_MS - performance.now()));
  }

  const wholes = (): readonly Query[] => client.getQueryCache().findAll({ predicate: isWhole });

  const readWhole = (queries: readonly Query[]): void => {
    for (const { queryKey } of queries) void client.invalidateQueries({ queryKey, exact: true });
  };

  async function read(project_id: string, tasks: readonly string[]): Promise<void> {
    // Safe: `isWhole` picks queries whose data is a board.
    const queries = wholes().filter(({ state }) => (state.data as Board | undefined)?.project_id === project_id);
    const shown = queries.filter((query) => query.isActive());
    // What nobody looks at is read when somebody does.
    for (const { queryKey } of queries)
      void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none', type: 'inactive' });
    if (shown.length === 0) return;
    if (tasks.length > MAX_CARDS) return readWhole(shown);
    const before = shown.map(({ state }) => state.dataUpdatedAt);
    const said = await answerOf(showBoard(project_id, { taskIds: [...tasks], related: true })).catch(() => null);
    for (const [at, query] of shown.entries()) {
      const { data, dataUpdatedAt } = query.state;
      // Safe, as above: the filter found a project in it.
      const next = said && withCards(data as Board, said, tasks);
      // Something else was read or shown meanwhile: it may be newer than this answer.
      if (dataUpdatedAt !== before[at] || isFetching(query)) add(project_id, tasks);
      else if (next === null) readWhole([query]);
      else client.setQueryData(query.queryKey, next);
    }
  }

  async function flush(): Promise<void> {
    const reads = wholes().filter(isFetching);
    // A first answer may be older than the change. Of which project it is shows when it is there.
    const isFirst = reads.some(({ state }) => state.data === undefined);
    // A read would overwrite an edit that is shown already and not yet written, or an answer that is on its way.
    const isBusy = shownFirst(client) > 0 || reads.length > 0;
    if (isFirst || (isBusy && performance.now() - since < MAX_WAIT_MS)) {
      timer = setTimeout(flush, GATHER_MS);
      return;
    }
    timer = null;
    isReading = true;
    last = performance.now();
    const changed = [...waiting];
    waiting.clear();
    for (const [project_id, tasks] of changed) await read(project_id, [...tasks]);
    isReading = false;
    plan();
  }

  return (change) => {
    const card = cardOf(change);
    if (card !== null && change.project_id !== null && shows(change)) add(change.project_id, [card]);
  };
}

/** Whether cards show changes of this kind. */
const shows = ({ kind }: Change): boolean => !kind.startsWith('feed.') && !kind.startsWith('presence.');
