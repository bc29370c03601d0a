import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 * 1024 ** 3;
const NAME = 'errand-tests-';
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

const hasRoom = (memory: string): boolean => {
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= MIN_FREE_BYTES;
};

/** Removes the folders that killed runs left. Goes by age: the pid of a run in another namespace is unknown here. */
function removeAbandoned(memory: string): void {
  for (const name of readdirSync(memory).filter((found) => found.startsWith(NAME))) {
    const folder = join(memory, name);
    if (statSync(folder).mtimeMs < Date.now() - ABANDONED_AFTER_MS) rmSync(folder, { recursive: true, force: true });
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
export function makeMemoryFolder(memory = MEMORY): string | null {
  let folder: string | undefined;
  try {
    removeAbandoned(memory);
    if (!hasRoom(memory)) return null;
    folder = mkdtempSync(join(memory, NAME));
    // PostgreSQL and some agents of the tests run as another user.
    chmodSync(folder, 0o1777);
    runProgramIn(folder);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return null;
  }
}
