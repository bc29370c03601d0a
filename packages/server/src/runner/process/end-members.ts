import { setTimeout as delay } from 'node:timers/promises';
import { ProcessError } from './process-error.ts';
import { nextProcessTable, type ProcessRow, readProcessTable } from './process-table.ts';
import { type ReadMark, type RunTrace, searchMembers } from './run-members.ts';

const MAX_WAIT_MS = 3000;
const HALT_MS = 500;
const LOOK_AGAIN_MS = 20;

export interface EndOptions {
  readonly mark: ReadMark;
  /** Whether the processes must be killed one by one: without a namespace they do not end with the first. */
  readonly one_by_one: boolean;
  readonly report: (error: unknown) => void;
}

/** Kills every process of a run. Resolves with their number when none is left. */
export async function endMembers(trace: RunTrace, { mark, one_by_one, report }: EndOptions): Promise<number> {
  const deadline = performance.now() + MAX_WAIT_MS;
  const look = () => searchMembers(readProcessTable(), mark)(trace);
  const seen = new Set<string>();

  for (;;) {
    const members = one_by_one ? halt(trace, look) : searchMembers(await nextProcessTable(), mark)(trace);
    if (members.length === 0) return seen.size;

    for (const { pid, started } of members) {
      signal(pid, 'SIGKILL');
      seen.add(`${pid} ${started}`);
    }
    if (performance.now() > deadline) {
      const pids = members.map(({ pid }) => pid).slice(0, 10);
      report(new ProcessError(`Processes of run ${trace.execution_id} do not end: ${pids.join(', ')}.`));
      return seen.size;
    }
    await delay(LOOK_AGAIN_MS);
  }
}

/** Sends a signal. A process that has ended, or belongs to another user, is ignored. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone, or not ours to end: the next look at the table shows which.
  }
}

// Before the first is killed: a running process could start another after we looked, and the children of a dead one
// no longer show whose they are.
function halt(trace: RunTrace, look: () => readonly ProcessRow[]): readonly ProcessRow[] {
  const deadline = performance.now() + HALT_MS;
  const halted = new Set<number>();

  for (;;) {
    const members = look();
    const running = members.filter(({ pid }) => !halted.has(pid));
    if (running.length === 0 || performance.now() > deadline) return members;

    for (const { pid, started } of running) {
      signal(pid, 'SIGSTOP');
      halted.add(pid);
      trace.known.set(pid, started);
    }
  }
}
