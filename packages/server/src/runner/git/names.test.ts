import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../../../test/e2e/counts.ts';
import { checkBranch } from './check-branch.ts';
import { GitError } from './git-error.ts';
import { aName } from './testing/names.ts';
import { aBed, plainGit, writeFiles } from './testing/repository.ts';

const refsOf = (source: string) => plainGit(source, 'for-each-ref', '--format=%(refname)');

/** Whether the name means the git directory on some system: no repository may hold it. */
const isDotGit = (name: string) =>
  /(?:^|\\)(?:\.git|git~1)[ .]*(?:$|[:\\])/i.test(name.replaceAll(/[\u200c-\u202e]/g, ''));

describe('hostile names', () => {
  it('are refused as branches before git sees them: 10,000 names', async () => {
    await using bed = await aBed();
    const refused = fc.sample(aName, { numRuns: 10_000, seed: 1 }).filter((name) => checkBranch(name) !== null);
    const prepare = (change: object) =>
      bed.attemptFolders.prepare({ ...bed.place(), target_branch: 'main', base_commit: null, ...change }).then(
        () => 'done',
        (cause: unknown) => (cause instanceof GitError && cause.detail === null ? 'refused' : cause),
      );

    for (const name of refused) {
      const answers = await Promise.all([prepare({ branch: name }), prepare({ target_branch: name })]);
      if (answers.some((answer) => answer !== 'refused')) expect({ name, answers }).toBeNull();
    }

    expect(refused.length).toBeGreaterThan(5_000);
    expect(refsOf(bed.source)).toBe('refs/heads/main');
    expect(await readdir(bed.folder)).toEqual(['source']);
  });

  it('are taken literally where git allows them', async () => {
    await using bed = await aBed();
    const names = fc
      .sample(aName, { numRuns: 3_000, seed: 2 })
      .filter((name) => checkBranch(name) === null && name !== 'main');

    for (const [index, branch] of names.slice(0, 5).entries()) {
      const place = { ...bed.place(`n${index}`), branch };
      const { base_commit } = await bed.attemptFolders
        .prepare({ ...place, target_branch: 'main', base_commit: null })
        .catch(() => ({
          base_commit: null,
        }));
      if (base_commit === null) continue;
      await writeFiles(place.folder, { 'b.txt': 'mine\n' });
      const { head_commit } = await bed.attemptFolders.commit({ ...place, base_commit, message: branch });
      expect(plainGit(bed.source, 'rev-parse', `refs/heads/${branch}`)).toBe(head_commit);
    }

    expect((await readdir(bed.folder)).sort()).toEqual(['attempts', 'source']);
  });

  it('are ordinary files when an agent makes them', async () => {
    const count = times({ whole: 10_000, part: 2_000 });
    await using bed = await aBed();
    const started = await bed.start();
    const wanted = fc.sample(aName, { numRuns: count, seed: 3 }).filter((name) => name.isWellFormed());
    const made = new Set<string>();
    for (const name of wanted.map((piece) => piece.replaceAll('/', '∕'))) {
      const is_made = await writeFile(join(started.folder, 'files', name), 'x').catch(() => null);
      if (is_made === undefined) made.add(name);
      else if (made.size === 0) await mkdir(join(started.folder, 'files'), { recursive: true });
    }

    const { head_commit } = await bed.attemptFolders.commit({ ...started, message: 'work' });

    const kept = plainGit(bed.source, 'ls-tree', '-r', '-z', '--name-only', head_commit, 'files/').split('\0');
    const names = new Set(kept.filter((path) => path !== '').map((path) => path.slice('files/'.length)));
    const lost = [...made].filter((name) => !names.has(name) && !isDotGit(name));
    expect(made.size).toBeGreaterThan(0.3 * count);
    expect(lost).toEqual([]);
    expect((await readdir(bed.folder)).sort()).toEqual(['attempts', 'source']);
  });

  it('do not lead a folder out of the root', async () => {
    await using bed = await aBed();

    for (const name of fc.sample(aName, { numRuns: 10_000, seed: 4 })) {
      expect(dirname(bed.attemptFolders.repoFolder('attempt-1', name, 3))).toBe(join(bed.root, 'attempt-1'));
      if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) continue;
      expect(() => bed.attemptFolders.repoFolder(name, 'shop', 0)).toThrow(GitError);
    }
  });
});

describe('a folder in another place', () => {
  it('is refused by everything that would work in it', async () => {
    await using bed = await aBed();
    const started = await bed.start();
    const outside = join(bed.folder, 'outside');
    await mkdir(join(outside, 'shop'), { recursive: true });
    const places = [
      outside,
      join(started.folder, '..', '..', 'x'),
      join(bed.root, 'attempt-2', 'shop'),
      join(started.folder, 'a'),
      bed.root,
    ];

    for (const folder of places) {
      const place = { ...started, folder };
      await expect(bed.attemptFolders.prepare({ ...place, target_branch: 'main' })).rejects.toThrow(
        'not where Errand made it',
      );
      await expect(bed.attemptFolders.commit({ ...place, message: 'work' })).rejects.toThrow(
        'not where Errand made it',
      );
      await expect(bed.attemptFolders.diff(place)).rejects.toThrow('not where Errand made it');
      await expect(bed.attemptFolders.remove(place)).rejects.toThrow('not where Errand made it');
    }
  });

  it('is not made behind a link, or where a file is', async () => {
    await using bed = await aBed();
    const outside = join(bed.folder, 'outside');
    await mkdir(outside);
    await mkdir(join(bed.root, 'filled'), { recursive: true });
    await symlink(outside, join(bed.root, 'linked'));
    await writeFile(join(bed.root, 'filled', 'shop'), 'a file');

    await expect(bed.start('linked')).rejects.toThrow('a link stands in its place');
    await expect(bed.start('filled')).rejects.toThrow('a link stands in its place');

    expect(await readdir(outside)).toEqual([]);
  });

  it.each(['the folder', 'the folder of the attempt'])('is refused when a link replaces %s', async (which) => {
    await using bed = await aBed();
    const started = await bed.start();
    const swapped = which === 'the folder' ? started.folder : dirname(started.folder);
    await rename(swapped, join(bed.folder, basename(swapped)));
    await symlink(join(bed.folder, basename(swapped)), swapped);

    await expect(bed.attemptFolders.prepare({ ...started, target_branch: 'main' })).rejects.toThrow(
      'a link stands in its place',
    );
    await expect(bed.attemptFolders.commit({ ...started, message: 'work' })).rejects.toThrow(
      'a link stands in its place',
    );
    await expect(bed.attemptFolders.diff(started)).rejects.toThrow('a link stands in its place');
    await expect(bed.attemptFolders.remove(started)).rejects.toThrow('a link stands in its place');
    await bed.attemptFolders.removeAttempt(started.attempt_id, [started.folder]);

    expect(existsSync(join(bed.folder, basename(swapped)))).toBe(true);
  });
});
