import { describe, expect, it } from 'vitest';
import { createGit, said } from './git.ts';
import { GitError } from './git-error.ts';
import { aBed, plainGit } from './testing/repository.ts';

describe('the way to git', () => {
  it('passes on nothing of the server’s environment', async () => {
    await using bed = await aBed();

    const shown = await createGit()(['-c', 'alias.show-all=!env', 'show-all'], { cwd: bed.source });

    const names = said(shown)
      .split('\n')
      .map((line) => line.slice(0, line.indexOf('=')))
      .filter((name) => !name.startsWith('GIT_') && name !== 'PWD');
    expect(names.sort()).toEqual(['LC_ALL', 'PATH']);
  });

  it('speaks no protocol but that of files', async () => {
    await using bed = await aBed();
    const git_dir = `${bed.source}/.git`;

    for (const address of [
      `ext::sh -c touch% '${bed.canary}'`,
      'ssh://127.0.0.1:1/x',
      'http://127.0.0.1:1/x',
      'git://127.0.0.1:1/x',
    ]) {
      const asking = createGit()(['fetch', '--end-of-options', address], { git_dir });
      await expect(asking).rejects.toMatchObject({ detail: expect.stringContaining('not allowed') });
    }
    expect(bed.sang()).toBe(false);
  });

  it('says what failed without naming a path of this machine', async () => {
    await using bed = await aBed();

    const failure = await createGit()(['read-tree', 'none'], { git_dir: `${bed.folder}/none` }).catch(
      (cause: unknown) => cause,
    );
    const refusal = await createGit()(['read-tree', 'none'], { git_dir: `${bed.source}/.git` }).catch(
      (cause: unknown) => cause,
    );

    expect(failure).toBeInstanceOf(GitError);
    expect(refusal).toMatchObject({ message: 'git read-tree failed.', detail: expect.stringContaining('none') });
    expect([failure, refusal].map(String).join()).not.toContain(bed.folder);
  });

  it('ends git when its output is long enough', async () => {
    await using bed = await aBed();
    const git_dir = `${bed.source}/.git`;

    const cut = await createGit()(['-c', 'alias.endless=!yes', 'endless'], { git_dir, cut_at: 1_000 });

    expect(cut).toMatchObject({ is_cut: true, code: 0 });
    expect(cut.stdout).toHaveLength(1_000);
    expect(plainGit(bed.source, 'status', '--porcelain')).toBe('');
  });
});
