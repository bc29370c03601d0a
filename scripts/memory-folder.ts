import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 * 1024 ** 3;
const NAME = /^errand-test-(\d+)-/;

const hasRoom = (): boolean => {
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MIN_FREE_BYTES;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Removes the folders that killed runs left behind. */
function removeAbandoned(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(NAME.exec(name)?.[1] ?? process.pid);
    if (!isAlive(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** Fails when programs cannot run from this file system: some machines mount shared memory with noexec. */
function runProgramIn(folder: string): void {
  const program = join(folder, 'probe');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  execFileSync(program);
  rmSync(program);
}

/**
 * Makes a folder in memory for the files of tests: on a disk each of their many thousand commits waits for an fsync.
 * Returns null when the machine has no such place, or less than 2 GiB free there.
 */
export function makeMemoryFolder(): string | null {
  let folder: string | undefined;
  try {
    removeAbandoned();
    if (!hasRoom()) return null;
    folder = mkdtempSync(join(MEMORY, `errand-test-${process.pid}-`));
    // PostgreSQL and some agents of the tests run as another user.
    chmodSync(folder, 0o1777);
    runProgramIn(folder);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return null;
  }
}
