import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plainGit } from '#runner/git/testing/repository';

/** A person's work that must not be lost. */
export type Evidence = () => string | null;

export interface Person {
  readonly name: string;
  /** Whether it may happen while the job runs; git itself would lose an edit in the middle of a checkout. */
  readonly is_safe_at_any_time: boolean;
  /** Whether the target then has commits that the plan does not know. */
  readonly moves_target: boolean;
  /** Whether git must find nothing changed in the work tree afterwards. */
  readonly leaves_clean: boolean;
  readonly act: (source: string, kept: string) => Evidence;
}

const AS_ADA = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'] as const;

/** Git refuses while the index is locked; the person tries again another day. */
function tried(source: string, ...args: readonly string[]): boolean {
  try {
    plainGit(source, ...AS_ADA, ...args);
    return true;
  } catch {
    return false;
  }
}

function edit(source: string, name: string, kept: string): Evidence {
  const text = `a person's ${name}\n`;
  mkdirSync(dirname(join(source, name)), { recursive: true });
  writeFileSync(join(source, name), text);
  return () => {
    const at = join(source, name);
    if (existsSync(at) && readFileSync(at, 'utf8') === text) return null;
    if (filesBelow(kept).some((path) => readFileSync(path, 'utf8') === text)) return null;
    if (plainGit(source, 'log', '--all', '-m', '--format=%h', '-S', text.trim()) !== '') return null;
    return `the person's ${name} is lost`;
  };
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function commitTo(source: string, ref: string): Evidence {
  const parent = plainGit(source, 'rev-parse', '--verify', 'refs/heads/main');
  const commit = plainGit(source, ...AS_ADA, 'commit-tree', `${parent}^{tree}`, '-p', parent, '-m', "a person's");
  plainGit(source, 'update-ref', ref, commit);
  return () => (tried(source, 'merge-base', '--is-ancestor', commit, ref) ? null : `a commit on ${ref} is lost`);
}

export const PERSONS: readonly Person[] = [
  {
    name: 'commits to the target',
    is_safe_at_any_time: true,
    moves_target: true,
    leaves_clean: true,
    act: (source) => commitTo(source, 'refs/heads/main'),
  },
  {
    name: 'commits to another branch',
    is_safe_at_any_time: true,
    moves_target: false,
    leaves_clean: true,
    act: (source) => commitTo(source, 'refs/heads/other'),
  },
  {
    name: 'commits in the work tree',
    is_safe_at_any_time: true,
    moves_target: true,
    leaves_clean: false,
    act: (source, kept) => {
      const evidence = edit(source, 'person.txt', kept);
      if (tried(source, 'add', 'person.txt')) tried(source, 'commit', '-q', '-m', 'mine');
      return evidence;
    },
  },
  {
    name: 'begins another branch',
    is_safe_at_any_time: true,
    moves_target: false,
    leaves_clean: true,
    act: (source) => {
      tried(source, 'switch', '-q', '-c', 'side');
      return () => null;
    },
  },
  {
    name: 'runs another git',
    is_safe_at_any_time: true,
    moves_target: false,
    leaves_clean: false,
    act: (source) => {
      const lock = join(source, '.git/index.lock');
      if (existsSync(lock)) return () => null;
      writeFileSync(lock, '');
      return () => {
        const is_there = existsSync(lock) && readFileSync(lock, 'utf8') === '';
        rmSync(lock, { force: true });
        return is_there ? null : 'the lock of another git was taken';
      };
    },
  },
  {
    name: 'edits a file that the merge changes',
    is_safe_at_any_time: false,
    moves_target: false,
    leaves_clean: false,
    act: (source, kept) => edit(source, 'a.txt', kept),
  },
  {
    name: 'stages a change that is in no file any more',
    is_safe_at_any_time: false,
    moves_target: false,
    leaves_clean: false,
    act: (source) => {
      const text = "a person's staged text";
      const before = readFileSync(join(source, 'a.txt'));
      writeFileSync(join(source, 'a.txt'), text);
      const is_staged = tried(source, 'add', 'a.txt');
      writeFileSync(join(source, 'a.txt'), before);
      return () => (is_staged && plainGit(source, 'show', ':a.txt') !== text ? 'a staged text is lost' : null);
    },
  },
  {
    name: 'makes a file where the merge adds one',
    is_safe_at_any_time: false,
    moves_target: false,
    leaves_clean: false,
    act: (source, kept) => edit(source, 'new/d.txt', kept),
  },
  {
    name: 'edits a file that the merge removes, and stashes',
    is_safe_at_any_time: false,
    moves_target: false,
    leaves_clean: false,
    act: (source, kept) => {
      const evidence = edit(source, 'gone/g.txt', kept);
      tried(source, 'stash', '-q');
      return evidence;
    },
  },
];
