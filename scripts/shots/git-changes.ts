import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The same on every machine, so that commits have the same names in every run. */
const SETTINGS = {
  GIT_AUTHOR_NAME: 'atlas',
  GIT_AUTHOR_EMAIL: 'atlas@example.com',
  GIT_COMMITTER_NAME: 'atlas',
  GIT_COMMITTER_EMAIL: 'atlas@example.com',
  GIT_AUTHOR_DATE: '2026-11-15T14:00:00Z',
  GIT_COMMITTER_DATE: '2026-11-15T14:00:00Z',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

const MESSAGES = ['Retry card events with backoff', 'Keep failed events for three days', 'Test each answer'] as const;

/** Commits files to a new repository before and after a change, and returns what git says of it. */
export function gitChanges(folder: string, files: Readonly<Record<string, readonly [string | null, string]>>) {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...SETTINGS } });
  const paths = Object.keys(files);
  const commit = (at: 0 | 1, message: string, some = paths): string => {
    for (const path of some) {
      const both = files[path] ?? [null, ''];
      const text = both[at];
      if (text === null) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
    return git('rev-parse', 'HEAD').trim();
  };

  mkdirSync(folder, { recursive: true });
  git('init', '--quiet', '--initial-branch', 'main');
  const base_commit = commit(0, 'Handle card events');
  MESSAGES.forEach((message, part) => {
    commit(
      1,
      message,
      paths.filter((_, at) => at % MESSAGES.length === part),
    );
  });
  const head_commit = git('rev-parse', 'HEAD').trim();
  const changed = git('diff', '--numstat', base_commit, head_commit).trim().split('\n');
  return {
    base_commit,
    head_commit,
    commits: Number(git('rev-list', '--count', `${base_commit}..${head_commit}`)),
    patch: git('diff', base_commit, head_commit),
    files: changed.map((line) => {
      const [added = '0', removed = '0', path = ''] = line.split('\t');
      const change = files[path]?.[0] === null ? 'added' : 'modified';
      return { path, change, insertions: Number(added), deletions: Number(removed) };
    }),
  };
}
