import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { ProcessError } from './process-error.ts';
import { startTimeOf } from './process-table.ts';

/** Where this process runs. Tells a process from another one with the same pid, earlier or on another machine. */
export interface Machine {
  readonly host_id: string;
  readonly host_name: string;
  readonly boot_id: string;
  /** When this process started. */
  readonly pid_started: string;
  /** Tells containers apart that share a data folder: each has its own pids. Empty where there are no namespaces. */
  readonly pid_namespace: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface MachinePorts {
  readonly ids: () => string;
  readonly clock: () => number;
}

export function readMachine(data: string, { ids, clock }: MachinePorts): Machine {
  return {
    host_id: hostId(join(data, 'machine-id'), ids),
    host_name: hostname(),
    boot_id: bootId(clock),
    pid_started: startTimeOf(process.pid) ?? '',
    pid_namespace: pidNamespace(),
  };
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function hostId(path: string, ids: () => string): string {
  const found = readIfThere(path) ?? createHostId(path, ids);
  if (UUID.test(found)) return found;
  throw new ProcessError(`${path} does not hold the id of a machine. Remove it, and a new one is made.`);
}

// Link a complete file into place: of two processes that start at once one wins, and neither reads half an id.
function createHostId(path: string, ids: () => string): string {
  const draft = `${path}.${ids()}`;
  writeFileSync(draft, `${ids()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
}

function bootId(clock: () => number): string {
  const known = readIfThere('/proc/sys/kernel/random/boot_id') ?? bootSession();
  // To the minute: the clock and the uptime drift against each other.
  return known ?? `booted-${Math.round((clock() / 1000 - uptime()) / 60)}`;
}

function bootSession(): string | null {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], {
      encoding: 'utf8',
      stdio: [...stdio],
    }).trim();
  } catch {
    return null;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
