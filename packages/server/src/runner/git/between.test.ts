import { describe, expect, it } from 'vitest';
import { aBed, commitFiles, plainGit } from './testing/repository.ts';

describe('the changes between two commits', () => {
  it('are read without the programs and the configuration of the repository', async () => {
    await using bed = await aBed({ 'a.txt': 'one\ntwo\n' });
    const from = plainGit(bed.source, 'rev-parse', 'HEAD');
    plainGit(bed.source, 'config', 'diff.external', `touch ${JSON.stringify(bed.canary)}`);
    plainGit(bed.source, 'config', 'diff.noprefix', 'true');
    const to = await commitFiles(bed.source, { 'a.txt': 'one\n2\n', '.gitattributes': '*.txt diff=own\n' });

    const between = await bed.attemptFolders.between(bed.place(), [from, to]);

    expect(between?.patch).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@ one\n-two\n+2\n');
    expect([between?.is_cut, bed.sang()]).toEqual([false, false]);
  });

  it('are null when a commit is gone', async () => {
    await using bed = await aBed();
    const head = plainGit(bed.source, 'rev-parse', 'HEAD');

    expect(await bed.attemptFolders.between(bed.place(), ['f'.repeat(40), head])).toBeNull();
  });

  it('leave out what is too long, up to a whole file', async () => {
    await using bed = await aBed();
    const from = plainGit(bed.source, 'rev-parse', 'HEAD');
    const long = `${'x'.repeat(99)}\n`.repeat(90_000);
    const to = await commitFiles(bed.source, { 'a.txt': 'two\n', 'long.txt': long });

    const between = await bed.attemptFolders.between(bed.place(), [from, to]);

    expect(between).toMatchObject({ is_cut: true });
    expect(between?.patch).toContain('+++ b/a.txt');
    expect(between?.patch).not.toContain('long.txt');
  });
});
