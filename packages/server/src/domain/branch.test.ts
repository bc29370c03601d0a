import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { attemptBranch, branchProblem } from './branch.ts';

const isBranchName = (name: string): boolean => branchProblem(name) === null;

/** Returns the names that git takes. One shell asks for all: starting a program from this large process is slow. */
function takenByGit(names: readonly string[]): readonly string[] {
  const script = 'for name; do git check-ref-format --branch "$name" >/dev/null 2>&1 && echo yes || echo no; done';
  const answers = execFileSync('sh', ['-c', script, 'sh', ...names], { cwd: '/', encoding: 'utf8' }).split('\n');
  return names.filter((_, index) => answers[index] === 'yes');
}

describe('the name of a branch', () => {
  it('is one exactly when git says so', () => {
    const parts = ['main', 'a/b', '.', '..', '/', '-', '@', '{', '~', '^', ':', '?', '*', '[', '\\', ' ', '\t', '\x7F'];
    const names = [
      ...parts,
      ...parts.flatMap((part) => [`${part}x`, `x${part}`, `x${part}y`, `x/${part}`, `${part}/x`, `x${part}${part}y`]),
      ...[
        '',
        'x.lock',
        'x.lock/y',
        'x.LOCK',
        'x.lockd',
        'HEAD',
        'head',
        'x/HEAD',
        'é',
        '任务/一',
        '@{-1}',
        '--upload-pack=x',
      ],
    ].filter((name) => name !== '@');

    const judged = names.filter((name) => isBranchName(name));

    expect(judged).toEqual(takenByGit(names));
  });

  it('is not a name that git reads as the checked-out commit', () => {
    expect(isBranchName('@')).toBe(false);
  });

  it('is well formed, and short enough to be the name of a file', () => {
    const long = '任'.repeat(66);

    expect(isBranchName(long)).toBe(true);
    expect(isBranchName(`${long}任`)).toBe(false);
    expect(isBranchName('x'.repeat(201))).toBe(false);
    expect(isBranchName('x\uD800')).toBe(false);
  });
});

describe('the branch of an attempt', () => {
  const id = '00000000-0000-7000-8000-00000abc1234';

  it('says what the task is, and ends with the end of the id', () => {
    expect(attemptBranch('Fix the Löwe login!', id)).toBe('errand/fix-the-lowe-login-bc1234');
  });

  it.each([
    ['; rm -rf / $(id)', 'errand/rm-rf-id-bc1234'],
    ['任务', 'errand/task-bc1234'],
    ['--force', 'errand/force-bc1234'],
    [`${'a'.repeat(39)} b`, `errand/${'a'.repeat(39)}-bc1234`],
    ['a'.repeat(300), `errand/${'a'.repeat(40)}-bc1234`],
  ])('is a name whatever the title is: %s', (title, branch) => {
    expect(attemptBranch(title, id)).toBe(branch);
    expect(isBranchName(branch)).toBe(true);
  });
});
