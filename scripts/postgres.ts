import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, installOnDebian, isExecutable, isRoot } from './guarded-server.ts';

const DEBIAN_ROOT = '/usr/lib/postgresql';
const UNPRIVILEGED = 'nobody';
const START_WITHIN_MS = 30_000;

// The starter of the server holds the other end of the guard's input. When it ends, even by a kill, the input
// ends, and the guard ends the server and removes its folder.
const GUARD = `
folder=$1; shift
exec 3<&0
"$@" </dev/null 3<&- & server=$!
(read -r _ <&3; touch "$folder/orphan"; kill -QUIT $server) 2>/dev/null & watch=$!
wait $server
kill $watch 2>/dev/null
if [ -e "$folder/orphan" ]; then rm -rf "$folder"; fi
`;

export interface RunningPostgres {
  /** The URL of the database `postgres`, as a superuser without a password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Ends the server at once and keeps its data, as a crash would. */
  readonly pause: () => Promise<void>;
  /** Starts it again on the same data and port. */
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Finds the newest folder with both programs. */
function findBinaries(): string | undefined {
  const versions = existsSync(DEBIAN_ROOT) ? readdirSync(DEBIAN_ROOT).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN_ROOT, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((program) => isExecutable(join(folder, program))));
}

function installPostgres(): void {
  installOnDebian('postgresql-common');
  // Otherwise the package creates a cluster and starts it on the default port.
  const setting = 's/^#\\?create_main_cluster.*/create_main_cluster = false/';
  execFileSync('sed', ['-i', setting, '/etc/postgresql-common/createcluster.conf'], { stdio: ['ignore', 2, 2] });
  installOnDebian('postgresql');
}

/** The folder of PostgreSQL's programs, which are installed on Debian if they are missing. */
export function postgresFolder(): string {
  const found = findBinaries();
  if (found !== undefined) return found;
  if (!isRoot() || !isExecutable('/usr/bin/apt-get')) {
    throw new Error(
      'PostgreSQL is not installed: put `initdb` and `postgres` on the PATH (Debian: apt install postgresql).',
    );
  }
  installPostgres();
  const installed = findBinaries();
  if (installed === undefined)
    throw new Error('The package postgresql was installed, but brought no `initdb` and `postgres`.');
  return installed;
}

// The server refuses to run as root, also when root starts the tests.
const unprivileged = (program: string, args: readonly string[]): readonly [string, readonly string[]] =>
  isRoot() ? ['runuser', ['-u', UNPRIVILEGED, '--', program, ...args]] : [program, args];

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'errand-postgres-'));
  if (isRoot()) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, UNPRIVILEGED], { encoding: 'utf8' })),
    );
    chownSync(folder, uid ?? 0, gid ?? 0);
  }
  return folder;
}

/** Waits until the last line of the server's pid file says `ready`: then it accepts connections. */
async function waitUntilReady(data: string, hasExited: () => boolean): Promise<number> {
  const pid_file = join(data, 'postmaster.pid');
  const give_up_at = Date.now() + START_WITHIN_MS;
  while (Date.now() < give_up_at && !hasExited()) {
    const lines = existsSync(pid_file) ? readFileSync(pid_file, 'utf8').split('\n') : [];
    if (lines[7]?.trim() === 'ready') return Number(lines[0]);
    await sleep(20);
  }
  throw new Error('PostgreSQL did not start.');
}

/** Starts a PostgreSQL for tests: on loopback, in a temporary folder, with the durability of a real one. */
export async function startPostgres(): Promise<RunningPostgres> {
  const bin = postgresFolder();
  const folder = makeFolder();
  const data = join(folder, 'data');
  const port = await freePort();

  const [initdb, init_args] = unprivileged(join(bin, 'initdb'), [
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
  ]);
  execFileSync(initdb, init_args, { stdio: 'pipe', cwd: folder });

  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=on',
    'max_connections=200',
    // The folder may be in memory, so keep the log small.
    'max_wal_size=128MB',
    'min_wal_size=32MB',
  ];
  const [program, args] = unprivileged('sh', [
    ...['-c', GUARD, 'guard', folder, join(bin, 'postgres'), '-D', data, '-p', String(port)],
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  const launch = () => launchServer(program, args, data);
  let server = launch();

  const pause = async (): Promise<void> => {
    server.halt();
    await server.exit;
  };
  const stop = async (): Promise<void> => {
    await pause();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  const resume = async (): Promise<void> => {
    server = launch();
    await server.ready();
  };
  try {
    const pid = await server.ready();
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, port, pid, pause, resume, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function launchServer(program: string, args: readonly string[], data: string) {
  // In its own process group: Ctrl-C is for the tests, and the guard notices their end.
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], cwd: '/', detached: true });
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
  let pid: number | undefined;

  const halt = (): void => {
    try {
      // SIGQUIT is PostgreSQL's immediate shutdown: it ends its children too.
      if (pid !== undefined && !exited) process.kill(pid, 'SIGQUIT');
      else child.stdin.end();
    } catch {
      // The process has already ended.
    }
  };
  const ready = async (): Promise<number> => {
    try {
      pid = await waitUntilReady(data, () => exited);
      return pid;
    } catch (error) {
      throw new Error(`PostgreSQL did not start: ${words}`, { cause: error });
    }
  };
  return { exit, halt, ready };
}
