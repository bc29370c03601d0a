import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAttemptFolders } from './attempt-folders.ts';
import { aBed, commitFiles, plainGit, writeFiles } from './testing/repository.ts';

describe('collecting a run', () => {
  it('commits the remaining files on top of the agent’s commits', async () => {
    await using bed = await aBed({
      'a.txt': 'one\n',
      'b.txt': 'b\n',
      'old name.txt': 'a long enough line to be known again\n',
    });
    const started = await bed.start();
    const own = await commitFiles(started.folder, { 'a.txt': 'two\n' }, 'by the agent');
    await rm(join(started.folder, 'b.txt'));
    plainGit(started.folder, 'mv', 'old name.txt', 'new name.txt');
    await writeFile(join(started.folder, 'bytes'), Buffer.from([0, 1, 2]));

    const collected = await bed.attemptFolders.commit({ ...started, message: '--amend' });

    expect(collected).toMatchObject({
      made_commit: true,
      branch: 'moved',
      commits: 2,
      was_restored: false,
      is_patch_cut: false,
    });
    expect(collected.files).toEqual([
      { path: 'a.txt', change: 'modified', insertions: 1, deletions: 1 },
      { path: 'b.txt', change: 'deleted', insertions: 0, deletions: 1 },
      { path: 'bytes', change: 'added', insertions: null, deletions: null },
      { path: 'new name.txt', change: 'renamed', insertions: 0, deletions: 0 },
    ]);
    expect(collected.patch).toContain('Binary files /dev/null and b/bytes differ');
    expect(plainGit(bed.source, 'log', '--format=%H %an <%ae> %s', '-2', started.branch)).toBe(
      `${collected.head_commit} Errand <errand@localhost> --amend\n${own} Ada <ada@example.com> by the agent`,
    );
    expect(plainGit(started.folder, 'status', '--porcelain')).toBe('');
  });

  it('commits with the committer that the source configures', async () => {
    await using bed = await aBed();
    plainGit(bed.source, 'config', 'user.name', 'Grace "H" Hopper');
    plainGit(bed.source, 'config', 'user.email', 'grace@example.com');
    const started = await bed.start();
    await writeFiles(started.folder, { 'a.txt': 'two\n' });

    await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(plainGit(bed.source, 'log', '-1', '--format=%an <%ae>', started.branch)).toBe(
      'Grace "H" Hopper <grace@example.com>',
    );
    expect(plainGit(started.folder, 'config', 'user.name')).toBe('Grace "H" Hopper');
  });

  it('commits as the operator, where the source names no committer, and runs none of their configured programs', async () => {
    await using bed = await aBed();
    const home = join(bed.folder, 'home');
    await mkdir(home);
    await writeFile(join(home, 'work.inc'), '[user]\n\temail = ana@work.example.com\n');
    const spy = `!touch '${bed.canary}'`;
    const lines = [
      ...['[user]', '\tname = Ana Lima', '\temail = ana@example.com'],
      ...[`[includeIf "gitdir:${bed.source}/"]`, '\tpath = work.inc'],
      ...[
        '[alias]',
        `\tconfig = "${spy}"`,
        `\tcommit-tree = "${spy}"`,
        '[core]',
        `\tfsmonitor = touch '${bed.canary}'`,
      ],
    ];
    await writeFile(join(home, '.gitconfig'), `${lines.join('\n')}\n`);
    const attemptFolders = createAttemptFolders({ root: bed.root, operator: { HOME: home } });
    const [own, others] = [await bed.start(), await bed.start('attempt-2')];
    for (const { folder } of [own, others]) await writeFiles(folder, { 'a.txt': 'two\n' });

    await attemptFolders.commit({ ...own, message: 'work' });
    await attemptFolders.commit({ ...others, message: 'work', author: { name: 'Bo', email: 'errand@localhost' } });

    const people = (branch: string) => plainGit(bed.source, 'log', '-1', '--format=%an <%ae> %cn <%ce>', branch);
    const ana = 'Ana Lima <ana@work.example.com>';
    expect(people(own.branch)).toBe(`${ana} ${ana}`);
    expect(people(others.branch)).toBe(`Bo <errand@localhost> ${ana}`);
    expect(bed.sang()).toBe(false);
  });

  it('removes the branch of a run that changed nothing, and makes it again for one that does', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    const branches = () => plainGit(bed.source, 'for-each-ref', '--format=%(refname:short)', 'refs/heads');

    const { branch } = await bed.attemptFolders.commit({ ...started, message: 'work' });
    const without = branches();
    await bed.attemptFolders.prepare({ ...started, target_branch: 'main' });
    await writeFiles(started.folder, { 'a.txt': 'two\n' });
    await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect([branch, without]).toEqual(['unused', 'main']);
    expect(plainGit(bed.source, 'show', `${started.branch}:a.txt`)).toBe('two');
  });

  it('leaves nothing in the source of a folder that is removed with nothing changed', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await bed.attemptFolders.commit({ ...started, message: 'work' });

    const answer = await bed.attemptFolders.remove(started);

    expect(answer).toBe('removed');
    expect(plainGit(bed.source, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  it('keeps the branch of a run that changed nothing when Errand did not make it, or it is in use', async () => {
    await using bed = await aBed();
    plainGit(bed.source, 'branch', 'errand/attempt-1');
    const [theirs, open] = [await bed.start(), await bed.start('attempt-2')];
    plainGit(bed.source, 'checkout', '-q', open.branch);

    const ends = [];
    for (const one of [theirs, open]) ends.push((await bed.attemptFolders.commit({ ...one, message: 'work' })).branch);

    expect(ends).toEqual(['moved', 'moved']);
    expect(plainGit(bed.source, 'rev-parse', theirs.branch, open.branch)).toBe(
      `${theirs.base_commit}\n${open.base_commit}`,
    );
  });

  it('leaves branch and folder unchanged after another worker has taken over', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    const own = await commitFiles(started.folder, { 'a.txt': 'two\n' });

    const collecting = bed.attemptFolders.commit({ ...started, message: 'work', isOurs: async () => false });

    await expect(collecting).rejects.toThrow('Another has taken over');
    expect(plainGit(bed.source, 'rev-parse', started.branch)).toBe(started.base_commit);
    expect(plainGit(bed.source, 'rev-parse', `refs/errand/${started.attempt_id}/head`)).toBe(started.base_commit);
    expect(plainGit(started.folder, 'rev-parse', 'HEAD')).toBe(own);
  });

  it('does not restore a git directory because of an agent’s note in it', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFile(join(started.folder, '.git/opencode'), 'the id of a project');

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(collected).toMatchObject({ was_restored: false });
  });

  it('makes no commit when nothing is left', async () => {
    await using bed = await aBed();
    const started = await bed.start();

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(collected).toMatchObject({ head_commit: started.base_commit, made_commit: false, files: [], patch: '' });
  });

  it('does not move a branch that is checked out, or that a person has added commits to', async () => {
    await using bed = await aBed();
    const [open, added] = [await bed.start('open'), await bed.start('added')];
    plainGit(bed.source, 'checkout', '-q', added.branch);
    const theirs = await commitFiles(bed.source, { 'c.txt': 'theirs\n' });
    plainGit(bed.source, 'checkout', '-q', open.branch);

    for (const [started, branch] of [
      [open, 'checked_out'],
      [added, 'has_others'],
    ] as const) {
      await writeFiles(started.folder, { 'b.txt': 'mine\n' });
      const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

      expect(collected).toMatchObject({ made_commit: true, branch });
      expect(plainGit(bed.source, 'rev-parse', `refs/errand/${started.attempt_id}/head`)).toBe(collected.head_commit);
    }
    expect(plainGit(bed.source, 'rev-parse', open.branch, added.branch)).toBe(`${open.base_commit}\n${theirs}`);
    expect(plainGit(bed.source, 'status', '--porcelain')).toBe('');
  });

  it('moves the branch when the agent rewrote its own commits', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(started.folder, { 'b.txt': 'mine\n' });
    await bed.attemptFolders.commit({ ...started, message: 'work' });
    plainGit(started.folder, 'commit', '-q', '--amend', '-m', 'better words');

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(collected).toMatchObject({ made_commit: false, branch: 'moved' });
    expect(plainGit(bed.source, 'log', '--format=%s', started.branch)).toBe('better words\nfirst');
  });

  it('takes the branch when the agent ended on another one without changes', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    const own = await commitFiles(started.folder, { 'b.txt': 'mine\n' });
    plainGit(started.folder, 'checkout', '-q', 'main');

    const collected = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(collected).toMatchObject({ head_commit: own, made_commit: false });
    expect(existsSync(join(started.folder, 'b.txt'))).toBe(true);
    expect(plainGit(started.folder, 'status', '--porcelain', '--branch')).toBe(`## ${started.branch}`);
  });

  it('keeps the branch in the history when the agent continued on another one', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    const own = await commitFiles(started.folder, { 'b.txt': 'mine\n' });
    plainGit(started.folder, 'checkout', '-q', '-b', 'second', 'main');
    const second = await commitFiles(started.folder, { 'c.txt': 'mine\n' });
    await writeFiles(started.folder, { 'd.txt': 'left\n' });

    await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(plainGit(bed.source, 'log', '-1', '--format=%P', started.branch)).toBe(`${second} ${own}`);
    expect(plainGit(started.folder, 'rev-parse', 'second')).toBe(second);
  });

  it('keeps what the agent stashed', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await writeFiles(started.folder, { 'a.txt': 'stashed\n' });
    plainGit(started.folder, 'stash');

    await bed.attemptFolders.commit({ ...started, message: 'work' });

    const kept = plainGit(bed.source, 'for-each-ref', '--format=%(objectname)', 'refs/errand/attempt-1/kept');
    expect(plainGit(bed.source, 'show', `${kept}:a.txt`)).toBe('stashed');
    expect(await bed.attemptFolders.remove(started)).toBe('removed');
    expect(plainGit(bed.source, 'for-each-ref', '--format=%(objectname)', 'refs/errand')).toBe(kept);
  });

  it('takes files that became folders, links and odd names unchanged', async () => {
    await using bed = await aBed({ swap: 'a file\n', 'dir/in.txt': 'in a folder\n' });
    const started = await bed.start();
    await rm(join(started.folder, 'swap'));
    await rm(join(started.folder, 'dir'), { recursive: true });
    await mkdir(join(started.folder, 'swap'));
    const latin1 = Buffer.concat([Buffer.from(`${started.folder}/caf`), Buffer.from([0xe9])]);
    await writeFiles(started.folder, { 'swap/x': 'x\n', '--output=x': 'x\n', ':(top)y': 'y\n', 'a\n"b"\t\\c': 'z\n' });
    await writeFile(latin1, 'bytes\n');
    await symlink('/etc', join(started.folder, 'dir'));

    const { files } = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(files.map(({ path }) => path).sort()).toEqual(
      ['--output=x', ':(top)y', 'a\n"b"\t\\c', 'caf\uFFFD', 'dir', 'dir/in.txt', 'swap', 'swap/x'].sort(),
    );
    expect(plainGit(started.folder, 'status', '--porcelain')).toBe('');
    expect(await bed.attemptFolders.remove(started)).toBe('removed');
  });

  it('leaves submodules as they are', async () => {
    await using bed = await aBed();
    plainGit(bed.source, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    plainGit(bed.source, '-c', 'user.name=Ada', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a submodule');
    const started = await bed.start();
    await writeFiles(started.folder, { 'a.txt': 'two\n' });

    const { files } = await bed.attemptFolders.commit({ ...started, message: 'work' });

    expect(files.map(({ path }) => path)).toEqual(['a.txt']);
  });

  it('collects attempts on one source at the same time', async () => {
    await using bed = await aBed();
    const ids = Array.from({ length: 8 }, (_, index) => `attempt-${index}`);

    const collected = await Promise.all(
      ids.map(async (id) => {
        const started = await bed.start(id);
        await commitFiles(started.folder, { [`${id}.txt`]: 'mine\n' });
        return bed.attemptFolders.commit({ ...started, message: 'work' });
      }),
    );

    expect(collected.every(({ branch }) => branch === 'moved')).toBe(true);
    expect(collected.map(({ files }) => files.map(({ path }) => path))).toEqual(ids.map((id) => [`${id}.txt`]));
    expect(plainGit(bed.source, 'fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('says so when the folder is gone', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await rm(started.folder, { recursive: true });

    const collecting = bed.attemptFolders.commit({ ...started, message: 'work' });

    await expect(collecting).rejects.toThrow('The folder of the attempt is gone.');
  });
});
