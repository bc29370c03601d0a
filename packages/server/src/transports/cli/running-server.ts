import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The running server of a database, as its file in the data folder describes it. */
export interface RunningServer {
  readonly pid: number;
  readonly url: string;
  /** SHA-256 of the `config.json` that it has read; null for a server of an older release. */
  readonly config: string | null;
}

const PATIENCE_MS = 2_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** One file per database: a folder may hold several databases. */
const fileIn = (data: string, database: string): string =>
  join(data, `server-${hash('sha256', database).slice(0, 8)}.json`);

function read(data: string, database: string): RunningServer | null {
  try {
    // Not trusted: its fields are checked below.
    const { pid, url, config } = JSON.parse(readFileSync(fileIn(data, database), 'utf8')) as Partial<RunningServer>;
    return typeof pid === 'number' && typeof url === 'string'
      ? { pid, url, config: typeof config === 'string' ? config : null }
      : null;
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
    // `import` would also load Node's WebSocket, which takes as long as the rest of a command.
    const { get } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
    const request = get(`${url}/healthz`, { timeout: PATIENCE_MS, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });

/** Finds the server that runs on this database now. The file alone is no proof: the server may have been killed. */
export async function findRunningServer(data: string, database: string): Promise<RunningServer | null> {
  const server = read(data, database);
  if (server === null || !isRunning(server.pid)) return null;
  return (await isHealthy(server.url)) ? server : null;
}

/** Keeps the addresses that this machine can reach: another machine's loopback address is not one of them. */
export const reachable = (
  servers: readonly { readonly host_name: string; readonly url: string }[],
  host_name: string,
): readonly string[] =>
  servers
    .filter((server) => server.host_name === host_name || !LOOPBACK.test(new URL(server.url).hostname))
    .map(({ url }) => url);

/** Returns the first of these addresses at which a server answers. */
export async function firstHealthy(urls: readonly string[]): Promise<string | null> {
  for (const url of urls) if (await isHealthy(url)) return url;
  return null;
}

export function writeRunningServer(data: string, database: string, server: RunningServer): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(fileIn(data, database), JSON.stringify(server), { mode: 0o600 });
}

/** Removes the file, unless another server has replaced it meanwhile. */
export function removeRunningServer(data: string, database: string): void {
  if (read(data, database)?.pid === process.pid) rmSync(fileIn(data, database), { force: true });
}
