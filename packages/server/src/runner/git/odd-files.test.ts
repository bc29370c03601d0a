import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aBed, commitFiles, plainGit, writeFiles } from './testing/repository.ts';

describe('a folder with files that git cannot take', () => {
  it('keeps the old content of a file that became a pipe, and commits everything else', async () => {
    await using bed = await aBed({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    const started = await bed.start();
    await rm(join(started.folder, 'a.txt'));
    execFileSync('mkfifo', [join(started.folder, 'a.txt')]);
    await writeFiles(started.folder, { 'b.txt': 'two\n', 'c.txt': 'new\n' });

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(collected).toMatchObject({ made_commit: true, branch: 'moved', left_out: ['a.txt'] });
    expect(collected.files.map(({ path }) => path)).toEqual(['b.txt', 'c.txt']);
    expect(await bed.attemptFolders.remove(started)).toBe('unsaved');
  });

  it.each(['UTF-16', 'no-such-encoding'])(
    'commits a file unchanged that is not in its encoding %s',
    async (encoding) => {
      await using bed = await aBed();
      const started = await bed.start();
      const others = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}.txt`, `${at}\n`]));
      await writeFiles(started.folder, {
        '.gitattributes': `*.odd working-tree-encoding=${encoding}\n*.txt text\n`,
        'lines.txt': 'one\r\ntwo\r\n',
        'x.odd': 'abc',
        ...others,
      });
      await chmod(join(started.folder, 'x.odd'), 0o755);

      const [shown, collected] = [
        await bed.attemptFolders.diff(started),
        await bed.attemptFolders.commit({ ...started, message: 'work' }),
      ];

      expect(collected).toMatchObject({ made_commit: true, left_out: [], files: shown.files });
      expect(collected.files).toHaveLength(23);
      expect(plainGit(bed.source, 'show', `${started.branch}:x.odd`)).toBe('abc');
      expect(plainGit(bed.source, 'ls-tree', started.branch, 'x.odd')).toContain('100755');
      expect(plainGit(bed.source, 'cat-file', '-s', `${started.branch}:lines.txt`)).toBe('8');
    },
  );

  it('names a nested repository, and unreadable files', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    plainGit(started.folder, 'init', '-q', 'nested');
    await commitFiles(join(started.folder, 'nested'), { 'b.txt': 'mine\n' });
    await writeFile(join(started.folder, 'large'), '');
    execFileSync('truncate', ['-s', '101M', join(started.folder, 'large')]);

    const { left_out } = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(left_out).toEqual(['large', 'nested/']);
  });

  it('does not overwrite the left-out files when the agent ended on another branch', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await commitFiles(started.folder, { 'a.txt': 'two\n' });
    plainGit(started.folder, 'checkout', '-q', 'main');
    execFileSync('truncate', ['-s', '101M', join(started.folder, 'a.txt')]);

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(collected).toMatchObject({ left_out: ['a.txt'] });
    expect(lstatSync(join(started.folder, 'a.txt')).size).toBe(101 * 1024 * 1024);
  });

  it('takes a link as a link in a folder where conversions fail', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(started.folder, { '.gitattributes': '* working-tree-encoding=UTF-16\n' });
    await symlink('/etc/hostname', join(started.folder, 'link'));

    const { files } = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(files.map(({ path }) => path)).toEqual(['.gitattributes', 'link']);
    expect(plainGit(bed.source, 'show', `${started.branch}:link`)).toBe('/etc/hostname');
  });
});
