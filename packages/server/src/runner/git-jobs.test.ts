import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aRunner } from './testing/a-runner.ts';

type Runner = Awaited<ReturnType<typeof aRunner>>;

const WAIT = { timeout: 60_000, interval: 50 };

const ended = (runner: Runner, attempt_id: string, status: string): Promise<void> =>
  vi.waitFor(async () => expect(await runner.attempt(attempt_id)).toMatchObject({ run: { status } }), WAIT);

const AGENT = 'cat >/dev/null; echo two > b.txt';

/** An attempt whose agent has done its work. */
async function aDone(options: Partial<Parameters<typeof aRunner>[0]> = {}) {
  const runner = await aRunner({ agent: AGENT, ...options });
  const attempt_id = await runner.begin();
  await ended(runner, attempt_id, 'completed');
  return { runner, attempt_id };
}

describe.concurrent('merging an attempt', () => {
  it('[L-SHIP] squashes it into the target, completes the task, archives the others, and removes the folders', async () => {
    const { runner, attempt_id } = await aDone();
    await using _ = runner;
    const other = await runner.begin();
    await ended(runner, other, 'completed');
    const head = runner.git('rev-parse', 'HEAD');

    const answer = await runner.ask('merge_attempt', { attempt_id, mode: 'squash' });

    const commit = runner.git('rev-parse', 'main');
    expect(answer).toMatchObject({ status: 'merged', commits: [{ commit }], verdict: null });
    expect(runner.git('log', '--format=%P %s', '-1', 'main')).toBe(`${head} Fix it (SHO-1)`);
    expect(runner.git('show', 'main:b.txt')).toBe('two');
    // The target is checked out: its files are there, and nothing is left to commit.
    expect(readFileSync(join(runner.repo, 'b.txt'), 'utf8')).toBe('two\n');
    expect(runner.git('status', '--porcelain')).toBe('');
    expect(await runner.attempt(attempt_id)).toMatchObject({ state: 'merged', task: { status: 'done' } });
    expect(await runner.attempt(other)).toMatchObject({ state: 'archived' });
    await vi.waitFor(async () => expect(await runner.attempt(attempt_id)).toMatchObject({ folders: 'none' }), WAIT);
    expect(runner.git('branch', '--list', 'errand/*').split('\n')).toHaveLength(2);
    expect(await runner.ask('merge_attempt', { attempt_id })).toEqual(answer);
    expect(runner.errors).toEqual([]);
  });

  it('[L-SHIP] answers conflicts and changes nothing, then has the agent resolve them on its branch', async () => {
    const agent = `grep -q "conflict markers" && { echo both > a.txt; exit 0; }; echo theirs > a.txt`;
    const { runner, attempt_id } = await aDone({ agent });
    await using _ = runner;
    writeFileSync(join(runner.repo, 'a.txt'), 'ours\n');
    runner.git('-c', 'user.name=Ana', '-c', 'user.email=a@b', 'commit', '-qam', 'ours');
    const [{ repo_id } = { repo_id: '' }] = (await runner.attempt(attempt_id)).repos as { repo_id: string }[];
    const refs = () => runner.git('for-each-ref', 'refs/heads', 'refs/tags');
    const before = refs();

    const first = await runner.ask('merge_attempt', { attempt_id });

    expect(first).toMatchObject({ status: 'conflicts', conflicts: [{ repo_id, path: 'a.txt' }] });
    expect(refs()).toBe(before);

    const second = await runner.ask('merge_attempt', { attempt_id, resolve: true });
    expect(second).toMatchObject({ status: 'conflicts', follow_up_id: expect.any(String) });
    await vi.waitFor(async () => {
      const attempt = await runner.attempt(attempt_id);
      expect(attempt).toMatchObject({ run: { status: 'completed' }, state: 'review' });
      expect(runner.git('show', `${String(attempt.workspace_branch)}:a.txt`)).toBe('both');
    }, WAIT);

    const branch = String((await runner.attempt(attempt_id)).workspace_branch);
    expect(runner.git('log', '--format=%s', 'main..'.concat(branch)).split('\n')).toContain(
      'Merge main, with conflicts to resolve',
    );
    const third = await runner.ask('merge_attempt', { attempt_id });
    expect(third).toMatchObject({ status: 'merged' });
    expect(readFileSync(join(runner.repo, 'a.txt'), 'utf8')).toBe('both\n');
    expect(runner.errors).toEqual([]);
  });

  it('[L-SHIP] refuses to merge files in which the agent left conflict markers', async () => {
    const agent = 'grep -q "conflict markers" && exit 0; echo theirs > a.txt';
    const { runner, attempt_id } = await aDone({ agent });
    await using _ = runner;
    writeFileSync(join(runner.repo, 'a.txt'), 'ours\n');
    runner.git('-c', 'user.name=Ana', '-c', 'user.email=a@b', 'commit', '-qam', 'ours');
    await runner.ask('merge_attempt', { attempt_id, resolve: true });
    await vi.waitFor(
      async () =>
        expect(await runner.attempt(attempt_id)).toMatchObject({ state: 'review', run: { status: 'completed' } }),
      WAIT,
    );

    expect(await runner.ask('merge_attempt', { attempt_id })).toMatchObject({ status: 'refused', code: 'unresolved' });
  });

  it('[L-SHIP] leaves a checked-out target with changes as it is, and says what to do', async () => {
    const { runner, attempt_id } = await aDone();
    await using _ = runner;
    writeFileSync(join(runner.repo, 'a.txt'), 'unsaved\n');
    const before = runner.git('rev-parse', 'main');

    const answer = await runner.ask('merge_attempt', { attempt_id });

    expect(answer).toMatchObject({
      status: 'refused',
      code: 'not_clean',
      reason: expect.stringContaining(runner.repo),
    });
    expect([runner.git('rev-parse', 'main'), readFileSync(join(runner.repo, 'a.txt'), 'utf8')]).toEqual([
      before,
      'unsaved\n',
    ]);
    expect(await runner.attempt(attempt_id)).toMatchObject({ state: 'review', folders: 'kept' });
    writeFileSync(join(runner.repo, 'a.txt'), 'one\n');
    expect(await runner.ask('merge_attempt', { attempt_id })).toMatchObject({ status: 'merged' });
  });

  it('[L-SHIP] merges several repositories, or none when one of them conflicts', async () => {
    const agent = 'cat >/dev/null; echo two > shop/b.txt; echo theirs > site/a.txt';
    const { runner, attempt_id } = await aDone({ agent, more_repos: ['site'] });
    await using _ = runner;
    const site = join(runner.repo, '../site');
    const inSite = (...args: string[]) => runner.git('-C', site, ...args);
    writeFileSync(join(site, 'a.txt'), 'ours\n');
    inSite('-c', 'user.name=Ana', '-c', 'user.email=a@b', 'commit', '-qam', 'ours');
    const tips = () => [runner.git('rev-parse', 'main'), inSite('rev-parse', 'main')];
    const before = tips();

    expect(await runner.ask('merge_attempt', { attempt_id })).toMatchObject({
      status: 'conflicts',
      conflicts: [{ path: 'a.txt' }],
    });
    expect(tips()).toEqual(before);
    inSite('reset', '-q', '--hard', 'HEAD~');
    const answer = await runner.ask('merge_attempt', { attempt_id });

    expect(answer.status).toBe('merged');
    expect((answer.commits as { commit: string }[]).map(({ commit }) => commit).toSorted()).toEqual(tips().toSorted());
    expect([readFileSync(join(site, 'a.txt'), 'utf8'), existsSync(join(runner.repo, 'b.txt'))]).toEqual([
      'theirs\n',
      true,
    ]);
  });

  it('[L-SHIP] puts the branch on top of its target, and the next run goes on there', async () => {
    const { runner, attempt_id } = await aDone({ agent: 'cat >/dev/null; echo more >> b.txt' });
    await using _ = runner;
    writeFileSync(join(runner.repo, 'c.txt'), 'theirs\n');
    runner.git('add', '.');
    runner.git('-c', 'user.name=Ana', '-c', 'user.email=a@b', 'commit', '-qm', 'theirs');
    const main = runner.git('rev-parse', 'main');

    const answer = await runner.ask('rebase_attempt', { attempt_id });

    const { workspace_branch, repos } = await runner.attempt(attempt_id);
    const branch = String(workspace_branch);
    const commit = runner.git('rev-parse', branch);
    expect(answer).toMatchObject({ status: 'merged', commits: [{ commit }] });
    expect(runner.git('log', '--format=%P', '-1', branch)).toBe(main);
    expect(runner.git('rev-parse', 'main')).toBe(main);
    expect(repos).toMatchObject([{ base_commit: main, head_commit: commit }]);
    const { execution_id } = await runner.ask('follow_up', { attempt_id, action: 'send', prompt: 'More.' });
    await vi.waitFor(
      async () =>
        expect(await runner.attempt(attempt_id)).toMatchObject({ run: { execution_id, status: 'completed' } }),
      WAIT,
    );
    expect(runner.git('show', `${branch}:c.txt`)).toBe('theirs');
    expect(runner.git('show', `${branch}:b.txt`)).toBe('more\nmore');
    expect(runner.git('rev-list', '--count', `main..${branch}`)).toBe('2');
    expect(runner.errors).toEqual([]);
  });

  it('[L-SHIP] takes the mode, the message and the end of the branch from the project', async () => {
    const { runner, attempt_id } = await aDone();
    await using _ = runner;
    await runner.store.transaction(async (tx) => {
      const project = await tx.projects.find(runner.owner.workspace_id, runner.project_id);
      if (project === null) throw new Error('no project');
      const merge_message = '{key}: {title} by {executor}';
      await tx.projects.update({ ...project, merge_mode: 'squash', merge_message, delete_branch: true });
    });

    expect(await runner.ask('merge_attempt', { attempt_id })).toMatchObject({ status: 'merged' });

    expect(runner.git('log', '-1', '--format=%s', 'main')).toBe('SHO-1: Fix it by scripted');
    expect(runner.git('branch', '--list', 'errand/*')).toBe('');
    await vi.waitFor(async () => expect(await runner.attempt(attempt_id)).toMatchObject({ folders: 'none' }), WAIT);
  });
});
