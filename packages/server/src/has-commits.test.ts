import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasCommits } from './compose.ts';

const folder = { path: '' };
beforeEach(() => {
  folder.path = mkdtempSync(join(tmpdir(), 'errand-repo-'));
});
afterEach(() => rmSync(folder.path, { recursive: true, force: true }));

const git = (...args: string[]): Buffer =>
  execFileSync('git', ['-C', folder.path, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);

it.each([[], ['--bare']])('finds no commit in a new repository (%j), and finds the first one', (...options) => {
  git('init', '-q', ...options);
  const before = hasCommits(folder.path);

  const tree = git('hash-object', '-t', 'tree', '-w', '--stdin').toString().trim();
  const commit = git('commit-tree', tree, '-m', 'first').toString().trim();
  git('update-ref', 'refs/heads/feature/one', commit);
  const after = hasCommits(folder.path);
  git('pack-refs', '--all');

  expect([before, after, hasCommits(folder.path)]).toEqual([false, true, true]);
});
