import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredRun } from './judge-runs.ts';
import { madeFile } from './scripts.ts';
import { git, type Site } from './site.ts';

const BRANCHES = `
  select attempts.id, attempts.branch, attempt_repos.head_commit, attempt_repos.base_commit
  from attempts join attempt_repos on attempt_repos.attempt_id = attempts.id`;

const said = (folder: string, ...args: readonly string[]): Promise<string> =>
  git(folder, ...args).catch((error: unknown) => `failed: ${String(error).slice(0, 300)}`);

/** Checks the repository that attempts are made from. */
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

/** Checks the folder of an attempt: its commit must contain everything in it. */
async function judgeFolder(folder: string, commit: unknown): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const status = await said(folder, 'status', '--porcelain');
  const head = await said(folder, 'rev-parse', 'HEAD');
  return [
    ...(status === '' ? [] : [`its folder has changes: ${status.slice(0, 200)}`]),
    // A run that ended while its folder was being created has no commit yet.
    ...(commit === null || head === commit ? [] : [`its folder is at ${head}, not ${commit}`]),
  ];
}

/**
 * Checks branches and folders: a branch has the commit of its row and the files of its completed runs, and a
 * folder has nothing more. `roots` contain the folders of attempts.
 */
export async function judgeGit(
  site: Site,
  runs: readonly StoredRun[],
  roots: readonly string[],
): Promise<readonly string[]> {
  const { repository, database } = site;
  const found = [...(await judgeSource(site))];
  const completed = Map.groupBy(
    runs.filter(({ status }) => status === 'completed'),
    ({ attempt_id }) => attempt_id,
  );

  for (const { id, branch, head_commit, base_commit } of await database.rows(BRANCHES)) {
    const say = (words: string): void => void found.push(`attempt ${id}: ${words}`);
    for (const root of roots) {
      const folder = join(root, 'attempts', String(id), 'shop');
      for (const words of await judgeFolder(folder, head_commit ?? base_commit)) say(words);
    }
    if (head_commit === null) continue;
    const tip = await said(repository, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
    // A branch without changes is removed.
    if (head_commit === base_commit && tip === '') continue;
    if (tip !== head_commit) say(`${branch} is at ${tip}, not ${head_commit}`);
    const files = new Set((await said(repository, 'ls-tree', '--name-only', `refs/heads/${branch}`)).split('\n'));
    for (const { key } of completed.get(String(id)) ?? []) {
      if (!files.has(madeFile(key))) say(`${branch} lacks what ${key} has made`);
    }
  }
  return found;
}
