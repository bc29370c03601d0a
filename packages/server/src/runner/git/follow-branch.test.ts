import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bed, Started } from './testing/repository.ts';
import { aBed, commitFiles, plainGit, writeFiles } from './testing/repository.ts';

const AS_ADA = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

const run = async (bed: Bed, started: Started, files: Readonly<Record<string, string>>) => {
  await writeFiles(started.folder, files);
  return bed.attemptFolders.commit({ ...started, message: 'work' });
};

const prepareAgain = (bed: Bed, started: Started) => bed.attemptFolders.prepare({ ...started, target_branch: 'main' });

/** Changes the branch as a person would, in a temporary work tree. */
async function change(bed: Bed, { branch }: Started, edit: (folder: string) => unknown): Promise<string> {
  const folder = join(bed.folder, 'review');
  plainGit(bed.source, 'worktree', 'add', '-q', folder, branch);
  await edit(folder);
  plainGit(bed.source, 'worktree', 'remove', folder);
  return plainGit(bed.source, 'rev-parse', branch);
}

const amend = async (folder: string) => {
  await writeFiles(folder, { 'review.txt': 'by a person\n' });
  plainGit(folder, 'add', '-A');
  plainGit(folder, ...AS_ADA, 'commit', '-q', '--amend', '-m', 'amended');
};

describe('a branch that a person has changed', () => {
  it('is followed when the person rewrote the work of a run', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    const first = await run(bed, started, { 'b.txt': 'mine\n' });
    const amended = await change(bed, started, amend);

    await prepareAgain(bed, started);
    const followed = plainGit(started.folder, 'rev-parse', 'HEAD');
    const second = await run(bed, started, { 'c.txt': 'more\n' });

    expect(followed).toBe(amended);
    expect(second).toMatchObject({ branch: 'moved' });
    expect(plainGit(bed.source, 'log', '--format=%s', started.branch)).toBe('work\namended\nfirst');
    expect(plainGit(bed.source, 'rev-parse', `refs/errand/attempt-1/kept/${first.head_commit}`)).toBe(
      first.head_commit,
    );
  });

  it('is followed into a folder that is made again, too', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await run(bed, started, { 'b.txt': 'mine\n' });
    const amended = await change(bed, started, amend);
    await bed.attemptFolders.remove(started);

    await prepareAgain(bed, started);

    expect(plainGit(started.folder, 'rev-parse', 'HEAD')).toBe(amended);
    expect(plainGit(bed.source, 'rev-parse', started.branch)).toBe(amended);
  });

  it('stays as the person rewrote it, when the folder has something of its own', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await run(bed, started, { 'b.txt': 'mine\n' });
    const amended = await change(bed, started, amend);
    await writeFiles(started.folder, { 'b.txt': 'not collected\n' });

    await prepareAgain(bed, started);
    const collected = await run(bed, started, { 'c.txt': 'more\n' });

    expect(collected).toMatchObject({ branch: 'has_others' });
    expect(plainGit(bed.source, 'rev-parse', started.branch)).toBe(amended);
    expect(plainGit(bed.source, 'show', 'refs/errand/attempt-1/head:b.txt')).toBe('not collected');
  });

  it.each(['kept', 'gone'])(
    'stays where the person added to it without the work, and the work goes on: folder %s',
    async (kind) => {
      await using bed = await aBed();
      const started = await bed.start();
      plainGit(bed.source, 'checkout', '-q', started.branch);
      const first = await run(bed, started, { 'b.txt': 'mine\n' });
      const theirs = await commitFiles(bed.source, { 'review.txt': 'by a person\n' });
      plainGit(bed.source, 'checkout', '-q', 'main');
      if (kind === 'gone') await bed.attemptFolders.remove(started);

      await prepareAgain(bed, started);
      const between = plainGit(bed.source, 'rev-parse', started.branch);
      const second = await run(bed, started, { 'c.txt': 'more\n' });

      expect(first).toMatchObject({ branch: 'checked_out' });
      expect(second).toMatchObject({ branch: 'has_others' });
      expect([between, plainGit(bed.source, 'rev-parse', started.branch)]).toEqual([theirs, theirs]);
      expect(existsSync(join(started.folder, 'b.txt'))).toBe(true);
      expect(plainGit(bed.source, 'rev-parse', 'refs/errand/attempt-1/head')).toBe(second.head_commit);
    },
  );

  it('is not followed over an ignored file of the folder', async () => {
    await using bed = await aBed({ '.gitignore': 'notes\n' });
    const started = await bed.start();
    await run(bed, started, { 'b.txt': 'mine\n', notes: 'of the agent\n' });
    const theirs = await change(bed, started, async (folder) => {
      await writeFiles(folder, { '.gitignore': '', notes: 'by a person\n' });
      await commitFiles(folder, {});
    });

    await prepareAgain(bed, started);

    expect(readFileSync(join(started.folder, 'notes'), 'utf8')).toBe('of the agent\n');
    expect(plainGit(started.folder, 'status', '--porcelain')).toBe('');
    expect(plainGit(bed.source, 'rev-parse', started.branch)).toBe(theirs);
  });

  it('keeps the person’s commits when an agent drops them from its own', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    await run(bed, started, { 'b.txt': 'mine\n' });
    const theirs = await change(bed, started, (folder) => commitFiles(folder, { 'review.txt': 'by a person\n' }));
    await prepareAgain(bed, started);
    const built = await run(bed, started, { 'c.txt': 'on top\n' });
    plainGit(started.folder, 'reset', '-q', '--hard', `${theirs}~1`);

    const collected = await run(bed, started, { 'd.txt': 'without them\n' });

    expect(built).toMatchObject({ branch: 'moved' });
    expect(collected).toMatchObject({ branch: 'has_others' });
    expect(plainGit(bed.source, 'rev-parse', started.branch)).toBe(built.head_commit);
  });

  it('keeps the commits of a branch that existed before the attempt', async () => {
    await using bed = await aBed();
    plainGit(bed.source, 'checkout', '-q', '-b', 'errand/attempt-1');
    const theirs = await commitFiles(bed.source, { 'begun.txt': 'by a person\n' });
    plainGit(bed.source, 'checkout', '-q', 'main');
    const started = await bed.start();
    plainGit(started.folder, 'reset', '-q', '--hard', 'main');

    const collected = await run(bed, started, { 'b.txt': 'mine\n' });

    expect(collected).toMatchObject({ branch: 'has_others' });
    expect(plainGit(bed.source, 'rev-parse', started.branch)).toBe(theirs);
  });
});
