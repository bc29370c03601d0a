import { execFile } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { CLIENTS, type Client, type Machine } from '#transports/mcp-clients';

export interface FoundClient extends Client {
  /** Null when the client did not answer in time, and for editors, which are not started. */
  readonly version: string | null;
}

const PATIENCE_MS = 5_000;
const VERSION = /\d+\.\d+\.\d+(?:[-+][\w.-]*\w)?/;

function versionOf(client: Client, env: Machine['env'], timeout: number): Promise<FoundClient | null> {
  return new Promise((resolve) => {
    execFile(client.command, ['--version'], { env, timeout, killSignal: 'SIGKILL' }, (error, stdout) => {
      if (error !== null && (error.code === 'ENOENT' || error.code === 'EACCES')) return resolve(null);
      resolve({ ...client, version: VERSION.exec(stdout)?.[0] ?? null });
    }).stdin?.end();
  });
}

const succeeds = (tried: Promise<unknown>): Promise<boolean> =>
  tried.then(
    () => true,
    () => false,
  );

/** An editor is found by its folder or its program and never started for its version: that could open a window. */
async function editorOf(client: Client, folder: string, { env }: Machine): Promise<FoundClient | null> {
  const folders = (env.PATH ?? '').split(delimiter).filter((path) => path !== '');
  const signs = [
    succeeds(stat(folder)),
    ...folders.map((path) => succeeds(access(join(path, client.command), constants.X_OK))),
  ];
  return (await Promise.all(signs)).includes(true) ? { ...client, version: null } : null;
}

/** Finds a client and its version; null when it is not on this machine. */
export const findClient = (client: Client, machine: Machine, patience_ms = PATIENCE_MS): Promise<FoundClient | null> =>
  client.folder === undefined
    ? versionOf(client, machine.env, patience_ms)
    : editorOf(client, client.folder(machine), machine);

/** Finds the known clients on this machine, all at the same time. */
export async function findClients(machine: Machine, patience_ms?: number): Promise<readonly FoundClient[]> {
  const found = await Promise.all(CLIENTS.map((client) => findClient(client, machine, patience_ms)));
  return found.filter((client) => client !== null);
}

export const nameAndVersion = ({ title, version }: FoundClient): string =>
  version === null ? title : `${title} ${version}`;
