import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shipped } from './kill-ships.ts';
import { git, type Site } from './site.ts';

const OPEN = `select 'git job ' || id || ' is ' || status as words from git_jobs where ended_at is null`;
const ATTEMPTS = `select id, merged_at from attempts`;

/** Checks a repository: every merge is there once, its files are there, and nothing of a job is left. */
async function judgeRepository(repository: string, all: readonly Shipped[]): Promise<readonly string[]> {
  const said = (...args: readonly string[]): Promise<string> =>
    git(repository, ...args).catch((error: unknown) => `failed: ${String(error).slice(0, 300)}`);
  const found: string[] = [];
  const must = (is: string, wanted: string, words: string): void => {
    if (is !== wanted) found.push(`${repository}: ${words}: ${is.slice(0, 300)}`);
  };
  must(await said('fsck', '--full', '--no-dangling'), '', 'git fsck');
  must(await said('status', '--porcelain'), '', 'the work tree has changes');
  must(await said('rev-parse', '--symbolic-full-name', 'HEAD'), 'refs/heads/main', 'HEAD');
  must(await said('for-each-ref', '--format=%(refname)', 'refs/errand/*/job/*'), '', 'left');
  if (existsSync(join(repository, '.git/index.lock'))) found.push(`${repository}: left index.lock`);
  const subjects = (await said('log', '--first-parent', '--format=%s', 'main')).split('\n');
  for (const { key } of all) {
    const times = subjects.filter((subject) => new RegExp(`\\b${key}\\b`).test(subject)).length;
    if (times !== 1) found.push(`${repository}: ${key} was merged ${times} times`);
    const file = join(repository, `${key}.txt`);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
    if (text !== `${key}\n`) found.push(`${repository}: ${key}.txt is ${text}`);
  }
  return found;
}

/** Checks what was answered against the branches and the store. */
async function judgeAnswers(repositories: readonly string[], all: readonly Shipped[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { key, answer } of all) {
    const commits = (answer?.commits ?? []) as readonly { readonly commit: string }[];
    if (answer?.status !== 'merged' || commits.length !== repositories.length) {
      found.push(`${key}: answered ${JSON.stringify(answer ?? null).slice(0, 300)}`);
      continue;
    }
    for (const repository of repositories) {
      const known = await Promise.all(
        commits.map(({ commit }) =>
          git(repository, 'merge-base', '--is-ancestor', commit, 'main').then(
            () => true,
            () => false,
          ),
        ),
      );
      if (!known.includes(true)) found.push(`${key}: its commit is not on main of ${repository}`);
    }
  }
  return found;
}

/** Checks the repositories and the store once every merge was answered. Returns the broken promises. */
export async function judgeShips(
  { database, place }: Site,
  repositories: readonly string[],
  all: readonly Shipped[],
): Promise<readonly string[]> {
  const found = [...(await judgeAnswers(repositories, all))];
  for (const repository of repositories) found.push(...(await judgeRepository(repository, all)));
  found.push(...(await database.rows(OPEN)).map(({ words }) => String(words)));
  const merged = new Map((await database.rows(ATTEMPTS)).map(({ id, merged_at }) => [String(id), merged_at]));
  for (const { key, attempt_id } of all) {
    if (merged.get(attempt_id) === null) found.push(`${key}: the store does not say that it is merged`);
  }
  const scratch = join(place.data, 'attempts/.scratch');
  const left = existsSync(scratch) ? readdirSync(scratch) : [];
  return [...found, ...left.map((name) => `left ${name}`)];
}
