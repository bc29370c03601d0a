import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { GitError } from './git/git-error.ts';
import { aRunner } from './testing/a-runner.ts';

/** Of the worker of `aRunner`. */
const LEASE_MS = 1_500;
const WAIT = { timeout: 60_000, interval: 50 };

describe('[L-SHIP] a merge of two repositories that was cut after the first branch had moved', () => {
  it('[L-SHIP] waits for the second repository, says where to look, and is made when that repository is back', async () => {
    let moves = 0;
    let cut: () => void = () => {};
    const steps = {
      mark: (name: string): void => {
        if (name !== 'before git update-ref') return;
        moves += 1;
        if (moves === 2) cut();
      },
    };
    const agent = 'cat >/dev/null; echo two > shop/b.txt; echo two > site/b.txt';
    await using runner = await aRunner({ agent, more_repos: ['site'], steps });
    const [here, away] = [join(runner.repo, '../site'), join(runner.repo, '../site.away')];
    const attempt_id = await runner.begin();
    await vi.waitFor(
      async () => expect(await runner.attempt(attempt_id)).toMatchObject({ run: { status: 'completed' } }),
      WAIT,
    );
    const before = runner.git('rev-parse', 'main');
    cut = () => {
      renameSync(here, away);
      throw new GitError('Git was cut.');
    };

    await runner.refuse('merge_attempt', { attempt_id });
    await vi.waitFor(async () => {
      // The store's clock stands still: the time after which the worker tries again has to pass.
      runner.time.now += LEASE_MS;
      expect(await runner.refuse('merge_attempt', { attempt_id })).toMatchObject({
        code: 'merge_in_progress',
        message: expect.stringContaining(`site (${here}) cannot be read.`),
        hint: expect.stringContaining('stop_attempt'),
      });
    }, WAIT);

    const merged = runner.git('rev-parse', 'main');
    expect(merged).not.toBe(before);
    expect(existsSync(join(runner.repo, '.git/index.lock'))).toBe(false);
    expect(runner.git('status', '--porcelain')).toBe('');
    renameSync(away, here);
    await vi.waitFor(async () => {
      runner.time.now += LEASE_MS;
      expect(await runner.attempt(attempt_id)).toMatchObject({ state: 'merged' });
    }, WAIT);
    expect(await runner.ask('merge_attempt', { attempt_id })).toMatchObject({ status: 'merged' });
    expect([runner.git('rev-parse', 'main'), runner.git('-C', here, 'show', 'main:b.txt')]).toEqual([merged, 'two']);
    expect(runner.git('-C', here, 'status', '--porcelain')).toBe('');
  });
});
