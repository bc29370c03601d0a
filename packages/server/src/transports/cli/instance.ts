import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { join } from 'node:path';

/** The server that runs on a data folder, as it wrote itself down there. */
export interface Instance {
  readonly pid: number;
  readonly url: string;
  /** The database it serves: a folder may hold several. */
  readonly database: string;
}

const PATIENCE_MS = 2_000;
const fileIn = (data: string): string => join(data, 'server.json');

function read(data: string): Instance | null {
  try {
    const { pid, url, database } = JSON.parse(readFileSync(fileIn(data), 'utf8')) as Partial<Instance>;
    if (typeof pid !== 'number' || typeof url !== 'string' || typeof database !== 'string') return null;
    return { pid, url, database };
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

export const isHealthy = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const ask = url.startsWith('https:') ? getSecurely : get;
    const request = ask(`${url}/healthz`, { timeout: PATIENCE_MS, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });

/** The server that runs on this database now. Its word alone is not enough: it may have been killed. */
export async function findInstance(data: string, database: string): Promise<Instance | null> {
  const instance = read(data);
  if (instance === null || instance.database !== database || !isRunning(instance.pid)) return null;
  return (await isHealthy(instance.url)) ? instance : null;
}

export function writeInstance(data: string, instance: Instance): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(fileIn(data), JSON.stringify(instance), { mode: 0o600 });
}

/** Leaves the file of another server, which may have started meanwhile, alone. */
export function removeInstance(data: string): void {
  if (read(data)?.pid === process.pid) rmSync(fileIn(data), { force: true });
}
