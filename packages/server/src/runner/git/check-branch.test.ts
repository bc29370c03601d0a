import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderName } from '#domain/folder-names';
import { checkBranch } from './check-branch.ts';
import { createGit } from './git.ts';
import { aName } from './testing/names.ts';
import { aBed, plainGit } from './testing/repository.ts';

describe('a branch name', () => {
  it.each(['main', 'errand/fix-the-door-1a2b', 'feature/ü', 'a.b', 'a@b', '1', 'x'.repeat(200)])(
    'can be %s',
    (name) => {
      expect(checkBranch(name)).toBeNull();
    },
  );

  it.each([
    ...[
      '',
      '-x',
      '--output=x',
      '..',
      'a..b',
      'a/../b',
      '.a',
      'a/.b',
      'a.lock',
      'a.lock/b',
      'a/',
      '/a',
      'a//b',
      'a.',
      '@',
      'HEAD',
    ],
    ...[
      'a@{1}',
      'a b',
      'a\tb',
      'a\nb',
      'a\0b',
      'a\u007f',
      'a~1',
      'a^',
      'a:b',
      'a?',
      'a*',
      'a[',
      'a\\b',
      'x'.repeat(201),
      '\ud800',
    ],
    'ext::sh -c x',
  ])('cannot be %j', (name) => {
    expect(checkBranch(name)).not.toBeNull();
  });

  it('is refused, or is one for git as well: 10,000 names', async () => {
    await using bed = await aBed();
    const commit = plainGit(bed.source, 'rev-parse', 'main');
    const taken = fc.sample(aName, { numRuns: 10_000, seed: 7 }).filter((name) => checkBranch(name) === null);

    const lines = ['start', ...[...new Set(taken)].map((name) => `create refs/heads/${name}\0${commit}`), 'abort'];
    const input = `${lines.join('\0')}\0`;
    const answer = await createGit()(['update-ref', '--stdin', '-z'], { git_dir: `${bed.source}/.git`, input });

    expect(taken.length).toBeGreaterThan(500);
    expect(answer.stdout.toString()).toBe('start: ok\nabort: ok\n');
  });
});

describe('a folder name', () => {
  it('is one plain name, whatever the repository is called, and no two are the same: 10,000 names', () => {
    for (const name of fc.sample(aName, { numRuns: 10_000, seed: 8 })) {
      const [first, second] = [folderName(name, 0), folderName(name, 1)];

      expect(first).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}$/);
      expect(first).not.toContain('..');
      expect(second).toBe(`${first}+2`);
    }
  });
});
