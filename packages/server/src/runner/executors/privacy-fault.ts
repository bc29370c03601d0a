import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;

/** The problem with a file's owner and mode; null when only this user and root can write it. */
export function ownershipFault(path: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>, user: number): string | null {
  if (uid !== user && uid !== ROOT) return `${path} belongs to another user. Run: chown ${user} '${path}'`;
  if ((mode & WRITABLE_BY_OTHERS) === 0) return null;
  return `${path} can be written by other users. Run: chmod go-w '${path}'`;
}

/**
 * The problem with who can write the file or its folder; null when there is none. A writer of the file chooses the
 * programs that this user runs.
 */
export function privacyFault(file: string): string | null {
  const user = process.getuid?.();
  // Systems without user ids have no such modes either.
  if (user === undefined) return null;
  const real = realpathSync(file);
  const paths = new Set([dirname(file), dirname(real), real]);
  for (const path of paths) {
    const fault = ownershipFault(path, statSync(path), user);
    if (fault !== null) return fault;
  }
  return null;
}
