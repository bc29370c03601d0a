import type { ChangedFile } from '#domain/attempt';
import { type Git, said } from './git.ts';

export const MAX_PATCH = 512 * 1024;
export const MAX_FILES = 2_000;
const MAX_LIST = 8 * 1024 * 1024;

export interface Changes {
  readonly files: readonly ChangedFile[];
  readonly patch: string;
  /** Whether files or lines were left out. */
  readonly is_patch_cut: boolean;
}

/** The changes between two commits. Compares trees in a directory without attributes: no program can be named for it. */
export async function readChanges(git: Git, git_dir: string, [from, to]: readonly [string, string]): Promise<Changes> {
  const compare = (format: readonly string[], cut_at: number) =>
    git(['diff-tree', '-r', '-M', '--no-ext-diff', '--no-textconv', '--no-color', ...format, from, to, '--'], {
      git_dir,
      cut_at,
    });

  const raw = await compare(['-z', '--raw'], MAX_LIST);
  const counted = await compare(['-z', '--numstat'], MAX_LIST);
  const patch = await compare(['-p', '--src-prefix=a/', '--dst-prefix=b/'], MAX_PATCH);
  const all = changedFiles(raw.stdout.toString(), countLines(counted.stdout.toString()));
  return {
    files: all.slice(0, MAX_FILES),
    patch: textOf(patch.is_cut ? cutAtBorder(patch.stdout) : patch.stdout),
    is_patch_cut: patch.is_cut || raw.is_cut || all.length > MAX_FILES,
  };
}

/** How many commits lead from one commit to another. */
export async function countCommits(git: Git, git_dir: string, [from, to]: readonly [string, string]): Promise<number> {
  return Number(said(await git(['rev-list', '--count', `${from}..${to}`, '--'], { git_dir })));
}

type Counts = ReadonlyMap<string, { readonly insertions: number | null; readonly deletions: number | null }>;

function changedFiles(raw: string, counts: Counts): readonly ChangedFile[] {
  const parts = raw.split('\0');
  const files: ChangedFile[] = [];
  // After the last NUL there is nothing, or a cut record.
  for (let at = 0; at < parts.length - 1; at += 2) {
    const letter = parts[at]?.split(' ')[4]?.[0] ?? '';
    if (letter === 'R') at += 1;
    if (at + 1 >= parts.length - 1) break;
    const path = parts[at + 1] ?? '';
    files.push({
      path,
      change: CHANGES[letter] ?? 'modified',
      ...(counts.get(path) ?? { insertions: null, deletions: null }),
    });
  }
  return files;
}

const CHANGES: Readonly<Record<string, ChangedFile['change']>> = { A: 'added', D: 'deleted', R: 'renamed' };

function countLines(numstat: string): Counts {
  const counts = new Map<string, { insertions: number | null; deletions: number | null }>();
  const parts = numstat.split('\0');
  for (let at = 0; at < parts.length - 1; at += 1) {
    const [insertions = '', deletions = '', ...rest] = (parts[at] ?? '').split('\t');
    const name = rest.join('\t');
    // A renamed file has its two names in separate fields.
    if (name === '') at += 2;
    counts.set(name === '' ? (parts[at] ?? '') : name, {
      insertions: countOf(insertions),
      deletions: countOf(deletions),
    });
  }
  return counts;
}

const countOf = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);

/** Cuts back to the end of the last whole file, or of the last whole line of a single long file. */
function cutAtBorder(patch: Buffer): Buffer {
  const file = patch.lastIndexOf('\ndiff --git ');
  return patch.subarray(0, (file > 0 ? file : patch.lastIndexOf('\n')) + 1);
}

/** Databases refuse NUL in a text. */
const textOf = (patch: Buffer): string => patch.toString().replaceAll('\0', '\uFFFD');
