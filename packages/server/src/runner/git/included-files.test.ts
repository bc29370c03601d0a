import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aBed, commitFiles, plainGit, writeFiles } from './testing/repository.ts';

const TRACKED = {
  '.gitignore': '.env*\nsecrets/\nout\nbig\nlink\nconf/*.local\n',
  '.worktreeinclude': '# what a run needs\n.env*\n!.env.prod\nsecrets/*.key\nbig\nlink\nconf/*.local\nnotes.txt\n',
  'a.txt': 'one\n',
};

describe('.worktreeinclude', () => {
  it('brings the ignored files that it names into the folder, and no others', async () => {
    await using bed = await aBed(TRACKED);
    await writeFiles(bed.source, {
      '.env': 'KEY=1\n',
      '.env.prod': 'no\n',
      'secrets/ü a.key': 'k\n',
      'secrets/b': 'no\n',
      out: 'no\n',
    });
    await writeFiles(bed.source, { 'notes.txt': 'not ignored\n' });
    await writeFiles(bed.folder, { 'private.txt': 'outside\n' });
    await writeFile(join(bed.source, 'big'), Buffer.alloc(10 * 1024 * 1024 + 1));
    await symlink(join(bed.folder, 'private.txt'), join(bed.source, 'link'));

    const { folder } = await bed.start();

    expect(await readFile(join(folder, '.env'), 'utf8')).toBe('KEY=1\n');
    expect(await readFile(join(folder, 'secrets/ü a.key'), 'utf8')).toBe('k\n');
    expect(
      ['.env.prod', 'secrets/b', 'out', 'notes.txt', 'big', 'link'].filter((name) => existsSync(join(folder, name))),
    ).toEqual([]);
    expect(plainGit(folder, 'status', '--porcelain')).toBe('');
  });

  it('does not write through a link of the branch', async () => {
    await using bed = await aBed(TRACKED);
    await symlink(bed.folder, join(bed.source, 'conf'));
    await commitFiles(bed.source, {}, 'a link');
    plainGit(bed.source, 'checkout', '-q', '-b', 'other', 'HEAD~1');
    await writeFiles(bed.source, { 'conf/x.local': 'x\n' });

    await bed.start();

    expect(existsSync(join(bed.folder, 'x.local'))).toBe(false);
  });

  it('never gets a file committed, even if the agent removes the rule that ignores it', async () => {
    await using bed = await aBed(TRACKED);
    await writeFiles(bed.source, { '.env': 'KEY=1\n' });
    const started = await bed.start();
    await writeFiles(started.folder, { '.gitignore': '', 'b.txt': 'mine\n' });

    const [shown, collected] = [
      await bed.attemptFolders.diff(started),
      await bed.attemptFolders.commit({ ...started, message: 'work' }),
    ];

    expect(shown.files.map(({ path }) => path)).toEqual(['.gitignore', 'b.txt']);
    expect(collected.files).toEqual(shown.files);
  });
});
