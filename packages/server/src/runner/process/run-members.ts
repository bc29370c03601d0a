import { markOf, type ProcessRow, type ProcessTable } from './process-table.ts';

/** What identifies the processes of a run. */
export interface RunTrace {
  readonly execution_id: string;
  /** The session of the run; null when its number may belong to another. */
  readonly session: number | null;
  /** Processes of the run, with their start times: they still count when parent, session and environment are gone. */
  readonly known: Map<number, string>;
}

/** Reads the run that a process is marked with; null for none. */
export type ReadMark = (row: ProcessRow) => string | null;

export const readMark: ReadMark = ({ pid }) => markOf(pid);

/** For runs in a namespace: every process there descends from the first one, so marks add nothing. */
export const noMark: ReadMark = () => null;

/** Finds all live processes of runs: known or marked ones, those in the run's session, their children, and others in those sessions. */
export function searchMembers(table: ProcessTable, mark: ReadMark): (trace: RunTrace) => readonly ProcessRow[] {
  const rows = [...table.values()];
  const children = groupBy(rows, ({ parent }) => parent);
  const sessions = groupBy(rows, ({ session }) => session);
  const marked = groupBy(rows, mark);
  const own = lineageOf(table, process.pid);

  // One marked program in a terminal, or in our own session, does not make the whole session the run's.
  const isStrange = (session: number) =>
    session === 0 || table.has(session) || session === table.get(process.pid)?.session;

  return (trace) => {
    const members = new Map<number, ProcessRow>();
    const queue: ProcessRow[] = [];
    const join = (found: readonly ProcessRow[] = []) => {
      for (const row of found) {
        if (members.has(row.pid) || own.has(row.pid)) continue;
        members.set(row.pid, row);
        queue.push(row);
      }
    };

    join([...trace.known].flatMap(([pid, started]) => rowOf(table, pid, started)));
    join(marked.get(trace.execution_id));
    if (trace.session !== null) join(sessions.get(trace.session));

    for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
      join(children.get(row.pid));
      join(sessions.get(row.pid));
      if (!isStrange(row.session)) join(sessions.get(row.session));
    }
    return [...members.values()];
  };
}

function rowOf(table: ProcessTable, pid: number, started: string): readonly ProcessRow[] {
  const row = table.get(pid);
  return row?.started === started ? [row] : [];
}

function groupBy<Key>(rows: readonly ProcessRow[], keyOf: (row: ProcessRow) => Key): ReadonlyMap<Key, ProcessRow[]> {
  const groups = new Map<Key, ProcessRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

// This process and its parents are never part of a run, even with its mark: an agent may have started them.
function lineageOf(table: ProcessTable, pid: number): ReadonlySet<number> {
  const lineage = new Set<number>();
  for (let row = table.get(pid); row !== undefined && !lineage.has(row.pid); row = table.get(row.parent)) {
    lineage.add(row.pid);
  }
  return lineage;
}
