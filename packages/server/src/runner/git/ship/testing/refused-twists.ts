import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Draft, Made, Twist } from './draft.ts';

const NO_TREE = ['bare'] as const;
const inTree = (name: string, text: string) => (made: Made) => writeFileSync(join(made.tree, name), text);

const CONFLICTS: readonly Twist[] = [
  {
    name: 'both changed a line',
    change: ({ target }) => Object.assign(target, { 'a.txt': 'one\ntwo\nDREI\n' }),
  },
  {
    name: 'both renamed a file',
    is_alike: true,
    change: ({ base, target, work }) => {
      base.name = 'a long enough text to be found again\nand again\n';
      Object.assign(target, { name: null, 'their-name': base.name });
      Object.assign(work, { name: null, 'our-name': base.name });
    },
  },
  {
    name: 'both changed a binary file',
    is_alike: true,
    change: ({ base, target, work }) => {
      base['img.bin'] = '\0base';
      target['img.bin'] = '\0target';
      work['img.bin'] = '\0work';
    },
  },
  {
    name: 'a changed file became a folder',
    is_alike: true,
    change: ({ base, target, work }) => {
      base.spot = 'spot\n';
      target.spot = 'changed\n';
      Object.assign(work, { spot: null, 'spot/in.txt': 'in\n' });
    },
  },
  {
    name: 'files that are never merged',
    is_alike: true,
    change: ({ attributes, base, target, work }) => {
      attributes.push('*.lock -merge');
      base['x.lock'] = '1\n2\n3\n4\n5\n6\n7\n8\n';
      target['x.lock'] = 'one\n2\n3\n4\n5\n6\n7\n8\n';
      work['x.lock'] = '1\n2\n3\n4\n5\n6\n7\neight\n';
    },
  },
];

