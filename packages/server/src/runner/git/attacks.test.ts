import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGit } from './git.ts';
import type { Bed, Started } from './testing/repository.ts';
import { aBed, commitFiles, plainGit, writeFiles } from './testing/repository.ts';
import type { Vector } from './testing/vectors.ts';
import { aProgram, NESTED, VECTORS } from './testing/vectors.ts';

// The canary's name is tracked: a work tree that is moved one folder up would write it.
const FILES = { 'a.txt': 'one\n', canary: 'tracked\n' };

async function plant(bed: Bed, vector: Vector, { folder }: Started): Promise<void> {
  const elsewhere = join(bed.folder, 'elsewhere');
  await mkdir(elsewhere, { recursive: true });
  await writeFiles(folder, { 'a.txt': 'changed\n' });
  await vector.plant({ folder, program: await aProgram(bed.folder, bed.canary), elsewhere });
  await rm(bed.canary, { force: true });
}

const OPERATIONS: readonly ((bed: Bed, started: Started) => Promise<unknown>)[] = [
  (bed, started) => bed.attemptFolders.diff(started),
  (bed, started) => bed.attemptFolders.remove(started),
  (bed, started) => bed.attemptFolders.prepare({ ...started, target_branch: 'main' }),
  (bed, started) => bed.attemptFolders.commit({ ...started, message: 'work' }),
];

describe.each(VECTORS)('$name', (vector) => {
  it('catches plain git', async () => {
    await using bed = await aBed(FILES);
    const started = await bed.start();
    await plant(bed, vector, started);

    try {
      vector.bait(started.folder);
    } catch {
      // The program fails on purpose.
    }

    expect(bed.sang()).toBe(true);
  });

  it('does not catch diff, remove, prepare or collect, nor a person who runs git in the folder afterwards', async () => {
    await using bed = await aBed(FILES);
    const started = await bed.start();
    const is_in_git = vector.name !== NESTED;
    const sang: boolean[] = [];

    for (const operate of OPERATIONS) {
      await plant(bed, vector, started);
      const answer = await operate(bed, started);
      sang.push(bed.sang());
      if (OPERATIONS.indexOf(operate) === 3) expect(answer).toMatchObject({ was_restored: is_in_git, branch: 'moved' });
    }
    if (is_in_git) plainGit(started.folder, 'status');

    expect([...sang, bed.sang()]).toEqual([false, false, false, false, false]);
    expect(plainGit(bed.source, 'show', `${started.branch}:a.txt`)).toBe('changed');
  });
});

describe('the configuration of a source', () => {
  const sabotage = async (bed: Bed) => {
    plainGit(bed.folder, 'init', '-q', 'lender');
    await commitFiles(join(bed.folder, 'lender'), { 'x.txt': 'x\n' });
    await writeFile(join(bed.source, '.git/objects/info/alternates'), `${join(bed.folder, 'lender/.git/objects')}\n`);
    const program = `'${await aProgram(bed.folder, bed.canary)}'`;
    for (const key of [
      'core.fsmonitor',
      'filter.evil.clean',
      'filter.evil.smudge',
      'core.alternateRefsCommand',
      'diff.external',
    ]) {
      plainGit(bed.source, 'config', key, program);
    }
    for (const name of ['reference-transaction', 'post-checkout', 'pre-auto-gc', 'post-index-change']) {
      await cp(join(bed.folder, 'program'), join(bed.source, '.git/hooks', name));
    }
  };

  it('catches plain git', async () => {
    await using bed = await aBed();
    await sabotage(bed);

    try {
      plainGit(bed.source, 'status');
    } catch {
      // The program fails on purpose.
    }

    expect(bed.sang()).toBe(true);
  });

  it('starts no program', async () => {
    await using bed = await aBed({
      'a.txt': 'one\n',
      '.gitattributes': '* filter=evil diff=evil\n',
      '.worktreeinclude': '.env\n',
    });
    await sabotage(bed);

    const started = await bed.start();
    await writeFiles(started.folder, { 'a.txt': 'changed\n' });
    for (const operate of OPERATIONS) await operate(bed, started);

    expect(bed.sang()).toBe(false);
    expect(plainGit(bed.source, '-c', 'core.fsmonitor=false', 'rev-list', '--count', started.branch)).toBe('2');
  });
});

