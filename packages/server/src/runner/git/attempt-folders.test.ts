import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aBed, commitFiles, plainGit, writeFiles } from './testing/repository.ts';

const snapshotOf = (source: string) => [
  plainGit(source, 'status', '--porcelain=v2', '--branch'),
  plainGit(source, 'config', '--list', '--local'),
  plainGit(source, 'symbolic-ref', '-q', 'HEAD'),
];

describe('preparing a folder', () => {
  it('makes a clone on its own branch, and leaves the source unchanged', async () => {
    await using bed = await aBed({ 'a.txt': 'one\n', 'deep/ü b.txt': 'two\n' });
    const before = snapshotOf(bed.source);

    const { folder, base_commit, branch } = await bed.start();

    expect(plainGit(folder, 'status', '--porcelain')).toBe('');
    expect(plainGit(folder, 'symbolic-ref', '--short', 'HEAD')).toBe(branch);
    expect(plainGit(folder, 'rev-parse', 'HEAD', 'main')).toBe(`${base_commit}\n${base_commit}`);
    expect(await readFile(join(folder, 'deep/ü b.txt'), 'utf8')).toBe('two\n');
    expect(plainGit(bed.source, 'rev-parse', branch)).toBe(base_commit);
    expect(snapshotOf(bed.source)).toEqual(before);
    expect(await readdir(join(bed.root, '.scratch'))).toEqual([]);
  });

  it('keeps an existing folder, with its content', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(started.folder, { 'b.txt': 'mine\n' });

    const again = await bed.attemptFolders.prepare({ ...started, target_branch: 'main' });

    expect(again).toEqual({ base_commit: started.base_commit, is_fresh: false });
    expect(plainGit(started.folder, 'status', '--porcelain')).toBe('?? b.txt');
  });

  it('keeps the commits of a run that was never collected, also rewritten ones', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await commitFiles(started.folder, { 'b.txt': 'mine\n' });
    await bed.attemptFolders.commit({ ...started, message: 'first' });
    plainGit(started.folder, 'commit', '-q', '--amend', '-m', 'better words');
    const head = plainGit(started.folder, 'rev-parse', 'HEAD');

    await bed.attemptFolders.prepare({ ...started, target_branch: 'main' });

    expect(plainGit(started.folder, 'rev-parse', 'HEAD')).toBe(head);
    expect(plainGit(bed.source, 'rev-parse', started.branch)).toBe(head);
  });

  it('does not update a folder that another worker has taken over', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    plainGit(bed.source, 'checkout', '-q', started.branch);
    await commitFiles(bed.source, { 'a.txt': 'by somebody\n' });

    const place = { ...started, target_branch: 'main', isOurs: async () => false };

    await expect(bed.attemptFolders.prepare(place)).rejects.toThrow('Another has taken over');
    expect(plainGit(started.folder, 'rev-parse', 'HEAD')).toBe(started.base_commit);
    expect(plainGit(started.folder, 'status', '--porcelain')).toBe('');
  });

  it('continues the branch when the folder is gone', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(started.folder, { 'b.txt': 'mine\n' });
    const { head_commit } = await bed.attemptFolders.commit({ ...started, message: 'work' });
    await rm(started.folder, { recursive: true });
    await commitFiles(bed.source, { 'c.txt': 'theirs\n' });

    const again = await bed.attemptFolders.prepare({ ...started, target_branch: 'main', base_commit: null });

    expect(again).toEqual({ base_commit: started.base_commit, is_fresh: true });
    expect(plainGit(started.folder, 'rev-parse', 'HEAD')).toBe(head_commit);
  });

  it('follows commits that a person added to the branch, when the folder has nothing of its own', async () => {
    await using bed = await aBed();
    const [clean, dirty] = [await bed.start('clean'), await bed.start('dirty')];
    await writeFiles(dirty.folder, { 'a.txt': 'mine\n' });
    for (const { branch } of [clean, dirty]) {
      plainGit(bed.source, 'checkout', '-q', branch);
      await commitFiles(bed.source, { 'help.txt': 'from a person\n' });
    }
    plainGit(bed.source, 'checkout', '-q', 'main');

    for (const started of [clean, dirty]) await bed.attemptFolders.prepare({ ...started, target_branch: 'main' });

    expect(plainGit(clean.folder, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(clean.folder, 'help.txt'))).toBe(true);
    expect(plainGit(dirty.folder, 'status', '--porcelain')).toBe(' M a.txt');
    expect(existsSync(join(dirty.folder, 'help.txt'))).toBe(false);
  });

  it('says what is wrong with the source, and leaves nothing behind', async () => {
    await using bed = await aBed();
    const empty = join(bed.folder, 'empty');
    await mkdir(empty);
    plainGit(empty, 'init', '-q');
    await mkdir(join(bed.source, 'sub'));
    const prepare = (change: object) =>
      bed.attemptFolders.prepare({ ...bed.place(), target_branch: 'main', base_commit: null, ...change });

    await expect(prepare({ source: empty })).rejects.toThrow('no commits yet');
    await expect(prepare({ target_branch: 'next' })).rejects.toThrow('no branch “next”');
    await expect(prepare({ branch: 'main' })).rejects.toThrow('a branch of its own');
    await expect(prepare({ branch: 'main/x' })).rejects.toThrow('the branch “main” of the repository is in its way');
    await expect(prepare({ base_commit: '1'.repeat(40) })).rejects.toThrow('is gone from the repository');
    await expect(prepare({ source: join(bed.source, 'sub') })).rejects.toThrow('not a git repository');
    await expect(prepare({ source: join(bed.folder, 'none') })).rejects.toThrow('not a git repository');

    expect(await bed.attempts()).toEqual([]);
    expect(plainGit(bed.source, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  it('removes its branch again when the folder cannot be put in place', async () => {
    await using bed = await aBed();
    await writeFiles(bed.root, { 'attempt-1': 'a file where the folder of the attempt should go' });

    await expect(bed.start()).rejects.toThrow();

    expect(plainGit(bed.source, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(await readdir(bed.root)).toEqual(['attempt-1']);
  });

  it.each([
    ['bare', ['clone', '-q', '--bare']],
    ['shallow', ['clone', '-q', '--depth=1']],
  ])('works on a %s repository', async (_kind, clone) => {
    await using bed = await aBed();
    await commitFiles(bed.source, { 'a.txt': 'two\n' });
    const source = join(bed.folder, 'other source');
    plainGit(bed.folder, ...clone, `file://${bed.source}`, source);
    const place = { ...bed.place(), source };
    const { base_commit } = await bed.attemptFolders.prepare({ ...place, target_branch: 'main', base_commit: null });
    await commitFiles(place.folder, { 'b.txt': 'mine\n' });

    const { head_commit, files } = await bed.attemptFolders.commit({ ...place, base_commit, message: 'work' });

    expect(files.map(({ path }) => path)).toEqual(['b.txt']);
    expect(plainGit(source, 'rev-parse', place.branch)).toBe(head_commit);
    expect(plainGit(place.folder, 'log', '--format=%s')).toContain('change');
  });

  it.each(['sha256', 'linked'])('works on a %s source with a detached HEAD', async (kind) => {
    await using bed = await aBed();
    const source = join(bed.folder, 'second');
    if (kind === 'linked') plainGit(bed.source, 'worktree', 'add', '-q', '--detach', source);
    else {
      plainGit(bed.folder, 'init', '-q', '-b', 'main', '--object-format=sha256', source);
      await commitFiles(source, { 'a.txt': 'one\n' });
      plainGit(source, 'checkout', '-q', '--detach');
    }
    const place = { ...bed.place(), source };
    const { base_commit } = await bed.attemptFolders.prepare({ ...place, target_branch: 'main', base_commit: null });
    await commitFiles(place.folder, { 'b.txt': 'mine\n' });

    const collected = await bed.attemptFolders.commit({ ...place, base_commit, message: 'work' });

    expect(collected).toMatchObject({ branch: 'moved', was_restored: false });
    expect(plainGit(source, 'rev-parse', place.branch)).toBe(collected.head_commit);
  });
});

describe('removing a folder', () => {
  it('removes what was collected, and the attempt with it', async () => {
    await using bed = await aBed({ '.gitignore': 'out/\n' });
    const started = await bed.start();
    await writeFiles(started.folder, { 'b.txt': 'mine\n', 'out/x': 'built\n' });
    await bed.attemptFolders.commit({ ...started, message: 'work' });
    await chmod(join(started.folder, 'out'), 0o500);

    const answers = [await bed.attemptFolders.remove(started), await bed.attemptFolders.remove(started)];
    await bed.attemptFolders.removeAttempt(started.attempt_id, [started.folder]);

    expect(answers).toEqual(['removed', 'absent']);
    expect(await bed.attempts()).toEqual([]);
    expect(plainGit(bed.source, 'for-each-ref', '--format=%(refname)')).toBe(
      'refs/heads/errand/attempt-1\nrefs/heads/main',
    );
  });

  it.each<[string, (folder: string) => unknown]>([
    ['a new file', (folder) => writeFiles(folder, { 'b.txt': 'mine\n' })],
    ['a changed file', (folder) => writeFiles(folder, { 'a.txt': 'mine\n' })],
    ['a deleted file', (folder) => rm(join(folder, 'a.txt'))],
    ['a link', (folder) => symlink('a.txt', join(folder, 'link'))],
    ['a commit', (folder) => commitFiles(folder, { 'b.txt': 'mine\n' })],
    [
      'a commit on another branch',
      async (folder) => {
        plainGit(folder, 'checkout', '-q', '-b', 'other');
        await commitFiles(folder, { 'b.txt': 'mine\n' });
        plainGit(folder, 'checkout', '-q', 'errand/attempt-1');
      },
    ],
    [
      'a stash',
      async (folder) => {
        await writeFiles(folder, { 'a.txt': 'mine\n' });
        plainGit(folder, 'stash');
      },
    ],
    [
      'a repository of its own',
      async (folder) => {
        plainGit(folder, 'init', '-q', 'nested');
        await commitFiles(join(folder, 'nested'), { 'b.txt': 'mine\n' });
      },
    ],
  ])('keeps a folder with %s that the source lacks', async (_what, change) => {
    await using bed = await aBed();
    const started = await bed.start();
    const without = await bed.start('attempt-2');
    await change(started.folder);

    const answers = [await bed.attemptFolders.remove(started), await bed.attemptFolders.remove(without)];
    await bed.attemptFolders.removeAttempt(started.attempt_id, [started.folder]);

    expect(answers).toEqual(['unsaved', 'removed']);
    expect(existsSync(started.folder)).toBe(true);
  });

  it('keeps a folder whose source is gone', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await rm(bed.source, { recursive: true });

    const answer = await bed.attemptFolders.remove(started);

    expect(answer).toBe('unsaved');
  });

  it('keeps the commits of a branch that was not moved', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    plainGit(bed.source, 'checkout', '-q', started.branch);
    await writeFiles(started.folder, { 'b.txt': 'mine\n' });
    const { head_commit } = await bed.attemptFolders.commit({ ...started, message: 'work' });

    const answer = await bed.attemptFolders.remove(started);

    expect(answer).toBe('removed');
    expect(plainGit(bed.source, 'for-each-ref', '--format=%(objectname)', 'refs/errand')).toBe(head_commit);
  });
});
