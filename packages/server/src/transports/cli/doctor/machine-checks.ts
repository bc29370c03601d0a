import { execFile } from 'node:child_process';
import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { versions } from 'node:process';
import { findClients, nameAndVersion } from '#transports/cli/find-clients';
import { findRunningServer } from '#transports/cli/running-server';
import type { Machine } from '#transports/mcp-clients';
import { MIB } from '#transports/traffic';
import { type Finding, failed, fine, warning } from './finding.ts';

const PATIENCE_MS = 2_000;
const FOR_OTHERS = 0o077;
/** Less room than this is used up within days. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;

/** The Node and the SQLite that run this program: the launcher refuses those that cannot. */
export const checkNode = (): Finding => fine('Node', `${versions.node}, with SQLite ${versions.sqlite}`);

/** Agents work on branches, which git makes. */
export function checkGit(env: Machine['env']): Promise<Finding> {
  return new Promise((resolve) => {
    execFile('git', ['--version'], { env, timeout: PATIENCE_MS }, (error, stdout) => {
      const [version] = /\d+(?:\.\d+)+/.exec(stdout) ?? [];
      resolve(
        error === null && version !== undefined
          ? fine('git', version)
          : warning('git', 'It is not on the PATH, so no agent can be started.', 'Install git.'),
      );
    });
  });
}

/** The coding agents that `errand connect` can connect. */
export async function checkClients(machine: Machine): Promise<Finding> {
  const found = await findClients(machine, PATIENCE_MS);
  return found.length === 0
    ? warning('clients', 'No coding agent that Errand knows is on the PATH.', 'Install one, then: errand connect')
    : fine('clients', found.map(nameAndVersion).join(', '));
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';

const sameUser = (uid: number): boolean => process.getuid === undefined || uid === process.getuid();

/** The folder that holds the data, the configuration and the folders of attempts. */
export function checkFolder(folder: string): Finding {
  const elsewhere = 'Or name another folder with --data or ERRAND_DATA.';
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return warning('data', `There is no folder ${folder} yet.`, 'Make it: errand serve');
    if (!found.isDirectory()) return failed('data', `${folder} is no folder.`, `Move it away. ${elsewhere}`);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    if (free < MIN_FREE_BYTES) {
      const left = Math.floor(free / MIB);
      return failed('data', `The disk of ${folder} has ${left} MiB left.`, `Make room on it. ${elsewhere}`);
    }
    if (sameUser(found.uid) && (found.mode & FOR_OTHERS) === 0) return fine('data', `${folder}, only yours`);
    return warning('data', `Other users can look into ${folder}.`, `Run: chmod 700 '${folder}'`);
  } catch (error) {
    return failed('data', `${folder} cannot be used: ${codeOf(error)}.`, `Let your user write it. ${elsewhere}`);
  }
}

/** Whether a program listens at this port. */
const isTaken = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS });
    const end = (taken: boolean) => () => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });

export interface ServerPlace {
  readonly folder: string;
  readonly database: string;
  readonly host: string;
  readonly port: number;
  /** Whether the port was set: then the server takes no other. */
  readonly is_port_given: boolean;
}

/** The server on this data, or the port at which one would listen. */
export async function checkServer({ folder, database, host, port, is_port_given }: ServerPlace): Promise<Finding> {
  const running = await findRunningServer(folder, database);
  if (running !== null) return fine('server', `${running.url} answers, process ${running.pid}`);
  // A server that listens on all addresses is reached on loopback.
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  if (port === 0 || !(await isTaken(reached, port))) {
    return warning('server', 'No server runs on this data.', 'Start it: errand serve');
  }
  return is_port_given
    ? failed('server', `No server runs on this data, and port ${port} is taken.`, 'Give ERRAND_PORT another port.')
    : warning(
        'server',
        `No server runs on this data. Port ${port} is taken, so it would use the next free one.`,
        'Start it: errand serve',
      );
}
