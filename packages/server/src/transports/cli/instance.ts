import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';

/** The server that runs on a data folder, as it wrote itself down there. */
export interface Instance {
  readonly pid: number;
  readonly url: string;
}

const PATIENCE_MS = 2_000;
const fileIn = (data: string): string => join(data, 'server.json');

function read(data: string): Instance | null {
  try {
    const { pid, url } = JSON.parse(readFileSync(fileIn(data), 'utf8')) as Partial<Instance>;
    return typeof pid === 'number' && typeof url === 'string' ? { pid, url } : null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const isHealthy = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(`${url}/healthz`, { timeout: PATIENCE_MS, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });

/** The server that runs on this data folder now. Its word alone is not enough: it may have been killed. */
export async function findInstance(data: string): Promise<Instance | null> {
  const instance = read(data);
  if (instance === null || !isRunning(instance.pid)) return null;
  return (await isHealthy(instance.url)) ? instance : null;
}

export const writeInstance = (data: string, instance: Instance): void =>
  writeFileSync(fileIn(data), JSON.stringify(instance), { mode: 0o600 });

/** Leaves the file of another server, which may have started meanwhile, alone. */
export function removeInstance(data: string): void {
  if (read(data)?.pid === process.pid) rmSync(fileIn(data), { force: true });
}
