import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Control groups of runs: every process of a run is in its group, however it hides, and the kernel ends them all at once. */
export interface Cgroups {
  /** Makes the group of a run. Returns the file to which a process writes 0 to join it. */
  readonly open: (execution_id: string) => string;
  /** Ends every process in the group of a run, and removes the group. */
  readonly end: (execution_id: string) => Promise<void>;
}

const SHELL = '/bin/sh';
const MAX_WAIT_MS = 3_000;
const LOOK_AGAIN_MS = 20;
const RUN_NAME = /^[\w-]{1,64}$/;

/** The groups that this process may make below its own; null where it may not, and on systems without groups. */
export function findCgroups(): Cgroups | null {
  const own = ownGroup();
  if (own === null || !canMake(join(own, `errand-probe-${process.pid}`))) return null;

  const groupOf = (execution_id: string): string => {
    if (!RUN_NAME.test(execution_id)) throw new Error('The id of a run cannot name a control group.');
    return join(own, `errand-${execution_id}`);
  };
  return {
    open: (execution_id) => {
      const group = groupOf(execution_id);
      mkdirSync(group, { recursive: true });
      return join(group, 'cgroup.procs');
    },
    end: (execution_id) => endGroup(groupOf(execution_id)),
  };
}

/** The folder of this process's own group (cgroup v2). */
function ownGroup(): string | null {
  try {
    const mount = readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .find((line) => line.includes(' - cgroup2 '));
    const path = readFileSync('/proc/self/cgroup', 'utf8').match(/^0::(\/.*)$/m)?.[1];
    const [, , , root, at] = mount?.split(' ') ?? [];
    if (path === undefined || root === undefined || at === undefined) return null;
    return join(at, relative(root, path));
  } catch {
    return null;
  }
}

/** Tested for real: the right to move processes between groups depends on the owners of several folders. */
function canMake(group: string): boolean {
  try {
    mkdirSync(group);
  } catch {
    return false;
  }
  try {
    const joined = spawnSync(SHELL, ['-c', 'echo 0 > "$0"', join(group, 'cgroup.procs')], { stdio: 'ignore' });
    return joined.status === 0 && existsSync(join(group, 'cgroup.kill'));
  } finally {
    removeEmpty(group);
  }
}

function removeEmpty(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch {
    return !existsSync(group);
  }
}

async function endGroup(group: string): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  while (!removeEmpty(group) && performance.now() < deadline) {
    try {
      writeFileSync(join(group, 'cgroup.kill'), '1');
    } catch {
      // The process has ended meanwhile; the next read shows it.
    }
    await delay(LOOK_AGAIN_MS);
  }
}
