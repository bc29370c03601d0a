import { readdirSync, readFileSync } from 'node:fs';

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // The thread has ended, or the system has no such file.
  }
};

const threadsOf = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
};

/** Returns the microseconds of CPU time that a process and its children have used; 0 on systems other than Linux. */
export function cpuOf(pid: number): number {
  return threadsOf(pid).reduce((sum, thread) => {
    const [nanoseconds = '0'] = contentOf(`${thread}/schedstat`).split(' ');
    const children = contentOf(`${thread}/children`).split(' ').filter(Boolean);
    return sum + Number(nanoseconds) / 1000 + children.reduce((total, child) => total + cpuOf(Number(child)), 0);
  }, 0);
}
