import { readdirSync, readFileSync } from 'node:fs';

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // The thread has ended.
  }
};

const threadsOf = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);

/** Returns the microseconds of CPU time that a process and its children have used. Linux only. */
export function cpuOf(pid: number): number {
  return threadsOf(pid).reduce((sum, thread) => {
    const [nanoseconds = '0'] = contentOf(`${thread}/schedstat`).split(' ');
    const children = contentOf(`${thread}/children`).split(' ').filter(Boolean);
    return sum + Number(nanoseconds) / 1000 + children.reduce((total, child) => total + cpuOf(Number(child)), 0);
  }, 0);
}
