import { existsSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aRunner } from './testing/a-runner.ts';

type Runner = Awaited<ReturnType<typeof aRunner>>;

const WAIT = { timeout: 60_000, interval: 50 };

const ended = (runner: Runner, attempt_id: string, status: string): Promise<void> =>
  vi.waitFor(async () => expect(await runner.attempt(attempt_id)).toMatchObject({ run: { status } }), WAIT);

const folders = (runner: Runner, attempt_id: string, folders: string): Promise<void> =>
  vi.waitFor(async () => expect(await runner.attempt(attempt_id)).toMatchObject({ folders }), WAIT);

describe.concurrent('a worker', () => {
  it('runs an agent in a folder of its own, and commits its changes', async () => {
    const look = 'echo "sees $(ls -A ../../.. ../..)"';
    await using runner = await aRunner({ agent: `cat >/dev/null; echo two > b.txt; ${look}` });

    const id = await runner.begin();
    await ended(runner, id, 'completed');

    // The repository is in this test's data folder; the machine's id, which is there too, is hidden.
    const feed = await runner.feed(id);
    expect(feed).toContain(id);
    expect(feed).not.toContain(runner.hides ? 'machine-id' : 'nothing');
    const { workspace_branch, files } = await runner.attempt(id);
    expect(files).toMatchObject([{ path: 'b.txt', change: 'added' }]);
    expect(runner.git('show', `${String(workspace_branch)}:b.txt`)).toBe('two');
    expect(runner.git('log', '-1', '--format=%(trailers)', String(workspace_branch))).toBe(
      `Errand-Attempt: ${id}\nCo-authored-by: scripted <scripted@errand.localhost>`,
    );
    expect([runner.git('status', '--porcelain'), runner.git('rev-parse', '--abbrev-ref', 'HEAD')]).toEqual([
      '',
      'main',
    ]);
    expect(runner.errors).toEqual([]);
  });

  it('names the folders of several repositories, and keeps and reports the files beside them', async () => {
    const agent = 'grep -e "^- " >prompt.txt; echo two > shop/b.txt; mkdir -p notes; echo plan > notes/plan.md';
    await using runner = await aRunner({ agent, more_repos: ['site'] });
    const id = await runner.begin();
    await ended(runner, id, 'completed');

    const attempt = await runner.attempt(id);
    const lines = await runner.feed(id);
    await runner.ask('remove_attempt', { attempt_id: id });
    await folders(runner, id, 'none');

    const kept = (path: string) => readFileSync(join(runner.root, '.kept', `${id}-1`, path), 'utf8');
    expect(kept('prompt.txt')).toContain(
      '- shop/: the repository shop, for its branch main\n- site/: the repository site',
    );
    expect(kept('notes/plan.md')).toBe('plan\n');
    expect(attempt).toMatchObject({ outside: { paths: ['prompt.txt', 'notes/plan.md'], total: 2 } });
    expect(lines).toContain('Left outside of the repositories, so in no commit: prompt.txt, notes/plan.md.');
    expect(attempt.files).toMatchObject([{ path: 'b.txt', change: 'added' }]);
    expect(existsSync(join(runner.root, id))).toBe(false);
  });

  it('does not remove a folder with more files beside its repositories than can be kept', async () => {
    await using runner = await aRunner({ agent: 'cat >/dev/null; echo two > shop/b.txt', more_repos: ['site'] });
    const id = await runner.begin();
    await ended(runner, id, 'completed');
    const log = join(runner.root, id, 'log');
    writeFileSync(log, '');
    truncateSync(log, 65 * 1024 * 1024);

    await runner.ask('remove_attempt', { attempt_id: id });
    await folders(runner, id, 'removal_refused');

    expect(existsSync(log)).toBe(true);
    expect(existsSync(join(runner.root, id, 'shop', 'b.txt'))).toBe(true);
  });

  it('commits in the name of the person who asked for the run', async () => {
    await using runner = await aRunner({
      agent: 'cat >/dev/null; echo two > b.txt',
      queue: (queue) => ({
        claim: async (request) => (await queue.claim(request)).map((claimed) => ({ ...claimed, author: 'Bob' })),
      }),
    });

    const id = await runner.begin();
    await ended(runner, id, 'completed');

    const { workspace_branch } = await runner.attempt(id);
    expect(runner.git('log', '-1', '--format=%an', String(workspace_branch))).toBe('Bob');
  });

  it('does not complete a run whose changes could not be committed, and says why without naming paths', async () => {
    await using runner = await aRunner({
      agent: 'cat >/dev/null; echo two > b.txt; rm -rf ../../../shop/.git/objects',
    });

    const id = await runner.begin();
    await ended(runner, id, 'failed');

    const feed = await runner.feed(id);
    expect(await runner.attempt(id)).toMatchObject({ run: { reason: 'its changes could not be committed' } });
    expect(feed).toContain('The changes in shop could not be committed');
    expect(feed).not.toContain(runner.root);
    expect(runner.errors).toMatchObject([{ name: 'GitError', detail: expect.stringContaining(': ') }]);
    expect(existsSync(join(runner.root, id, 'shop', 'b.txt'))).toBe(true);
  });

  it('says why a branch was not moved, and what was left out of the commit', async () => {
    const repositories = 'for n in 1 2 3 4 5 6 7 8 9 10 11 12; do mkdir n$n; git -C n$n init -q; touch n$n/x; done';
    await using runner = await aRunner({ agent: `cat >/dev/null; echo more >> b.txt; ${repositories}` });
    const id = await runner.begin();
    await ended(runner, id, 'completed');
    const { workspace_branch } = await runner.attempt(id);
    const branch = String(workspace_branch);
    const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@localhost'];
    writeFileSync(join(runner.root, id, 'shop', 'b.txt'), 'not collected');
    runner.git('checkout', '-q', branch);
    runner.git(...ada, 'commit', '-q', '--amend', '-m', 'amended');
    runner.git('checkout', '-q', 'main');

    await runner.ask('follow_up', { attempt_id: id, action: 'send', prompt: 'go on' });
    await vi.waitFor(async () => expect(await runner.feed(id)).toContain('has commits of someone else'), WAIT);
    await ended(runner, id, 'completed');

    const feed = await runner.feed(id);
    expect(feed).toContain(`kept as refs/errand/${id}/head`);
    expect(feed).not.toContain('is checked out');
    expect(feed).toContain(
      'Left out of the commit in shop: n1/, n10/, n11/, n12/, n2/, n3/, n4/, n5/, n6/, n7/ and 2 more.',
    );
    expect(runner.git('log', '-1', '--format=%s', branch)).toBe('amended');
  });

  it('never records the token of a run, whichever program prints it', async () => {
    const print = 'printf "%s\\n" "$ERRAND_TOKEN"; printf "\\033[31mred\\000\\n"';
    await using runner = await aRunner({ agent: `cat >/dev/null; ${print}`, setup_script: print });

    const id = await runner.begin();
    await ended(runner, id, 'completed');

    const feed = await runner.feed(id);
    expect(feed.split('[token]')).toHaveLength(3);
    expect(`${feed}${JSON.stringify(await runner.attempt(id))}`).not.toMatch(/errand_attempt_|\\u001b|\\u0000/);
  });

  it('runs the set-up of a folder again when it failed, and not when it completed', async () => {
    const setup_script = 'echo setup >> ../log; test -e ../fixed';
    await using runner = await aRunner({ agent: 'cat >/dev/null; cat ../log | wc -l', setup_script });
    const id = await runner.begin();
    await ended(runner, id, 'failed');
    writeFileSync(join(runner.root, id, 'fixed'), '');

    for (const prompt of ['again', 'and again']) {
      await runner.ask('follow_up', { attempt_id: id, action: 'send', prompt });
      await ended(runner, id, 'completed');
    }

    expect(await runner.attempt(id)).toMatchObject({ run: { summary: '2' } });
  });

  it('leaves nothing of a stopped run, and says who stopped it', async () => {
    await using runner = await aRunner({ agent: `trap '' TERM; echo $$ > started; (trap '' TERM; sleep 300) & wait` });
    const id = await runner.begin();
    await vi.waitFor(() => expect(existsSync(join(runner.root, id, 'shop', 'started'))).toBe(true), WAIT);

    await runner.ask('stop_attempt', { attempt_id: id });
    await ended(runner, id, 'killed');

    expect(await runner.attempt(id)).toMatchObject({ run: { reason: 'stopped' } });
    expect(runner.worker.active()).toBe(0);
  });

  it('goes on removing folders when one of them was replaced', async () => {
    await using runner = await aRunner({ agent: 'cat >/dev/null' });
    const [odd, plain] = [await runner.begin(), await runner.begin()];
    for (const id of [odd, plain]) await ended(runner, id, 'completed');
    renameSync(join(runner.root, odd, 'shop'), join(runner.root, odd, 'elsewhere'));
    symlinkSync(join(runner.root, odd, 'elsewhere'), join(runner.root, odd, 'shop'));

    for (const attempt_id of [odd, plain]) await runner.ask('remove_attempt', { attempt_id });
    await folders(runner, plain, 'none');
    await folders(runner, odd, 'removal_refused');

    expect(existsSync(join(runner.root, plain))).toBe(false);
    expect(existsSync(join(runner.root, odd, 'elsewhere', 'a.txt'))).toBe(true);
  });

  it('keeps a folder with the only copy of something, and makes a missing one again', async () => {
    await using runner = await aRunner({ agent: 'cat >/dev/null; echo more >> b.txt' });
    const id = await runner.begin();
    await ended(runner, id, 'completed');
    writeFileSync(join(runner.root, id, 'shop', 'mine.txt'), 'mine');
    await runner.ask('remove_attempt', { attempt_id: id });
    await folders(runner, id, 'removal_refused');
    const wasKept = existsSync(join(runner.root, id, 'shop', 'mine.txt'));

    await runner.ask('follow_up', { attempt_id: id, action: 'send', prompt: 'go on' });
    await ended(runner, id, 'completed');
    await runner.ask('remove_attempt', { attempt_id: id });
    await folders(runner, id, 'none');
    await runner.ask('follow_up', { attempt_id: id, action: 'send', prompt: 'and on' });
    await vi.waitFor(async () => {
      const { workspace_branch } = await runner.attempt(id);
      expect(runner.git('show', `${String(workspace_branch)}:b.txt`)).toBe('more\nmore\nmore');
    }, WAIT);

    expect(wasKept).toBe(true);
  });

  it('removes the folders of a deleted task, and keeps what is in no branch', async () => {
    await using runner = await aRunner({ agent: 'cat >/dev/null; echo more >> b.txt' });
    const [saved, unsaved] = [await runner.begin(), await runner.begin()];
    for (const id of [saved, unsaved]) await ended(runner, id, 'completed');
    writeFileSync(join(runner.root, unsaved, 'shop', 'mine.txt'), 'mine');
    const { task } = (await runner.attempt(saved)) as { task: { task_id: string } };

    await runner.ask('delete_task', { task_id: task.task_id });
    await vi.waitFor(() => expect(existsSync(join(runner.root, saved))).toBe(false), WAIT);

    expect(existsSync(join(runner.root, unsaved, 'shop', 'mine.txt'))).toBe(true);
  });

  it('ends the runs that it was just claiming when it is closed', async () => {
    let claiming = (): void => {};
    const begun = new Promise<void>((resolve) => {
      claiming = resolve;
    });
    const closing = Promise.withResolvers<void>();
    await using runner = await aRunner({
      agent: 'sleep 300',
      queue: (queue) => ({
        claim: async (request) => {
          const claimed = await queue.claim(request);
          claiming();
          await closing.promise;
          return claimed;
        },
      }),
    });
    const id = await runner.begin();
    await begun;

    const closed = runner.worker.close();
    closing.resolve();
    await closed;

    // A worker waits no more than ten seconds for its runs, which a busy machine may need to start this one.
    await vi.waitFor(
      async () => expect(await runner.attempt(id)).toMatchObject({ run: { status: 'interrupted' } }),
      WAIT,
    );
  });
});
