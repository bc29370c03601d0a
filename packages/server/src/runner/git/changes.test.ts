import { describe, expect, it } from 'vitest';
import { MAX_FILES, MAX_PATCH } from './changes.ts';
import { aBed, plainGit, writeFiles } from './testing/repository.ts';

const lines = (count: number) => `${'a line of some forty characters, no more\n'.repeat(count)}`;

describe('the changes of a folder', () => {
  it('are read without a trace in the folder or the source', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(started.folder, { 'a.txt': 'two\n', 'b.txt': 'new\n' });
    const before = plainGit(bed.source, 'count-objects', '-v');

    const { files, patch } = await bed.attemptFolders.diff(started);

    expect(files.map(({ path, change }) => [path, change])).toEqual([
      ['a.txt', 'modified'],
      ['b.txt', 'added'],
    ]);
    expect(patch).toContain('-one\n+two\n');
    expect(plainGit(bed.source, 'count-objects', '-v')).toBe(before);
    expect(plainGit(started.folder, 'status', '--porcelain')).toBe(' M a.txt\n?? b.txt');
  });

  it('are cut at the end of a file', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(started.folder, { 'b.txt': lines(1_000), 'c.txt': lines(20_000) });

    const { patch, files, is_patch_cut } = await bed.attemptFolders.diff(started);

    expect(is_patch_cut).toBe(true);
    expect(files.map(({ path, insertions }) => [path, insertions])).toEqual([
      ['b.txt', 1_000],
      ['c.txt', 20_000],
    ]);
    expect(patch.endsWith('no more\n')).toBe(true);
    expect(patch.includes('c.txt')).toBe(false);
  });

  it('are cut at the end of a line, in a single file that is too long', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(started.folder, { 'b.txt': lines(20_000) });

    const { patch, is_patch_cut } = await bed.attemptFolders.diff(started);

    expect(is_patch_cut).toBe(true);
    expect(patch.length).toBeLessThanOrEqual(MAX_PATCH);
    expect(patch.length).toBeGreaterThan(MAX_PATCH - 100);
    expect(patch.endsWith('no more\n')).toBe(true);
  });

  it('name at most 2,000 files', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(
      started.folder,
      Object.fromEntries(Array.from({ length: MAX_FILES + 5 }, (_, i) => [`f${i}`, ''])),
    );

    const { files, is_patch_cut } = await bed.attemptFolders.diff(started);

    expect(files).toHaveLength(MAX_FILES);
    expect(is_patch_cut).toBe(true);
  });

  it('contain no NUL, which databases refuse', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(started.folder, { 'b.txt': `${lines(300)}\0\n`, '.gitattributes': '*.txt diff\n' });

    const { patch } = await bed.attemptFolders.diff(started);

    expect(patch.includes('+\uFFFD')).toBe(true);
    expect(patch.includes('\0')).toBe(false);
  });
});
