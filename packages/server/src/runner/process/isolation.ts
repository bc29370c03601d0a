import { execFile } from 'node:child_process';
import { accessSync, constants, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Cgroups, findCgroups } from './cgroups.ts';
import { findHiddenPlaces } from './hidden-paths.ts';
import { hideScript, LOCK_ROOT, quote, ROOT_CAPABILITIES } from './hide-script.ts';

/** The hidden paths that one run may see all the same, and the folder in which it works. */
export interface RunView {
  readonly folder: string;
  readonly shows: readonly string[];
  readonly execution_id: string;
}

/** The arguments in front of a program's own, which decide what the program can see and how it ends. */
export interface Isolation {
  readonly kind: 'namespace' | 'group';
  /** The control groups of runs, for runs without a namespace on machines that allow groups. */
  readonly cgroups: Cgroups | null;
  /** Whether runs cannot see the paths to hide. */
  readonly hides: boolean;
  readonly wrap: (
    argv: readonly [string, ...string[]],
    keeps: ReadonlySet<string>,
    view: RunView,
  ) => readonly [string, ...string[]];
}

// Not the PATH: this program controls everything that a run starts.
const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];
const SHELL = '/bin/sh';
const PROBE_MS = 10_000;

/** Starts the program only if its parent still lives: a parent that died before the watch began is never noticed. */
const GATE = '[ "$PPID" = "$0" ] || exit 1';
/**
 * The first process of a namespace: waits for the program, reaps orphans, and passes the exit code on.
 * Its own stderr is closed, because it would print "Killed" there as if the program did.
 */
const INIT = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?';
const NOT_HIDDEN = 'errand: the data folder could not be hidden from this run, so it was not started.';
const NAMESPACE = ['--pid', '--fork', '--kill-child', '--mount', '--mount-proc'];
/** Variables that a shell sets itself. */
const SHELL_NAMES = ['PWD', 'OLDPWD', 'SHLVL'];

/** Finds the strongest isolation that this machine allows, by trying it. */
export async function findIsolation(wanted: 'auto' | 'off', hides: readonly string[]): Promise<Isolation> {
  const setpriv = findTool('setpriv');
  const mortal = setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL'];
  const unshare = findTool('unshare');
  if (wanted === 'off' || process.platform !== 'linux' || unshare === null) return inGroup(mortal);

  const tools = { unshare, setpriv, mortal };
  if (setpriv !== null) {
    const hiding = inNamespace(tools, hides);
    if (await isApart(hiding, hides)) return hiding;
  }
  const plain = inNamespace(tools, null);
  return (await isApart(plain, [])) ? plain : inGroup(mortal);
}

function inGroup(mortal: readonly string[]): Isolation {
  const cgroups = findCgroups();
  return {
    kind: 'group',
    cgroups,
    hides: false,
    wrap: (argv, keeps, { execution_id }) => {
      const program = { mortal, argv, keeps };
      if (cgroups !== null) return gated({ ...program, before: `echo 0 > ${quote(cgroups.open(execution_id))}; ` });
      return mortal.length === 0 ? argv : gated(program);
    },
  };
}

interface Tools {
  readonly unshare: string;
  readonly setpriv: string | null;
  readonly mortal: readonly string[];
}

/** `hides` is null when nothing can be hidden. */
function inNamespace({ unshare, setpriv, mortal }: Tools, hides: readonly string[] | null): Isolation {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const isRoot = uid === 0;
  const plainUser = isRoot ? [] : ['--user', '--map-current-user'];
  const mountingUser = isRoot ? [] : ['--user', '--map-root-user'];
  // Mounts belong to the outer user namespace: a run in the inner one cannot remove them.
  const weaken = isRoot
    ? `${setpriv} --inh-caps=-all --bounding-set=${ROOT_CAPABILITIES}`
    : `${unshare} --user --map-user=${uid} --map-group=${gid}`;
  return {
    kind: 'namespace',
    cgroups: null,
    hides: hides !== null,
    wrap: (argv, keeps, { folder, shows }) => {
      const init = `${unset(keeps)}${INIT}`;
      if (hides === null) {
        const plain = [unshare, ...plainUser, ...NAMESPACE, SHELL, '-c', init, 'init', ...argv];
        return gated({ mortal, argv: plain, keeps });
      }
      const hiding = [
        `PATH=${FOLDERS.join(':')}`,
        ...hideScript(findHiddenPlaces(hides), shows),
        ...(isRoot ? LOCK_ROOT : []),
        `cd ${quote(folder)}`,
      ];
      // In a subshell, because its PATH is not the program's. Its mounts stay.
      const script = `(set -e; ${hiding.join('\n')}) || { echo ${quote(NOT_HIDDEN)} >&2; exit 1; }
cd ${quote(folder)} && ${unset(keeps) || ': ; '}exec ${weaken} ${SHELL} -c ${quote(init)} init "$@"`;
      const hidden = [unshare, ...mountingUser, ...NAMESPACE, SHELL, '-c', script, 'hide', ...argv];
      return gated({ mortal, argv: hidden, keeps });
    },
  };
}

interface GatedProgram {
  readonly mortal: readonly string[];
  readonly argv: readonly string[];
  readonly keeps: ReadonlySet<string>;
  /** Commands of the shell that run right before the program. */
  readonly before?: string;
}

function gated({ mortal, argv, keeps, before = '' }: GatedProgram) {
  const gate = `${unset(keeps)}${GATE}; ${before}exec "$@"`;
  const [first = SHELL, ...rest] = [...mortal, SHELL, '-c', gate, String(process.pid), ...argv];
  return [first, ...rest] as const;
}

function unset(keeps: ReadonlySet<string>): string {
  const names = SHELL_NAMES.filter((name) => !keeps.has(name));
  return names.length === 0 ? '' : `unset ${names.join(' ')}; `;
}

/** Whether the first process in /proc is in another namespace than ours, and the hidden folders are empty. */
function isApart(isolation: Isolation, hides: readonly string[]): Promise<boolean> {
  const folders = findHiddenPlaces(hides).flatMap(({ path, is_folder }) => (is_folder ? [path] : []));
  const look = `readlink /proc/1/ns/pid${folders.map((path) => `; ls -A ${quote(path)}`).join('')}`;
  const [file, ...args] = isolation.wrap([SHELL, '-c', look], new Set(), {
    folder: '/',
    shows: [],
    execution_id: 'probe',
  });
  const env = { PATH: FOLDERS.join(':') };
  return new Promise((resolve) => {
    execFile(file, args, { env, timeout: PROBE_MS, killSignal: 'SIGKILL' }, (error, stdout) => {
      const isOther = /^pid:\[\d+\]$/.test(stdout.trim()) && stdout.trim() !== readlinkSync('/proc/self/ns/pid');
      resolve(error === null && isOther);
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
