import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { OutsideFiles } from '#domain/attempt';
import { cleanText, cutText } from '#runner/executors/clean-text';
import { attemptFolder } from './folder-paths.ts';
import { KEPT } from './scratch.ts';

const MAX_NAMED = 10;
const MAX_PATH = 120;
const MAX_COUNTED = 10_000;
/** How much one attempt may leave outside of its repositories and still have its folder removed. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How much of such files is kept for all attempts together. */
const MAX_KEPT_BYTES = 1024 * 1024 * 1024;

interface Measured {
  readonly paths: readonly string[];
  readonly bytes: number;
}

/** Counts the files below a folder, up to the limit. Links are not followed. */
async function measure(folder: string, names: readonly string[]): Promise<Measured> {
  const waiting = [...names];
  const paths: string[] = [];
  let bytes = 0;
  for (let path = waiting.shift(); path !== undefined && paths.length < MAX_COUNTED; path = waiting.shift()) {
    const found = await lstat(join(folder, path)).catch(() => null);
    if (found === null) continue;
    bytes += found.size;
    if (!found.isDirectory()) paths.push(path);
    else {
      // An unreadable folder counts as one file: it must not pass for empty.
      const inside = await readdir(join(folder, path)).catch(() => null);
      if (inside === null) paths.push(path);
      else waiting.push(...inside.map((name) => `${path}/${name}`));
    }
  }
  return { paths, bytes };
}

async function measureOutside(root: string, attempt_id: string, folders: readonly string[]): Promise<Measured> {
  const folder = attemptFolder(root, attempt_id);
  const own = new Set(folders.map((path) => basename(path)));
  const names = (await readdir(folder).catch(() => [])).filter((name) => !own.has(name));
  return measure(folder, names.toSorted());
}

/** Finds the files in an attempt's folder outside of its repositories; null for none. */
export async function findOutside(
  root: string,
  attempt_id: string,
  folders: readonly string[],
): Promise<OutsideFiles | null> {
  const { paths } = await measureOutside(root, attempt_id, folders);
  if (paths.length === 0) return null;
  const named = paths.slice(0, MAX_NAMED).map((path) => cutText(cleanText(path), MAX_PATH));
  return { paths: named, total: paths.length };
}

/** Whether the files outside of the repositories are small enough to be kept when the folder is removed. */
export async function canBeKept(root: string, attempt_id: string, folders: readonly string[]): Promise<boolean> {
  const { paths, bytes } = await measureOutside(root, attempt_id, folders);
  if (paths.length === 0) return true;
  if (paths.length >= MAX_COUNTED || bytes > MAX_BYTES) return false;
  const kept = join(root, KEPT);
  const before = await measure(kept, await readdir(kept).catch(() => []));
  return before.paths.length < MAX_COUNTED && before.bytes + bytes <= MAX_KEPT_BYTES;
}
