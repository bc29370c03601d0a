import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GitError } from './git-error.ts';

const ATTEMPT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const FOLDER = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\+\d+)?$/;

const isAttemptName = (name: string): boolean => ATTEMPT.test(name);

/** The folder of an attempt. Refuses a name that Errand itself would not make. */
export function attemptFolder(root: string, attempt_id: string): string {
  if (!isAttemptName(attempt_id)) throw new GitError('The attempt has an id that no folder can be named after.');
  return join(root, attempt_id);
}

/**
 * Whether the folder of a repository exists. Refuses one that is not directly in its attempt's folder, or that is a link:
 * changes would be made elsewhere.
 */
export async function findFolder(root: string, attempt_id: string, folder: string): Promise<boolean> {
  const parent = attemptFolder(root, attempt_id);
  if (dirname(folder) !== parent || !FOLDER.test(basename(folder))) throw misplaced();
  const above = await lstat(parent).catch(() => null);
  if (above === null) return false;
  if (!above.isDirectory()) throw misplaced();
  const found = await lstat(folder).catch(() => null);
  if (found === null) return false;
  if (!found.isDirectory() || (await realpath(folder)) !== join(await realpath(root), attempt_id, basename(folder)))
    throw misplaced();
  return true;
}

export async function makeAttemptFolder(root: string, attempt_id: string): Promise<void> {
  await mkdir(attemptFolder(root, attempt_id), { recursive: true, mode: 0o700 });
}

const misplaced = () =>
  new GitError('The folder of the attempt is not where Errand made it, or a link stands in its place.');
