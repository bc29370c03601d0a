import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredRun } from './judge-runs.ts';
import { madeFile } from './scripts.ts';
import { git, type Site } from './site.ts';

const COMMITTED = `
  select attempts.id, attempts.branch, attempt_repos.head_commit
  from attempts join attempt_repos on attempt_repos.attempt_id = attempts.id where head_commit is not null`;

const said = (folder: string, ...args: readonly string[]): Promise<string> =>
  git(folder, ...args).catch((error: unknown) => `failed: ${String(error).slice(0, 300)}`);

/** What is wrong with the repository that attempts are made from. */
async function judgeSource({ repository, first_commit }: Site): Promise<readonly string[]> {
  const found: string[] = [];
  const fsck = await said(repository, 'fsck', '--full', '--no-dangling');
  if (fsck !== '') found.push(`git fsck: ${fsck.slice(0, 500)}`);
  const status = await said(repository, 'status', '--porcelain');
  if (status !== '') found.push(`the source has changes: ${status.slice(0, 300)}`);
  const head = await said(repository, 'rev-parse', '--symbolic-full-name', 'HEAD');
  const main = await said(repository, 'rev-parse', 'refs/heads/main');
  if (head !== 'refs/heads/main' || main !== first_commit) found.push(`the source is at ${head}, main at ${main}`);
  return found;
}

/**
 * What is wrong with branches and folders: a branch holds what its row says and what its completed runs have made, and a
 * folder holds nothing more. `roots` are where attempts may have their folders.
 */
export async function judgeGit(site: Site, runs: readonly StoredRun[], roots: readonly string[]): Promise<readonly string[]> {
  const { repository, database } = site;
  const found = [...(await judgeSource(site))];
  const completed = Map.groupBy(
    runs.filter(({ status }) => status === 'completed'),
    ({ attempt_id }) => attempt_id,
  );

  for (const { id, branch, head_commit } of await database.rows(COMMITTED)) {
    const say = (words: string): void => void found.push(`attempt ${id}: ${words}`);
    const tip = await said(repository, 'rev-parse', `refs/heads/${branch}`);
    if (tip !== head_commit) say(`${branch} is at ${tip}, not ${head_commit}`);
    const files = new Set((await said(repository, 'ls-tree', '--name-only', `refs/heads/${branch}`)).split('\n'));
    for (const { key } of completed.get(String(id)) ?? []) {
      if (!files.has(madeFile(key))) say(`${branch} lacks what ${key} has made`);
    }
    for (const root of roots) {
      const folder = join(root, 'attempts', String(id), 'shop');
      if (!existsSync(folder)) continue;
      const status = await said(folder, 'status', '--porcelain');
      if (status !== '') say(`its folder has changes: ${status.slice(0, 200)}`);
      const head = await said(folder, 'rev-parse', 'HEAD');
      if (head !== head_commit) say(`its folder is at ${head}, not ${head_commit}`);
    }
  }
  return found;
}
