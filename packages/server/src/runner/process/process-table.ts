import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** Together with the pid it identifies one process of this boot: pids are reused. */
  readonly started: string;
}

/** All live processes at one moment, without zombies. */
export type ProcessTable = ReadonlyMap<number, ProcessRow>;

/** The variable by which every process of a run is marked. */
export const RUN_MARK = 'NOVA_EXECUTION_ID';

const HAS_PROC = existsSync('/proc/self/stat');
const STAT = Buffer.alloc(1024);

export function readProcessTable(): ProcessTable {
  return HAS_PROC ? readProc() : readPs();
}

let next: Promise<ProcessTable> | null = null;

/** Reads the table once for all callers of the same turn: a hundred runs may end together. */
export function nextProcessTable(): Promise<ProcessTable> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = null;
      resolve(readProcessTable());
    });
  });
  return next;
}

/** Null when there is no such process. */
export function startTimeOf(pid: number): string | null {
  if (!HAS_PROC) return readPs().get(pid)?.started ?? null;
  return parseStat(pid, readStat(pid))?.row.started ?? null;
}

/** The run that a process names in its environment; null also when the environment cannot be read. */
export function markOf(pid: number): string | null {
  const entries = HAS_PROC ? environmentOf(pid) : psEnvironmentOf(pid);
  return entries.find((entry) => entry.startsWith(`${RUN_MARK}=`))?.slice(RUN_MARK.length + 1) ?? null;
}

function readProc(): ProcessTable {
  const table = new Map<number, ProcessRow>();

  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = parseStat(pid, readStat(pid));
    if (stat?.live) table.set(pid, stat.row);
  }

  return table;
}

/** Parses a line of /proc/PID/stat. The program's name is in parentheses, and may contain spaces and parentheses. */
export function parseStat(pid: number, line: string | null): { row: ProcessRow; live: boolean } | null {
  if (line === null) return null;
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parent, , session] = fields;
  const threads = Number(fields[17]);
  const started = fields[19];
  if (started === undefined) return null;

  // The first thread of a program can end before the others: then it looks like a zombie while they run.
  const live = state !== 'X' && (state !== 'Z' || threads > 1);
  return { row: { pid, parent: Number(parent), session: Number(session), started }, live };
}

// Into one buffer, because this runs for every process of the machine four times a second.
function readStat(pid: number): string | null {
  let file: number;
  try {
    file = openSync(`/proc/${pid}/stat`, 'r');
  } catch {
    return null;
  }
  try {
    return STAT.toString('latin1', 0, readSync(file, STAT, 0, STAT.length, 0));
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    return [];
  }
}

/** The table where there is no /proc. It has no sessions, so the process group stands for one. */
export function readPs(): ProcessTable {
  const table = new Map<number, ProcessRow>();

  for (const line of ps('-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=').split('\n')) {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
    if (pid === undefined || started.length === 0 || state?.startsWith('Z')) continue;
    table.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      session: Number(group),
      started: started.join(' '),
    });
  }

  return table;
}

function psEnvironmentOf(pid: number): readonly string[] {
  return ps('-E', '-ww', '-o', 'command=', '-p', String(pid)).trim().split(' ');
}

function ps(...args: readonly string[]): string {
  try {
    const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C' };
    return execFileSync('ps', args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
