import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;

/** What is wrong with who may write it; null when only this user and the superuser may. */
export function ownershipFault(path: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>, user: number): string | null {
  if (uid !== user && uid !== ROOT) return `${path} belongs to another user. Run: chown ${user} '${path}'`;
  if ((mode & WRITABLE_BY_OTHERS) === 0) return null;
  return `${path} can be written by other users. Run: chmod go-w '${path}'`;
}

/**
 * What is wrong with who may write the file or its folder; null when nothing is. Whoever writes it names the programs
 * that this user runs.
 */
export function privacyFault(file: string): string | null {
  const user = process.getuid?.();
  // Systems without users of this kind have no such modes either.
  if (user === undefined) return null;
  const real = realpathSync(file);
  const paths = new Set([dirname(file), dirname(real), real]);
  for (const path of paths) {
    const fault = ownershipFault(path, statSync(path), user);
    if (fault !== null) return fault;
  }
  return null;
}
