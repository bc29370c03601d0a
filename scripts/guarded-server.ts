import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_WITHIN_MS = 60_000;

// The starter of the server holds the other end of the guard's input. When it ends, even by a kill, the input
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
  /** Kills the server at once, as a crash would, and resolves when it has ended. */
  readonly kill: () => Promise<void>;
}

export interface ServerCommand {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** The folder of the server. The guard removes it only when this process ends first. */
  readonly folder: string;
  readonly cwd?: string;
  /** True when the server answers. */
  readonly answers: () => Promise<boolean>;
}

/** Starts a server that always ends with this process, and waits until it answers. */
export async function startGuarded(command: ServerCommand): Promise<GuardedServer> {
  const { name, program, args, folder, cwd = folder, answers } = command;
  // In its own process group: Ctrl-C is for the tests, and the guard notices their end.
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
    // The process has already ended.
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

/** Returns the path of a program. Installs a missing one if possible, without starting its service. */
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
let knowsPackages = false;

/** Installs a package without starting its services: they would take the default ports. */
export function installOnDebian(debian_package: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  process.stderr.write(`Installing ${debian_package}…\n`);
  // Pages of progress hide what a test says. Why it fails is in the error.
  const apt = (...args: string[]) => execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const hasPolicy = existsSync(POLICY);
  if (!hasPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    if (!knowsPackages) apt('update');
    knowsPackages = true;
    apt('install', '-y', '--no-install-recommends', debian_package);
  } finally {
    if (!hasPolicy) rmSync(POLICY);
  }
}

function disableService(service: string): void {
  try {
    execFileSync('systemctl', ['disable', '--now', service], { stdio: 'ignore' });
  } catch {
    // Without systemd the package has started no service.
  }
}
