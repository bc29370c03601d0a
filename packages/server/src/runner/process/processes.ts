import type { AgentProcess } from '#runner/executor';
import { createProcessCounter } from './count-processes.ts';
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
  /** Ends the processes that a run left: its own if it still is the same, its descendants, and all with the mark of the run. Resolves to their number. */
  readonly sweep: (run: LeftRun) => Promise<number>;
  readonly isolation: 'namespace' | 'group';
  /** Whether all processes of a run without a namespace can be found, however they hide. */
  readonly has_cgroups: boolean;
  /** Whether runs cannot see the paths to hide. */
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
  const counter = createProcessCounter({ max_processes, mark, report });
  const { cgroups } = isolation;
  const end = async (trace: RunTrace) => {
    await endMembers(trace, { mark, one_by_one, report }).catch(report);
    await cgroups?.end(trace.execution_id);
  };

  return {
    spawn: (spec) => startProgram(spec, { isolation, counter, max_processes, end }),
    sweep: async ({ execution_id, pid, pid_started, boot_id }) => {
      const same = pid !== null && pid_started !== null && boot_id === machine.boot_id;
      const known = new Map(same ? [[pid, pid_started] as const] : []);
      const trace = { execution_id, session: null, known };
      const ended = await endMembers(trace, { mark: readMark, one_by_one: true, report });
      await cgroups?.end(execution_id);
      return ended;
    },
    isolation: isolation.kind,
    has_cgroups: cgroups !== null,
    hides: isolation.hides,
  };
}
