import { readdirSync, readFileSync } from 'node:fs';
import { kill } from 'node:process';

const MARK = 'NOVA_EXECUTION_ID=';

function markOf(pid: string): string | null {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return variables.find((variable) => variable.startsWith(MARK))?.slice(MARK.length) ?? null;
  } catch {
    // The process has ended in the meantime.
    return null;
  }
}

/** Returns the processes on this machine that belong to one of these runs. */
export const processesOf = (execution_ids: ReadonlySet<string>): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && execution_ids.has(markOf(name) ?? ''))
    .map(Number);

/** Kills the processes that a planted fault leaves behind. */
export function endProcesses(runs: readonly { readonly id: string }[]): void {
  for (const pid of processesOf(new Set(runs.map(({ id }) => id)))) {
    try {
      kill(pid, 'SIGKILL');
    } catch {
      // The process has ended in the meantime.
    }
  }
}

/** Checks that no process is left when all runs have ended. */
export function judgeProcesses(runs: readonly { readonly id: string }[]): readonly string[] {
  const left = processesOf(new Set(runs.map(({ id }) => id)));
  return left.map((pid) => `process ${pid} is left: ${commandOf(pid)}`);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 200);
  } catch {
    return 'it has just ended';
  }
}
