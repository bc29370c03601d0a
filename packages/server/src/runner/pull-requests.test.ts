import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { AttemptId } from '#domain/ids';
import { aRunner } from './testing/a-runner.ts';

type Runner = Awaited<ReturnType<typeof aRunner>>;

const WAIT = { timeout: 60_000, interval: 50 };

/** Programs that stand in for gh and glab: they keep one request in a file, and note their arguments and environment. */
const GH = `#!/bin/sh
printf '%s\\n' "$@" >>"$0.args"; env >"$0.env"; echo -- >>"$0.args"
state="$0.state"
case "$2" in
  create) cat >"$0.body"
    [ -e "$state" ] && { echo "a pull request already exists" >&2; exit 1; }
    echo OPEN >"$state"; echo https://github.example/ana/shop/pull/17 ;;
  view) [ -e "$state" ] || { echo "no pull requests found" >&2; exit 1; }
    commit=null; [ "$(cat "$state")" = MERGED ] && commit='{"oid":"abcdef0123456789"}'
    printf '{"url":"https://github.example/ana/shop/pull/17","number":17,"state":"%s","isDraft":false,"mergeCommit":%s}' "$(cat "$state")" "$commit" ;;
esac
`;
const GLAB = `#!/bin/sh
printf '%s\\n' "$@" >>"$0.args"
case "$2" in
  create) echo https://git.example/team/shop/-/merge_requests/4 ;;
  view) echo '{"web_url":"https://git.example/team/shop/-/merge_requests/4","iid":4,"state":"opened","draft":true}' ;;
esac
`;

const AGENT = 'cat >/dev/null; echo more >> b.txt; echo Done it.';