describe('objects of an agent', () => {
  it('do not bring in commits of a repository that the agent only names', async () => {
    await using bed = await aBed();
    const foreign = join(bed.folder, 'foreign');
    plainGit(bed.folder, 'init', '-q', foreign);
    const secret = await commitFiles(foreign, { 'secret.txt': 'secret\n' });
    const ways = {
      alternates: (git_dir: string) =>
        writeFile(join(git_dir, 'objects/info/alternates'), `${join(foreign, '.git/objects')}\n`),
      links: async (git_dir: string) => {
        await rm(join(git_dir, 'objects'), { recursive: true });
        await symlink(join(foreign, '.git/objects'), join(git_dir, 'objects'));
      },
      'links within': (git_dir: string) =>
        symlink(join(foreign, '.git/objects', secret.slice(0, 2)), join(git_dir, 'objects', secret.slice(0, 2))),
    };

    for (const [name, lead] of Object.entries(ways)) {
      const started = await bed.start(name.replace(' ', '-'));
      await lead(join(started.folder, '.git'));
      expect(plainGit(started.folder, 'cat-file', '-t', secret)).toBe('commit');
      await writeFile(join(started.folder, '.git/HEAD'), `${secret}\n`);
      const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

      expect(collected).toMatchObject({ head_commit: started.base_commit, was_restored: true, files: [] });
    }
    expect(() => plainGit(bed.source, 'cat-file', '-e', secret)).toThrow();
  });

  it('do not change what the patch shows', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await commitFiles(started.folder, { 'a.txt': 'two\n' });
    await forge(started.folder, plainGit(bed.source, 'rev-parse', 'main:a.txt'), 'two\n');
    expect(plainGit(started.folder, 'diff', 'main')).not.toContain('-one');

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(collected.patch).toContain('-one\n+two\n');
  });

  it('that are broken lose the commits of the agent and keep its files', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await commitFiles(started.folder, { 'a.txt': 'two\n', 'b.txt': 'mine\n' });
    await forge(started.folder, plainGit(started.folder, 'rev-parse', 'HEAD:b.txt'), 'another\n');

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(collected).toMatchObject({ made_commit: true, was_restored: true });
    expect(plainGit(bed.source, 'show', `${started.branch}:b.txt`)).toBe('mine');
    expect(plainGit(bed.source, 'fsck', '--strict')).toBe('');
  });
});

describe('files that git reads as its own', () => {
  it('are left out when no repository should hold them, and the rest is saved', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    const evil = '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch\n';
    await writeFiles(started.folder, { '.gitmodules': evil, 'b.txt': 'mine\n', 'c\\.git\\x': 'x' });

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(collected.files.map(({ path }) => path)).toEqual(['b.txt']);
    expect(await bed.attemptFolders.remove(started)).toBe('unsaved');
  });
});

/** Adds a pack that has other content under an object's name. */
async function forge(folder: string, id: string, content: string): Promise<void> {
  const forgery = join(folder, '.git', 'forgery');
  await writeFile(forgery, content);
  const real = plainGit(folder, 'hash-object', '-w', forgery);
  const { stdout } = await createGit()(['pack-objects', '-q', join(folder, '.git/objects/pack/pack')], {
    git_dir: join(folder, '.git'),
    input: `${real}\n`,
  });
  const path = join(folder, `.git/objects/pack/pack-${stdout.toString().trim()}.idx`);
  const index = await readFile(path);
  for (let byte = 0; byte < 256; byte += 1)
    index.writeUInt32BE(byte >= Number.parseInt(id.slice(0, 2), 16) ? 1 : 0, 8 + byte * 4);
  Buffer.from(id, 'hex').copy(index, 8 + 256 * 4);
  await rm(path);
  await writeFile(path, index);
  await rm(forgery);
}
