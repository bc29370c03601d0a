import type { AgentProcess } from '#runner/executor';
import { createCensus } from './census.ts';
import { endMembers } from './end-members.ts';
import { findIsolation } from './isolation.ts';
import type { Machine } from './machine.ts';
import { noMark, type RunTrace, readMark } from './run-members.ts';
import { type ProgramSpec, startProgram } from './start-program.ts';

export interface LeftRun {
  readonly execution_id: string;
  readonly pid: number | null;
  readonly pid_started: string | null;
  readonly boot_id: string | null;
}

export interface Processes {
  readonly spawn: (spec: ProgramSpec) => Promise<AgentProcess & { readonly started: string }>;
  /** Ends what a run left behind: its process if it is still the same one, all that came of it, and whatever carries the run's mark. Resolves to how many there were. */
  readonly sweep: (run: LeftRun) => Promise<number>;
  readonly isolation: 'namespace' | 'group';
  /** Whether runs cannot see the places that were to be hidden from them. */
  readonly hides: boolean;
}

export interface ProcessesOptions {
  readonly machine: Machine;
  readonly isolation: 'auto' | 'off';
  /** Files and folders that runs must not see, such as the data folder. */
  readonly hides: readonly string[];
  readonly max_processes?: number;
  readonly report: (error: unknown) => void;
}

export async function createProcesses(options: ProcessesOptions): Promise<Processes> {
  const { machine, report, max_processes = 512 } = options;
  const isolation = await findIsolation(options.isolation, options.hides);
  const one_by_one = isolation.kind === 'group';
  const mark = one_by_one ? readMark : noMark;
  const census = createCensus({ max_processes, mark, report });
  const end = (trace: RunTrace) => endMembers(trace, { mark, one_by_one, report }).catch(report);

  return {
    spawn: (spec) => startProgram(spec, { isolation, census, max_processes, end }),
    sweep: ({ execution_id, pid, pid_started, boot_id }) => {
      const same = pid !== null && pid_started !== null && boot_id === machine.boot_id;
      const known = new Map(same ? [[pid, pid_started] as const] : []);
      return endMembers({ execution_id, session: null, known }, { mark: readMark, one_by_one: true, report });
    },
    isolation: isolation.kind,
    hides: isolation.hides,
  };
}