/** A repository whose remote is at a forge, but whose pushes go to a folder. */
async function aForge(address: string, options: Partial<Parameters<typeof aRunner>[0]> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'errand-forge-test-'));
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  for (const [name, text] of [
    ['gh', GH],
    ['glab', GLAB],
  ] as const) {
    writeFileSync(join(programs, name), text, { mode: 0o755 });
  }
  const bare = join(folder, 'bare.git');
  execFileSync('git', ['init', '-q', '--bare', bare]);
  const runner = await aRunner({ agent: AGENT, programs, ...options });
  runner.git('remote', 'add', 'origin', address);
  runner.git('config', `url.${bare}.pushInsteadOf`, address);
  runner.git('push', '-q', 'origin', 'main');
  const attempt_id = await runner.begin();
  await done(runner, attempt_id);
  const inBare = (...args: readonly string[]) =>
    execFileSync('git', ['-C', bare, ...args], { encoding: 'utf8' }).trim();
  const read = (name: string) => readFileSync(join(programs, name), 'utf8');
  const due = async () => {
    const attempt = await runner.store.transaction(async (tx) => {
      const within = { workspace_id: runner.owner.workspace_id, project_ids: 'all' } as const;
      const found = await tx.attempts.find(within, attempt_id as AttemptId);
      if (found?.host_id != null)
        await tx.gitJobs.putWatch({ attempt_id: found.id, host_id: found.host_id, next_at: 0 });
      return found;
    });
    expect(attempt).not.toBeNull();
  };
  return {
    ...{ runner, attempt_id, programs, inBare, read, due },
    [Symbol.asyncDispose]: async () => {
      await runner[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

const done = (runner: Runner, attempt_id: string): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await runner.attempt(attempt_id)).toMatchObject({ run: { status: 'completed' }, state: 'review' }),
    WAIT,
  );

const GITHUB = 'https://github.example/ana/shop.git';

describe.concurrent('a pull request', () => {
  it('[L-SHIP] is opened with gh for the pushed branch, found again, and completes the task when it was merged', async () => {
    await using forge = await aForge(GITHUB);
    const { runner, attempt_id, inBare, read } = forge;
    const { workspace_branch } = await runner.attempt(attempt_id);
    const branch = String(workspace_branch);

    const answer = await runner.ask('open_pull_request', { attempt_id, body: 'Why -- and how' });

    const request = { url: 'https://github.example/ana/shop/pull/17', number: 17, state: 'open' };
    expect(answer).toMatchObject({ status: 'opened', pull_requests: [request] });
    expect(inBare('rev-parse', branch)).toBe(runner.git('rev-parse', branch));
    expect(read('gh.args').split('\n')).toEqual(
      expect.arrayContaining([
        '--repo',
        'github.example/ana/shop',
        '--head',
        branch,
        '--base',
        'main',
        '--title=Fix it (SHO-1)',
      ]),
    );
    expect(read('gh.body')).toBe('Why -- and how');
    expect(read('gh.env')).not.toMatch(/ERRAND_|NOVA_/);
    expect(await runner.attempt(attempt_id)).toMatchObject({ state: 'review', pull_requests: [request] });

    await runner.ask('follow_up', { attempt_id, action: 'send', prompt: 'More.' });
    await done(runner, attempt_id);
    await runner.ask('open_pull_request', { attempt_id });
    expect(inBare('show', `${branch}:b.txt`)).toBe('more\nmore');
    expect(inBare('rev-list', '--count', `main..${branch}`)).toBe('2');

    writeFileSync(join(forge.programs, 'gh.state'), 'MERGED');
    await forge.due();
    await vi.waitFor(
      async () =>
        expect(await runner.attempt(attempt_id)).toMatchObject({
          state: 'merged',
          task: { status: 'done' },
          pull_requests: [{ state: 'merged' }],
        }),
      WAIT,
    );
    expect(await runner.feed(attempt_id)).toContain('Merged into main of shop: abcdef01.');
    expect(runner.errors).toEqual([]);
  });

  it('[L-SHIP] after a rebase replaces only what Errand itself has pushed', async () => {
    await using forge = await aForge(GITHUB);
    const { runner, attempt_id, inBare } = forge;
    await runner.ask('open_pull_request', { attempt_id });
    writeFileSync(join(runner.repo, 'c.txt'), 'theirs\n');
    runner.git('add', '.');
    runner.git('-c', 'user.name=Ana', '-c', 'user.email=a@b', 'commit', '-qm', 'theirs');
    await runner.ask('rebase_attempt', { attempt_id });
    const branch = String((await runner.attempt(attempt_id)).workspace_branch);

    expect(await runner.ask('open_pull_request', { attempt_id })).toMatchObject({ status: 'opened' });
    expect(inBare('rev-parse', branch)).toBe(runner.git('rev-parse', branch));

    // A commit of someone else on the pushed branch.
    const tree = inBare('rev-parse', `${branch}^{tree}`);
    const theirs = inBare(
      '-c',
      'user.name=Bo',
      '-c',
      'user.email=b@b',
      'commit-tree',
      tree,
      '-p',
      branch,
      '-m',
      'theirs',
    );
    inBare('update-ref', `refs/heads/${branch}`, theirs);
    writeFileSync(join(runner.repo, 'd.txt'), 'again\n');
    runner.git('add', '.');
    runner.git('-c', 'user.name=Ana', '-c', 'user.email=a@b', 'commit', '-qm', 'again');
    await runner.ask('rebase_attempt', { attempt_id });

    expect(await runner.ask('open_pull_request', { attempt_id })).toMatchObject({
      status: 'refused',
      code: 'push_failed',
    });
    expect(inBare('rev-parse', branch)).toBe(theirs);
  });

  it('[L-SHIP] is a merge request with glab where the configuration says so', async () => {
    await using forge = await aForge('git@git.example:team/shop.git', { forges: { 'git.example': 'glab' } });
    const { runner, attempt_id } = forge;

    const answer = await runner.ask('open_pull_request', { attempt_id, title: 'My words', draft: true });

    expect(answer).toMatchObject({ status: 'opened', pull_requests: [{ number: 4, state: 'draft' }] });
    expect(forge.read('glab.args').split('\n')).toEqual(
      expect.arrayContaining([
        'https://git.example/team/shop',
        '--yes',
        '--draft',
        '--title=My words',
        '--description=Done it.',
      ]),
    );
  });

  it('[L-SHIP] is refused with a reason: no program, no remote, no forge', async () => {
    await using forge = await aForge(GITHUB);
    const { runner, attempt_id } = forge;
    const refused = async () => runner.ask('open_pull_request', { attempt_id });
    rmSync(join(forge.programs, 'gh'));
    expect(await refused()).toMatchObject({
      status: 'refused',
      code: 'no_program',
      reason: expect.stringContaining('gh '),
    });
    expect(forge.inBare('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    runner.git('remote', 'set-url', 'origin', 'https://ana:hunter2@/shop.git');
    const unknown = await refused();
    expect(unknown).toMatchObject({ status: 'refused', code: 'no_forge' });
    expect(JSON.stringify([unknown, await runner.ask('get_attempt', { attempt_id })])).not.toContain('hunter2');
    runner.git('remote', 'remove', 'origin');
    expect(await refused()).toMatchObject({ status: 'refused', code: 'no_remote', pull_requests: [] });
    expect(existsSync(join(forge.programs, 'gh.state'))).toBe(false);
  });
});
