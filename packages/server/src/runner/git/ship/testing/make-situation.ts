import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RepoId } from '#domain/ids';
import type { ShipRepo } from '#runner/git/ship/ship-plan';
import { plainGit } from '#runner/git/testing/repository';
import type { Draft, Made, TargetPlace, Twist } from './draft.ts';
import { aDraft, filesOf } from './draft.ts';
import { makeHistory } from './history.ts';
import { ATTEMPT, BRANCH } from './ship-bed.ts';

export interface Situation {
  readonly made: Made;
  readonly repo: ShipRepo;
  /** Whether a work tree has the target checked out. */
  readonly is_open: boolean;
  readonly commits: ReadonlyMap<string, string>;
}

/** Makes the repository that the twists describe. */
export function makeSituation(folder: string, place: TargetPlace, twists: readonly Twist[]): Situation {
  const draft = aDraft(place);
  for (const { change } of twists) change(draft);
  const source = join(folder, 'source');
  const commits = makeSource(source, draft);
  const made = openPlace(folder, source, draft);
  for (const act of [...draft.acts, ...draft.last_acts]) act(made);
  const repo = {
    repo_id: RepoId.parse('018f3c00-0000-7000-8000-00000000c001'),
    repo_name: 'website',
    source,
    attempt_id: ATTEMPT,
    branch: BRANCH,
    target_branch: 'main',
    base_commit: commits.get('base') ?? '',
  };
  return { made, repo, is_open: place === 'here' || place === 'linked', commits };
}

function makeSource(source: string, draft: Draft): ReadonlyMap<string, string> {
  mkdirSync(source, { recursive: true });
  plainGit(
    source,
    'init',
    '-q',
    '-b',
    'main',
    '--template=',
    ...draft.init,
    ...(draft.place === 'bare' ? ['--bare'] : []),
  );
  const git_dir = draft.place === 'bare' ? source : join(source, '.git');
  const settings = [['user.name', 'Ada'], ['user.email', 'ada@example.com'], ...draft.settings] as const;
  const lines = settings.map(([key, value]) => `[${key.split('.')[0]}]\n\t${key.split('.')[1]} = ${value}\n`);
  writeFileSync(join(git_dir, 'config'), lines.join(''), { flag: 'a' });
  const heads = [`refs/heads/${BRANCH}`, ...['head', 'branch'].map((name) => `refs/errand/${ATTEMPT}/${name}`)];
  const is_apart = draft.is_unrelated || Object.keys(draft.target).length > 0;
  const half = Object.fromEntries(Object.entries(draft.work).slice(0, 1));
  const commits = makeHistory(source, [
    { name: 'root', files: { 'root.txt': 'r\n' } },
    { name: 'base', from: 'root', files: filesOf(draft), refs: is_apart ? [] : ['refs/heads/main'] },
    ...(is_apart
      ? [
          {
            name: 'target',
            ...(draft.is_unrelated ? {} : { from: 'base' }),
            files: filesOf(draft, draft.target),
            refs: ['refs/heads/main'],
          },
        ]
      : []),
    { name: 'half', from: 'base', files: filesOf(draft, half) },
    { name: 'work', from: 'half', files: filesOf(draft, draft.work), refs: heads },
  ]);
  if (draft.is_shallow) writeFileSync(join(git_dir, 'shallow'), `${commits.get('base')}\n`);
  return commits;
}

/** Checks the target out where the situation has it. */
function openPlace(folder: string, source: string, { place }: Draft): Made {
  const canary = join(folder, 'canary');
  const at = (tree: string, git_dir: string) => ({
    folder,
    source,
    tree,
    git_dir,
    canary,
    git: (...args: readonly string[]) => plainGit(tree, ...args),
    tell: (input: string, ...args: readonly string[]) =>
      execFileSync('git', [...args], { cwd: tree, input })
        .toString()
        .trimEnd(),
  });
  if (place === 'bare') return at(source, source);
  plainGit(source, 'reset', '-q', '--hard');
  if (place === 'here') return at(source, join(source, '.git'));
  plainGit(source, 'checkout', '-q', '--detach');
  if (place === 'detached') return at(source, join(source, '.git'));
  plainGit(source, 'worktree', 'add', '-q', join(folder, 'linked'), 'main');
  return at(join(folder, 'linked'), join(source, '.git/worktrees/linked'));
}
