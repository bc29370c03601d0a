import type { Query, QueryClient } from '@tanstack/react-query';
import type { Shown } from './change.ts';
import { shownFirst } from './shown-first.ts';

/** Changes that come together are read together. */
const GATHER_MS = 40;
/** A busy board is read at most this often. */
const PAUSE_MS = 400;
/** Reads wait for a person's own edit at most this long: a server that hangs must not stop the others' changes. */
const MAX_WAIT_MS = 2_000;

const ID_FIELDS = ['project_id', 'task_id', 'attempt_id', 'execution_id'] as const;

const isId = (name: unknown): boolean => typeof name === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(name);

/** Whether a query reads a card by itself: as the card of a task, or among sub-tasks. A whole board does not. */
const showsCard = ([, , part, task]: Query['queryKey'], card: string | null): boolean =>
  part === 'subtasks' || (part === 'card' && task === card);

/**
 * Whether a query shows what changed. Pages name things by their keys and events by their ids: a query whose key has
 * another name is compared by the ids in its answer.
 */
export function isShownBy({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>, [noun, id, card]: Shown): boolean {
  if (queryKey[0] !== noun) return false;
  if (card !== undefined && !showsCard(queryKey, card)) return false;
  if (id === undefined || id === null || queryKey[1] === undefined || queryKey[1] === id) return true;
  if (isId(queryKey[1]) && isId(id)) return false;
  const answer = Object(state.data);
  const ids = ID_FIELDS.map((field): unknown => answer[field]).filter((each) => each !== undefined);
  // An answer without ids is about many things.
  return ids.length === 0 || ids.includes(id);
}

/**
 * Returns a function that reads what is shown again, soon, and what is named several times only once. It decides when:
 * not while a person's own edit is on its way, which would jump back.
 */
export function createRefresher(client: QueryClient): (shown: readonly Shown[]) => void {
  const waiting = new Map<string, Shown>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last = Number.NEGATIVE_INFINITY;
  let since = 0;

  function flush(): void {
    // A read would overwrite an edit that is shown already and not yet written.
    if (shownFirst(client) > 0 && performance.now() - since < MAX_WAIT_MS) {
      timer = setTimeout(flush, GATHER_MS);
      return;
    }
    timer = null;
    last = performance.now();
    const changed = [...waiting.values()];
    waiting.clear();
    void client.invalidateQueries({ predicate: (query) => changed.some((shown) => isShownBy(query, shown)) });
  }

  return (shown) => {
    for (const key of shown) waiting.set(key.join('/'), key);
    if (timer !== null) return;
    since = performance.now();
    timer = setTimeout(flush, Math.max(GATHER_MS, last + PAUSE_MS - performance.now()));
  };
}
