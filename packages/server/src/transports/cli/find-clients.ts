import { execFile } from 'node:child_process';
import { CLIENTS, type Client } from '#transports/clients';

export interface FoundClient extends Client {
  /** Null when it did not say in time. */
  readonly version: string | null;
}

const PATIENCE_MS = 5_000;
const VERSION = /\d+\.\d+\.\d+\S*/;

function versionOf(client: Client, env: NodeJS.ProcessEnv, timeout: number): Promise<FoundClient | null> {
  return new Promise((resolve) => {
    execFile(client.command, ['--version'], { env, timeout, killSignal: 'SIGKILL' }, (error, stdout) => {
      if (error !== null && (error.code === 'ENOENT' || error.code === 'EACCES')) return resolve(null);
      resolve({ ...client, version: VERSION.exec(stdout)?.[0] ?? null });
    }).stdin?.end();
  });
}

/** The known clients on the PATH of `env`, all asked at once. */
export async function findClients(env: NodeJS.ProcessEnv, patience_ms = PATIENCE_MS): Promise<readonly FoundClient[]> {
  const found = await Promise.all(CLIENTS.map((client) => versionOf(client, env, patience_ms)));
  return found.filter((client) => client !== null);
}

export const nameAndVersion = ({ title, version }: FoundClient): string =>
  version === null ? title : `${title} ${version}`;
