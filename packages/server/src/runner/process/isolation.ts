import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** The words in front of a program's own that decide what it can see and how it ends. */
export interface Isolation {
  readonly kind: 'namespace' | 'group';
  readonly wrap: (argv: readonly [string, ...string[]], keeps: ReadonlySet<string>) => readonly [string, ...string[]];
}

// Not the PATH: a program found there stands between us and everything that a run starts.
const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];
const SHELL = '/bin/sh';
const PROBE_MS = 10_000;

/** Starts what follows if we still live: a parent that died before its death was watched for is never told of. */
const GATE = '[ "$PPID" = "$0" ] || exit 1';
/**
 * The first process of a namespace: waits for the program, reaps what others leave behind, and passes the exit code on.
 * Its own stderr is closed, since it would say "Killed" there in the name of the program.
 */
const INIT = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?';
const NAMESPACE = ['--pid', '--fork', '--kill-child', '--mount', '--mount-proc'];
/** Variables that a shell sets by itself. */
const SHELL_NAMES = ['PWD', 'OLDPWD', 'SHLVL'];

/** The strongest isolation that this machine allows, found by a real attempt. */
export async function findIsolation(wanted: 'auto' | 'off'): Promise<Isolation> {
  const setpriv = findTool('setpriv');
  const mortal = setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL'];
  const group: Isolation = {
    kind: 'group',
    wrap: (argv, keeps) => (setpriv === null ? argv : gated(mortal, argv, keeps)),
  };
  const unshare = findTool('unshare');
  if (wanted === 'off' || process.platform !== 'linux' || unshare === null) return group;

  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  const inside: Isolation = {
    kind: 'namespace',
    wrap: (argv, keeps) =>
      gated(mortal, [unshare, ...user, ...NAMESPACE, SHELL, '-c', `${unset(keeps)}${INIT}`, 'init', ...argv], keeps),
  };
  return (await isApart(inside)) ? inside : group;
}

function gated(mortal: readonly string[], argv: readonly string[], keeps: ReadonlySet<string>) {
  const gate = `${unset(keeps)}${GATE}; exec "$@"`;
  const [first = SHELL, ...rest] = [...mortal, SHELL, '-c', gate, String(process.pid), ...argv];
  return [first, ...rest] as const;
}

function unset(keeps: ReadonlySet<string>): string {
  const names = SHELL_NAMES.filter((name) => !keeps.has(name));
  return names.length === 0 ? '' : `unset ${names.join(' ')}; `;
}

// Low pids in a /proc that knows the asker: both the processes and the view of them are the namespace's own.
function isApart(isolation: Isolation): Promise<boolean> {
  const [file, ...args] = isolation.wrap([SHELL, '-c', 'exec readlink /proc/self'], new Set());
  const env = { PATH: FOLDERS.join(':') };
  return new Promise((resolve) => {
    execFile(file, args, { env, timeout: PROBE_MS, killSignal: 'SIGKILL' }, (error, stdout) => {
      const pid = Number(stdout.trim());
      resolve(error === null && pid > 1 && pid < 10);
    });
  });
}

function findTool(name: string): string | null {
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
