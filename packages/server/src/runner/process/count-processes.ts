import { type ProcessRow, readProcessTable } from './process-table.ts';
import { type ReadMark, type RunTrace, searchMembers } from './run-members.ts';

const EVERY_MS = 250;

interface Watched {
  readonly trace: RunTrace;
  /** Called each time the run is found with more processes than allowed. */
  readonly exceeded: () => void;
}

export interface ProcessCounter {
  /** Counts the processes of a run until the returned function is called. */
  readonly watch: (run: Watched) => () => void;
}

export interface ProcessCounterOptions {
  readonly max_processes: number;
  readonly mark: ReadMark;
  readonly report: (error: unknown) => void;
}

/** Counts the processes of all live runs, with one read of the process table for all of them. */
export function createProcessCounter({ max_processes, mark, report }: ProcessCounterOptions): ProcessCounter {
  const runs = new Set<Watched>();
  const marks = rememberMarks(mark);
  let timer: NodeJS.Timeout | null = null;

  const count = () => {
    const table = readProcessTable();
    const find = searchMembers(table, marks.read);

    for (const run of runs) {
      const members = find(run.trace);
      run.trace.known.clear();
      for (const { pid, started } of members) run.trace.known.set(pid, started);
      if (members.length > max_processes) run.exceeded();
    }
    marks.prune();
  };

  // Catch errors: one thrown in a timer would end the server and every run with it.
  const look = () => {
    try {
      count();
    } catch (error) {
      report(error);
    }
  };

  return {
    watch: (run) => {
      runs.add(run);
      timer ??= setInterval(look, EVERY_MS).unref();
      return () => {
        runs.delete(run);
        if (runs.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}

// Each process is read once: a mark that a program removes later still counts, and reading all of them each time is slow.
function rememberMarks(readMark: ReadMark): { readonly read: ReadMark; readonly prune: () => void } {
  let before = new Map<string, string | null>();
  let now = new Map<string, string | null>();

  return {
    read: (row: ProcessRow) => {
      const key = `${row.pid} ${row.started}`;
      const known = before.get(key);
      const mark = known === undefined ? readMark(row) : known;
      now.set(key, mark);
      return mark;
    },
    prune: () => {
      before = now;
      now = new Map();
    },
  };
}