const IN_THE_WAY: readonly Twist[] = [
  { name: 'an unstaged change', change: ({ acts }) => acts.push(inTree('dirty.txt', 'changed\n')) },
  {
    name: 'a staged change',
    is_alike: true,
    change: ({ acts }) =>
      acts.push((made) => {
        inTree('dirty.txt', 'changed\n')(made);
        made.git('add', 'dirty.txt');
      }),
  },
  {
    name: 'a change that neither size nor time shows',
    change: ({ acts }) =>
      acts.push(({ tree, git_dir }) => {
        const { mtime } = statSync(join(git_dir, 'index'));
        writeFileSync(join(tree, 'dirty.txt'), 'DIRTY\n');
        utimesSync(join(tree, 'dirty.txt'), mtime, mtime);
      }),
  },
  {
    name: 'a file that is to be added',
    is_alike: true,
    change: ({ acts }) =>
      acts.push((made) => {
        inTree('intended.txt', 'x\n')(made);
        made.git('add', '-N', 'intended.txt');
      }),
  },
  {
    name: 'entries that are not merged',
    is_alike: true,
    change: ({ acts }) =>
      acts.push((made) => {
        const blob = made.git('rev-parse', 'HEAD:dirty.txt');
        const lines = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\tdirty.txt\n`);
        made.git('rm', '-q', '--cached', 'dirty.txt');
        made.tell(lines.join(''), 'update-index', '--index-info');
      }),
  },
  { name: 'an untracked file in the way', change: ({ work, acts }) => both(work, acts, 'fresh.txt') },
  { name: 'an ignored file in the way', change: ({ work, acts }) => both(work, acts, 'out.log') },
  {
    name: 'an untracked folder in the way',
    change: ({ work, acts }) => {
      work.taken = 'file\n';
      acts.push((made) => {
        mkdirSync(join(made.tree, 'taken'));
        inTree('taken/own.txt', 'own\n')(made);
      });
    },
  },
  {
    name: 'an ignored file in a folder that becomes a file',
    is_alike: true,
    change: ({ base, work, acts }) => {
      base['half/x.txt'] = 'x\n';
      Object.assign(work, { 'half/x.txt': null, half: 'file\n' });
      acts.push(inTree('half/own.log', 'own\n'));
    },
  },
  {
    name: 'an ignored link above a new file',
    is_alike: true,
    change: ({ work, acts }) => {
      work['up.log/x.txt'] = 'x\n';
      acts.push(({ tree, folder }) => symlinkSync(folder, join(tree, 'up.log')));
    },
  },
];

function both(work: Record<string, string | null>, acts: Draft['acts'], name: string) {
  work[name] = 'theirs\n';
  acts.push(inTree(name, 'own\n'));
}

const subAt = ({ init }: Draft, digit: string) =>
  `sub:${digit.repeat(init.includes('--object-format=sha256') ? 64 : 40)}`;

const OPERATIONS = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge/x',
  'rebase-apply/x',
  'sequencer/todo',
];

const OTHERS: readonly Twist[] = [
  ...OPERATIONS.map(
    (name): Twist => ({
      name: `an operation is under way: ${name}`,
      gives: 'in_operation',
      is_alike: name !== 'MERGE_HEAD',
      not: NO_TREE,
      change: ({ acts }) =>
        acts.push(({ git_dir, git }) => {
          if (name.includes('/')) mkdirSync(join(git_dir, name, '..'));
          writeFileSync(join(git_dir, name), `${git('rev-parse', 'HEAD')}\n`);
        }),
    }),
  ),
  {
    name: 'a rebase of the target is under way',
    gives: 'in_operation',
    always: true,
    not: ['here', 'linked', 'bare'],
    change: ({ acts }) =>
      acts.push(({ git_dir }) => {
        mkdirSync(join(git_dir, 'rebase-merge'));
        writeFileSync(join(git_dir, 'rebase-merge/head-name'), 'refs/heads/main\n');
      }),
  },
  {
    name: 'another git has the lock',
    gives: 'busy',
    not: NO_TREE,
    change: ({ acts }) => acts.push(({ git_dir }) => writeFileSync(join(git_dir, 'index.lock'), '')),
  },
  {
    name: 'a sparse checkout',
    gives: 'sparse',
    not: NO_TREE,
    change: ({ acts }) => acts.unshift(({ git }) => git('sparse-checkout', 'set', '--no-cone', '/*', '!/keep/')),
  },
  {
    name: 'a file that git was told to skip',
    is_alike: true,
    gives: 'sparse',
    not: NO_TREE,
    change: ({ acts }) => acts.push(({ git }) => git('update-index', '--assume-unchanged', 'dirty.txt')),
  },
  {
    name: 'a split index',
    gives: 'sparse',
    not: NO_TREE,
    change: ({ acts }) => acts.push(({ git }) => git('update-index', '--split-index')),
  },
  {
    name: 'a filter for a new file',
    is_alike: true,
    gives: 'filters',
    not: NO_TREE,
    change: ({ attributes, work }) => {
      attributes.push('*.bin filter=lfs');
      work['big.bin'] = 'pointer\n';
    },
  },
  {
    name: 'an encoding that comes with the merge',
    is_alike: true,
    gives: 'filters',
    not: NO_TREE,
    change: ({ work }) =>
      Object.assign(work, { 'w/.gitattributes': '*.u working-tree-encoding=UTF-16\n', 'w/x.u': 'x\n' }),
  },
  {
    name: 'a file with the name of its commit in it',
    gives: 'filters',
    is_alike: true,
    not: NO_TREE,
    change: ({ attributes, work }) => {
      attributes.push('*.id ident');
      work['x.id'] = '$Id$\n';
    },
  },
  {
    name: 'a filter that only the repository knows',
    gives: 'filters',
    not: NO_TREE,
    change: ({ work, acts }) => {
      work['own.flt'] = 'x\n';
      acts.push(({ source }) => {
        mkdirSync(join(source, '.git/info'), { recursive: true });
        writeFileSync(join(source, '.git/info/attributes'), '*.flt filter=own\n');
      });
    },
  },
  {
    name: 'a submodule',
    gives: 'submodules',
    not: NO_TREE,
    change: (draft) => Object.assign(draft.work, { sub: subAt(draft, '2') }),
  },
  {
    name: 'a submodule that is removed',
    gives: 'submodules',
    is_alike: true,
    not: NO_TREE,
    change: (draft) => {
      draft.base.sub = subAt(draft, '1');
      draft.work.sub = null;
    },
  },
  {
    name: 'no common history',
    gives: 'unrelated',
    always: true,
    change: (draft) => Object.assign(draft, { is_unrelated: true }),
  },
  {
    name: 'a second work tree with the target',
    gives: 'checked_out',
    not: ['bare', 'detached'],
    change: ({ acts }) =>
      acts.push(({ git, folder }) => git('worktree', 'add', '-q', '--force', join(folder, 'second'), 'main')),
  },
  {
    name: 'a repository that says where its files are',
    gives: 'checked_out',
    is_alike: true,
    not: ['bare', 'detached', 'linked'],
    change: ({ acts }) => acts.push(({ git, tree }) => git('config', 'core.worktree', tree)),
  },
  {
    name: 'a work tree whose folder is gone',
    gives: 'checked_out',
    always: true,
    not: ['here', 'linked', 'bare'],
    change: ({ acts }) =>
      acts.push(({ git, folder }) => {
        git('worktree', 'add', '-q', '--force', join(folder, 'gone'), 'main');
        rmSync(join(folder, 'gone'), { recursive: true });
      }),
  },
];

/** Situations in which nothing may change. */
export const REFUSED: readonly Twist[] = [
  ...CONFLICTS.map((twist) => ({ ...twist, gives: 'conflicts', always: true }) as const),
  ...IN_THE_WAY.map((twist) => ({ ...twist, gives: 'not_clean', not: NO_TREE }) as const),
  ...OTHERS,
];
