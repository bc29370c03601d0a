import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** A path that runs must not see. */
export interface HiddenPath {
  readonly path: string;
  readonly is_folder: boolean;
}

const MOUNTS = '/proc/self/mountinfo';

/** Whether `path` is `folder` itself or is below it. */
export const isWithin = (path: string, folder: string): boolean => {
  const below = relative(folder, path);
  return below === '' || !(below === '..' || below.startsWith(`..${sep}`));
};

/** The real path; null when it does not exist. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/**
 * The paths to hide, as they are now: without those that do not exist or are below another one, and with other paths
 * at which this machine has the same file or folder mounted.
 */
export function findHiddenPlaces(paths: readonly string[], mounts: readonly Mount[] = readMounts()): HiddenPath[] {
  const real = paths.flatMap((path) => realPath(path) ?? []);
  const all = [...new Set(real.flatMap((path) => [path, ...aliasesOf(path, mounts)]))];
  return all
    .filter((path) => !all.some((other) => other !== path && isWithin(path, other)))
    .map((path) => ({ path, is_folder: statSync(path).isDirectory() }));
}

export interface Mount {
  readonly device: string;
  /** The path inside of the mounted file system. */
  readonly root: string;
  readonly at: string;
}

function readMounts(): readonly Mount[] {
  try {
    return parseMounts(readFileSync(MOUNTS, 'utf8'));
  } catch {
    return [];
  }
}

export function parseMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, , device, root, at] = line.split(' ');
    return device === undefined || root === undefined || at === undefined
      ? []
      : [{ device, root: decoded(root), at: decoded(at) }];
  });
}

/** The kernel writes spaces, tabs, line breaks and backslashes as three octal digits. */
const decoded = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Other paths of the same file or folder: bind mounts, and file systems that are mounted twice. */
function aliasesOf(path: string, mounts: readonly Mount[]): readonly string[] {
  // A later mount on the same path covers the earlier one.
  const own = mounts
    .filter(({ at }) => isWithin(path, at))
    .reduce<Mount | null>((best, mount) => (best === null || mount.at.length >= best.at.length ? mount : best), null);
  if (own === null) return [];
  const inside = join(own.root, relative(own.at, path));
  return mounts
    .filter(({ device, root }) => device === own.device && isWithin(inside, root))
    .map(({ root, at }) => join(at, relative(root, inside)))
    .filter((alias) => alias !== path && isSameFile(alias, path));
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false, bigint: true }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
