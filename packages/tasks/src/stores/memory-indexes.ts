import type { Position } from '#store';
import { byAge, type TaskRow } from './row.ts';

/** Counts the ordered positions before this one. */
export function countBefore(order: readonly Position[], position: Position): number {
  let [from, to] = [0, order.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const at = order[middle];
    if (at !== undefined && byAge(at, position) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the value of the key, and creates it when it is missing. */
function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Creates the indexes of rows: by id, by owner in order, and for unfinished tasks by owner and by tool. */
export function createIndexes() {
  const rows = new Map<string, TaskRow>();
  const order_by_owner = new Map<string, Position[]>();
  const live_by_owner = new Map<string, Set<string>>();
  const live_by_tool = new Map<string, Set<string>>();

  const liveSetsOf = ({ owner_id, tool }: TaskRow) => [
    entryOf(live_by_owner, owner_id, () => new Set<string>()),
    entryOf(live_by_tool, tool, () => new Set<string>()),
  ];
  const rowsOf = (ids: Iterable<string> | undefined): readonly TaskRow[] =>
    Array.from(ids ?? [], (id) => rows.get(id)).filter((row) => row !== undefined);

  return {
    get: (task_id: string): TaskRow | undefined => rows.get(task_id),
    all: (): Iterable<TaskRow> => rows.values(),
    liveOfOwner: (owner_id: string) => rowsOf(live_by_owner.get(owner_id)),
    liveOfTool: (tool: string) => rowsOf(live_by_tool.get(tool)),
    /** Oldest first. */
    orderOf: (owner_id: string): readonly Position[] => order_by_owner.get(owner_id) ?? [],

    put: (row: TaskRow): void => {
      const { task_id, owner_id, created_at } = row;
      if (!rows.has(task_id)) {
        const order = entryOf(order_by_owner, owner_id, () => []);
        order.splice(countBefore(order, row), 0, { created_at, task_id });
      }
      rows.set(task_id, row);
      for (const ids of liveSetsOf(row)) {
        if (row.live === 1) ids.add(task_id);
        else ids.delete(task_id);
      }
    },

    remove: (gone: readonly TaskRow[]): void => {
      for (const row of gone) {
        rows.delete(row.task_id);
        for (const ids of liveSetsOf(row)) ids.delete(row.task_id);
      }
      for (const owner_id of new Set(gone.map((row) => row.owner_id))) {
        const left = (order_by_owner.get(owner_id) ?? []).filter(({ task_id }) => rows.has(task_id));
        if (left.length > 0) order_by_owner.set(owner_id, left);
        else order_by_owner.delete(owner_id);
        if (left.length === 0) live_by_owner.delete(owner_id);
      }
    },
  };
}
