import { chmod, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commitFiles, plainGit, writeFiles } from './repository.ts';

interface Target {
  /** The agent's working folder. */
  readonly folder: string;
  /** A program that creates the canary. */
  readonly program: string;
  /** A folder that the agent chooses. */
  readonly elsewhere: string;
}

export interface Vector {
  readonly name: string;
  readonly plant: (target: Target) => Promise<unknown>;
  /** The operation with which plain git falls for the attack. */
  readonly bait: (folder: string) => unknown;
}

/** A program that creates the canary and fails. */
export async function aProgram(folder: string, canary: string): Promise<string> {
  const program = join(folder, 'program');
  await writeFile(program, `#!/bin/sh\ntouch '${canary}'\nexit 1\n`);
  await chmod(program, 0o755);
  return program;
}

const config =
  (...settings: readonly (readonly [string, string])[]) =>
  async ({ folder, program, elsewhere }: Target) => {
    for (const [key, value] of settings) {
      const meant = value.replace('PROGRAM', `'${program}'`).replace('PLAIN', program).replace('ELSEWHERE', elsewhere);
      plainGit(folder, 'config', '--file', join(folder, '.git', 'config'), key, meant);
    }
  };

const status = (folder: string) => plainGit(folder, 'status');
const add = (folder: string) => plainGit(folder, 'add', '-A');
const commit = (folder: string) => plainGit(folder, 'commit', '-q', '-a', '--allow-empty', '-m', 'x');

const hooks = async ({ program }: Target, folder: string) => {
  await mkdir(folder, { recursive: true });
  for (const name of [
    'pre-commit',
    'post-checkout',
    'post-index-change',
    'reference-transaction',
    'post-commit',
    'pre-auto-gc',
  ]) {
    await cp(program, join(folder, name));
  }
};

/** A repository whose configuration starts the program, at a place that the agent chooses. */
const anEvilRepository = async ({ program, elsewhere }: Target) => {
  await rm(elsewhere, { recursive: true });
  plainGit('/', 'init', '-q', '--bare', elsewhere);
  plainGit(elsewhere, 'config', 'core.bare', 'false');
  plainGit(elsewhere, 'config', 'core.fsmonitor', `'${program}'`);
  return elsewhere;
};

/** The only attack outside of the folder's git directory, so it stays. */
export const NESTED = 'a repository inside the folder';

export const VECTORS: readonly Vector[] = [
  { name: 'config: core.fsmonitor', plant: config(['core.fsmonitor', 'PROGRAM']), bait: status },
  {
    name: 'config: diff.external',
    plant: config(['diff.external', 'PROGRAM']),
    bait: (folder) => plainGit(folder, 'diff'),
  },
  {
    name: 'config: core.sshCommand',
    plant: config(['core.sshCommand', 'PROGRAM'], ['remote.origin.url', 'ssh://127.0.0.1/x']),
    bait: (folder) => plainGit(folder, 'fetch'),
  },
  { name: 'config: gpg.program', plant: config(['gpg.program', 'PLAIN'], ['commit.gpgSign', 'true']), bait: commit },
  {
    name: 'config: include.path',
    plant: async (target) => {
      await writeFile(join(target.folder, '.git', 'more'), `[core]\n\tfsmonitor = '${target.program}'\n`);
      await config(['include.path', 'more'])(target);
    },
    bait: status,
  },
  {
    name: 'config: a promisor remote',
    plant: config(
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', '.'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.uploadpack', 'PROGRAM'],
    ),
    bait: (folder) => plainGit(folder, 'cat-file', '-p', '1'.repeat(40)),
  },
  {
    name: 'config: core.worktree',
    plant: config(['core.worktree', 'ELSEWHERE/..']),
    bait: (folder) => plainGit(folder, 'reset', '--hard'),
  },
  {
    name: 'config.worktree',
    plant: async (target) => {
      await config(['core.repositoryformatversion', '1'], ['extensions.worktreeConfig', 'true'])(target);
      await writeFile(join(target.folder, '.git', 'config.worktree'), `[core]\n\tfsmonitor = '${target.program}'\n`);
    },
    bait: status,
  },
  { name: 'hooks', plant: (target) => hooks(target, join(target.folder, '.git', 'hooks')), bait: commit },
  {
    name: 'config: core.hooksPath',
    plant: async (target) => {
      await hooks(target, join(target.elsewhere, 'hooks'));
      await config(['core.hooksPath', 'ELSEWHERE/hooks'])(target);
    },
    bait: commit,
  },
  {
    name: 'filters in .gitattributes',
    plant: async (target) => {
      await writeFiles(target.folder, { '.gitattributes': '* filter=evil\n' });
      await config(
        ['filter.evil.clean', 'PROGRAM'],
        ['filter.evil.smudge', 'PROGRAM'],
        ['filter.evil.required', 'true'],
      )(target);
    },
    bait: add,
  },
  {
    name: 'a filter process in info/attributes',
    plant: async (target) => {
      await writeFiles(target.folder, { '.git/info/attributes': '* filter=evil\n' });
      await config(['filter.evil.process', 'PROGRAM'], ['filter.evil.required', 'true'])(target);
    },
    bait: add,
  },
  {
    name: 'textconv',
    plant: async (target) => {
      await writeFiles(target.folder, { '.gitattributes': '* diff=evil\n' });
      await config(['diff.evil.textconv', 'PROGRAM'])(target);
    },
    bait: (folder) => plainGit(folder, 'diff'),
  },
  {
    name: '.git as a file',
    plant: async (target) => {
      const evil = await anEvilRepository(target);
      await rm(join(target.folder, '.git'), { recursive: true });
      await writeFile(join(target.folder, '.git'), `gitdir: ${evil}\n`);
    },
    bait: status,
  },
  {
    name: '.git as a link',
    plant: async (target) => {
      const evil = await anEvilRepository(target);
      await rm(join(target.folder, '.git'), { recursive: true });
      await symlink(evil, join(target.folder, '.git'));
    },
    bait: status,
  },
  {
    name: 'commondir',
    plant: async (target) => {
      const evil = await anEvilRepository(target);
      await writeFile(join(target.folder, '.git', 'commondir'), `${evil}\n`);
    },
    bait: status,
  },
  {
    name: NESTED,
    plant: async ({ folder, program }) => {
      const nested = join(folder, 'nested');
      await rm(nested, { recursive: true, force: true });
      plainGit(folder, 'init', '-q', 'nested');
      await commitFiles(nested, { 'b.txt': 'b\n' });
      plainGit(folder, 'add', '-A');
      commit(folder);
      plainGit(nested, 'config', 'core.fsmonitor', `'${program}'`);
      await hooks({ folder, program, elsewhere: '' }, join(nested, '.git', 'hooks'));
      await writeFiles(nested, { 'b.txt': 'changed\n' });
    },
    bait: add,
  },
];
