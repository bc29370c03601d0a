import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_WITHIN_MS = 60_000;

// Whoever starts the server holds the other end of the guard's input. When that one is gone, even killed, the input
// ends, and the guard ends the server and removes its folder.
const GUARD = `
folder=$1; shift
exec 3<&0
"$@" </dev/null >&2 3<&- & server=$!
echo $server
exec >/dev/null 2>&1
(read -r _ <&3; touch "$folder/orphan"; kill -KILL $server) & watch=$!
wait $server
kill $watch
if [ -e "$folder/orphan" ]; then rm -rf "$folder"; fi
`;

export interface GuardedServer {
  readonly pid: number;
  /** Ends the server at once, as a crash would, and resolves when it is gone. */
  readonly kill: () => Promise<void>;
}

export interface ServerCommand {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Where it runs; not removed unless we die first. */
  readonly folder: string;
  readonly cwd?: string;
  /** Whether it answers. */
  readonly answers: () => Promise<boolean>;
}

/** Starts a server that ends when we do, however that happens, and waits until it answers. */
export async function startGuarded(command: ServerCommand): Promise<GuardedServer> {
  const { name, program, args, folder, cwd = folder, answers } = command;
  // In a process group of its own: an interrupt from the keyboard is for the tests, and their end is for the guard.
  const child = spawn('sh', ['-c', GUARD, 'guard', folder, program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd,
    detached: true,
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4000);
  });
  let exited = false;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => {
      exited = true;
      resolve();
    });
  });

  const pid = await firstNumber(child);
  const kill = async (): Promise<void> => {
    if (!exited && pid !== undefined) endProcess(pid);
    await exit;
  };
  const give_up_at = Date.now() + START_WITHIN_MS;
  while (!exited && pid !== undefined && Date.now() < give_up_at) {
    if (await answers()) return { pid, kill };
    await sleep(20);
  }
  await kill();
  throw new Error(`${name} did not start: ${words}`);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function firstNumber(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(Number.parseInt(chunk.toString(), 10)));
    child.once('exit', () => resolve(undefined));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

export const isRoot = (): boolean => userInfo().uid === 0;

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const onPath = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(isExecutable);

/** The path of a program; a missing one is installed where that is possible, without the service that comes with it. */
export function requireProgram(program: string, debian_package: string, service?: string): string {
  const found = onPath(program);
  if (found !== undefined) return found;
  if (!isRoot() || onPath('apt-get') === undefined) {
    throw new Error(`\`${program}\` is not on the PATH (Debian: apt install ${debian_package}).`);
  }
  installOnDebian(debian_package);
  if (service !== undefined && onPath('systemctl') !== undefined) disableService(service);
  const installed = onPath(program);
  if (installed === undefined) throw new Error(`The package ${debian_package} brought no \`${program}\`.`);
  return installed;
}

const POLICY = '/usr/sbin/policy-rc.d';

/** Installs a package without starting the services that it brings: they would take the usual ports. */
export function installOnDebian(debian_package: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => execFileSync('apt-get', args, { env, stdio: ['ignore', 2, 2] });
  const hasPolicy = existsSync(POLICY);
  if (!hasPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    apt('update');
    apt('install', '-y', '--no-install-recommends', debian_package);
  } finally {
    if (!hasPolicy) rmSync(POLICY);
  }
}

function disableService(service: string): void {
  try {
    execFileSync('systemctl', ['disable', '--now', service], { stdio: 'ignore' });
  } catch {
    // Where systemd does not run, the package has started nothing.
  }
}
