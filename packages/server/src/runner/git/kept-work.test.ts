import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aBed, commitFiles, plainGit, writeFiles } from './testing/repository.ts';

const AS_ADA = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
const ALLOW_FILES = ['-c', 'protocol.file.allow=always'];

describe('an agent’s work outside of its branch', () => {
  it('is kept in every entry of the stash', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    for (const text of ['one', 'two', 'three']) {
      await writeFiles(started.folder, { 'a.txt': `stash ${text}\n` });
      plainGit(started.folder, 'stash', 'push', '-q', '-m', `entry ${text}`);
    }

    for (let run = 0; run < 2; run += 1) {
      await bed.attemptFolders.commit({ ...started, message: 'work' });
      await bed.attemptFolders.prepare({ ...started, target_branch: 'main' });
    }

    expect(plainGit(started.folder, 'stash', 'list', '--format=%gd %gs')).toBe(
      ['three', 'two', 'one'].map((text, at) => `stash@{${at}} On errand/attempt-1: entry ${text}`).join('\n'),
    );
    expect(await bed.attemptFolders.remove(started)).toBe('removed');
    const kept = plainGit(bed.source, 'for-each-ref', '--format=%(objectname)', 'refs/errand').split('\n');
    expect(kept.map((commit) => plainGit(bed.source, 'show', `${commit}:a.txt`)).sort()).toEqual([
      'stash one',
      'stash three',
      'stash two',
    ]);
  });

  it('is kept in tags, with their messages', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await commitFiles(started.folder, { 'b.txt': 'tagged\n' });
    plainGit(started.folder, 'tag', 'plain');
    await commitFiles(started.folder, { 'c.txt': 'tagged too\n' });
    plainGit(started.folder, ...AS_ADA, 'tag', '-a', 'noted', '-m', 'words of a tag');
    plainGit(started.folder, 'reset', '-q', '--hard', 'main');

    const unsaved = await bed.attemptFolders.remove(started);
    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(unsaved).toBe('unsaved');
    expect(collected).toMatchObject({ kept_aside: null });
    expect(plainGit(started.folder, 'show', 'plain:b.txt')).toBe('tagged');
    expect(plainGit(started.folder, 'tag', '-n', '--format=%(refname:short) %(contents)', '--list', 'noted')).toContain(
      'words of a tag',
    );
    expect(plainGit(started.folder, 'describe', 'noted')).toBe('noted');
    expect(plainGit(bed.source, 'for-each-ref', '--format=%(objecttype)', 'refs/errand/attempt-1/kept')).toContain(
      'tag',
    );
    expect(await bed.attemptFolders.remove(started)).toBe('removed');
  });

  it('is kept in a branch at a commit that the attempt has left', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    const first = await commitFiles(started.folder, { 'b.txt': 'mine\n' });
    await bed.attemptFolders.commit({ ...started, message: 'work' });
    plainGit(started.folder, 'branch', 'backup');
    plainGit(started.folder, 'commit', '-q', '--amend', '-m', 'better words');

    await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(plainGit(bed.source, 'rev-parse', `refs/errand/attempt-1/kept/${first}`)).toBe(first);
  });

  it('is moved aside with the git directory when it is in a submodule', async () => {
    await using bed = await aBed();
    const library = join(bed.folder, 'library');
    plainGit(bed.folder, 'init', '-q', '-b', 'main', library);
    await commitFiles(library, { 'lib.txt': 'one\n' });
    plainGit(bed.source, ...ALLOW_FILES, 'submodule', '--quiet', 'add', library, 'lib');
    await commitFiles(bed.source, {}, 'a submodule');
    const started = await bed.start();
    plainGit(started.folder, ...ALLOW_FILES, 'submodule', '--quiet', 'update', '--init');
    const commit = await commitFiles(join(started.folder, 'lib'), { 'lib.txt': 'two\n' });

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    const aside = join(bed.root, '.kept/attempt-1-1');
    expect(collected).toMatchObject({ kept_aside: '.kept/attempt-1-1' });
    expect(existsSync(join(aside, 'modules/lib/objects', commit.slice(0, 2), commit.slice(2)))).toBe(true);
    expect(existsSync(join(started.folder, '.git/modules'))).toBe(false);
    expect(await bed.attemptFolders.remove(started)).toBe('unsaved');
    expect(await readFile(join(started.folder, 'lib/lib.txt'), 'utf8')).toBe('two\n');
  });
});
