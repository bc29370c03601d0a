import type { Git } from '#runner/git/git';
import { names } from '#runner/git/git';

export const SUBMODULE = '160000';

/** A file of one side of a difference; null when that side lacks it. */
export interface Entry {
  readonly mode: string;
  readonly blob: string;
}

export interface Difference {
  /** As bytes. */
  readonly path: string;
  readonly old: Entry | null;
  readonly new: Entry | null;
}

/** The files that differ between two commits. */
export async function differences(
  git: Git,
  git_dir: string,
  [from, to]: readonly [string, string],
): Promise<readonly Difference[]> {
  const parts = names((await git(['diff-tree', '-r', '-z', '--no-renames', from, to, '--'], { git_dir })).stdout);
  const found: Difference[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [old_mode = '', new_mode = '', old_blob = '', new_blob = ''] = (parts[at] ?? '').slice(1).split(' ');
    const entry = (mode: string, blob: string) => (mode === '000000' ? null : { mode, blob });
    found.push({ path: parts[at + 1] ?? '', old: entry(old_mode, old_blob), new: entry(new_mode, new_blob) });
  }
  return found;
}

/** The input of `update-index --index-info` that gives all of these files one side. Removals first: a file may become a folder. */
export function indexInfo(all: readonly Difference[], side: 'old' | 'new'): Buffer {
  const gone = all.filter((one) => one[side] === null);
  const there = all.filter((one) => one[side] !== null);
  const none = '0'.repeat((all[0]?.old ?? all[0]?.new)?.blob.length ?? 0);
  const lines = [...gone, ...there].map((one) => {
    const { mode, blob } = one[side] ?? { mode: '0', blob: none };
    return `${mode} ${blob}\t${one.path}\0`;
  });
  return Buffer.from(lines.join(''), 'latin1');
}
