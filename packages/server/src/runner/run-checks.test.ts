import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { AttemptId } from '#domain/ids';
import { scripted } from './executors/testing/play.ts';
import { aTag, tagged } from './process/testing/live.ts';
import { aRunner } from './testing/a-runner.ts';

type Runner = Awaited<ReturnType<typeof aRunner>>;

const WAIT = { timeout: 60_000, interval: 50 };
const sh = (script: string) => ['/bin/sh', '-c', script];
const ASIDE = 'cat >/dev/null; echo two > b.txt';

/** Waits until no run of the attempt is queued or running. */
const rested = async (runner: Runner, attempt_id: string): Promise<Record<string, unknown>> => {
  await vi.waitFor(async () => {
    const { run } = (await runner.attempt(attempt_id)) as { run: { ended_at: string | null } };
    expect(run.ended_at).not.toBeNull();
  }, WAIT);
  return runner.ask('get_attempt', { attempt_id, include: ['checks', 'whole'] });
};

const steps = async (runner: Runner, { run }: Record<string, unknown>) => {
  const { execution_id } = run as { execution_id: string };
  const { steps } = await runner.ask('list_steps', { execution_id });
  return (steps as { step_name: string; status: string; message: string }[]).map(({ step_name, status, message }) => [
    step_name,
    status,
    message.replace(/\d+ s$/, '… s'),
  ]);
};

describe.concurrent('the checks of a run', () => {
  it('[L-STEER] leave words that cannot wait to the next run: the agent has ended its turn', async () => {
    const [command, ...args] = scripted('acp');
    if (command === undefined) throw new Error('no agent');
    const wait = 'touch begun; while [ -e begun ]; do sleep 0.05; done';
    await using runner = await aRunner({
      acp: [command, ...args],
      checks: { SHO: [{ name: 'slow', command: sh(wait) }] },
    });
    const attempt_id = await runner.begin({ prompt: 'write b.txt two' });
    const begun = (): readonly string[] => globSync(join(runner.root, attempt_id, '**', 'begun'));
    const goOn = (): void => begun().forEach((file) => void rmSync(file, { force: true }));
    await vi.waitFor(() => expect(begun()).toHaveLength(1), WAIT);

    await runner.ask('send_message', { attempt_id, text: 'write c.txt three', interrupt: true });
    // The worker looks for such words twice a second.
    await sleep(1_200);
    goOn();

    await vi.waitFor(async () => {
      goOn();
      expect(JSON.stringify((await runner.attempt(attempt_id)).files)).toContain('c.txt');
    }, WAIT);
    expect(await rested(runner, attempt_id)).toMatchObject({ messages: [], run: { status: 'completed' } });
    expect(runner.errors).toEqual([]);
  });

  it('[L-VERIFY] judge what the agent committed, in its folder, and go on after one that failed', async () => {
    const checks = {
      SHO: [
        { name: 'lint', command: sh('echo "$(git status --porcelain | wc -l) changed"; exit 3') },
        { name: 'tests', command: sh('cat b.txt') },
      ],
    };
    await using runner = await aRunner({ agent: ASIDE, checks });

    const attempt = await rested(runner, await runner.begin());

    expect(attempt).toMatchObject({
      state: 'review',
      verdict: 'red',
      run: { status: 'completed' },
      checks: [
        { name: 'lint', status: 'failed', exit_code: 3, output: '0 changed\n' },
        { name: 'tests', status: 'passed', exit_code: 0, output: 'two\n' },
      ],
    });
    expect(await steps(runner, attempt)).toEqual([
      ['Check: lint', 'failed', 'exit 3 after … s'],
      ['Check: tests', 'completed', 'passed in … s'],
    ]);
    expect(await runner.ask('get_task', { task_id: runner.task_id })).toMatchObject({
      status: 'inreview',
      verdict: 'red',
    });
    expect(runner.errors).toEqual([]);
  });

  it('[L-VERIFY] run in the folder of a repository that they are named for, without the token of the run', async () => {
    const command = sh('basename "$PWD"; env | grep -c -e TOKEN -e ERRAND_URL; echo "CI=$CI"');
    const checks = { 'Shop/site': [{ name: 'tests', command }], Shop: [{ name: 'all', command: sh('ls') }], Other: [] };
    await using runner = await aRunner({ agent: 'cat >/dev/null', checks, more_repos: ['site'] });

    const attempt = await rested(runner, await runner.begin());

    expect(attempt).toMatchObject({
      verdict: 'green',
      checks: [
        { name: 'all', repo_id: null, output: 'shop\nsite\n' },
        { name: 'tests', output: 'site\n0\nCI=1\n' },
      ],
    });
  });

  it('[L-VERIFY] end when their time is over or they cannot be started, and are red', async () => {
    const checks = {
      SHO: [
        { name: 'slow', command: sh('echo begun; sleep 60'), timeout_s: 1 },
        { name: 'gone', command: ['no-such-program'] },
        { name: 'loud', command: sh(`head -c 20000 /dev/zero | tr '\\0' x | fold -w 100; echo end`) },
      ],
    };
    await using runner = await aRunner({ agent: ASIDE, checks });

    const attempt = await rested(runner, await runner.begin());

    const [slow, gone, loud] = attempt.checks as { status: string; output: string }[];
    expect(slow).toMatchObject({ status: 'timed_out', exit_code: null, output: 'begun\n' });
    expect(gone).toMatchObject({ status: 'failed', exit_code: null });
    expect(gone?.output).toContain('no-such-program');
    expect(loud?.output).toHaveLength(8_000);
    expect(loud?.output.endsWith('xend\n')).toBe(true);
    expect(attempt.verdict).toBe('red');
  });

  it('[L-VERIFY] end with the run that is stopped, and leave no verdict', async () => {
    const checks = { SHO: [{ name: 'slow', command: sh('echo checking; sleep 60') }] };
    await using runner = await aRunner({ agent: ASIDE, checks });
    const attempt_id = await runner.begin();
    await vi.waitFor(async () => expect(await runner.feed(attempt_id)).toContain('checking'), WAIT);

    await runner.ask('stop_attempt', { attempt_id });

    expect(await rested(runner, attempt_id)).toMatchObject({
      state: 'stopped',
      verdict: null,
      run: { status: 'killed' },
      checks: [{ name: 'slow', status: 'stopped' }],
    });
  });

  /** Writes a line, ignores SIGTERM, and leaves a process in a session of its own, which ignores it too. */
  const stubborn = (tag: string, then: string) =>
    sh(`trap "" TERM; (setsid sh -c 'trap "" TERM; sleep ${tag}; sleep ${tag}' >/dev/null 2>&1 &); echo up; ${then}`);

  it.each([
    ['ends by itself', (tag: string) => ({ command: stubborn(tag, 'exit 0') }), 'passed'],
    ['takes too long', (tag: string) => ({ command: stubborn(tag, `sleep ${tag}`), timeout_s: 1 }), 'timed_out'],
    ['is stopped with its run', (tag: string) => ({ command: stubborn(tag, `sleep ${tag}`) }), 'stopped'],
    [
      'writes without end',
      (tag: string) => ({ command: stubborn(tag, `yes ${'x'.repeat(10_000)}`), timeout_s: 3 }),
      'timed_out',
    ],
  ] as const)('[L-VERIFY] leave nothing running of a check that %s', async (_, check, status) => {
    const tag = aTag();
    await using runner = await aRunner({ agent: ASIDE, checks: { SHO: [{ name: 'stubborn', ...check(tag) }] } });
    const attempt_id = await runner.begin();
    if (status === 'stopped') {
      await vi.waitFor(async () => expect(await runner.feed(attempt_id)).toContain('"up"'), WAIT);
      await runner.ask('stop_attempt', { attempt_id });
    }

    const attempt = await rested(runner, attempt_id);

    expect(attempt.checks).toMatchObject([{ name: 'stubborn', status }]);
    expect((attempt.checks as { output: string }[])[0]?.output.length).toBeLessThanOrEqual(8_000);
    expect(tagged(tag)).toEqual([]);
    expect(runner.errors).toEqual([]);
  });

  it('[L-BUDGET] end with a run whose minutes are used up, which fails for its budget', async () => {
    const tag = aTag();
    await using runner = await aRunner({
      agent: ASIDE,
      checks: { SHO: [{ name: 'stubborn', command: stubborn(tag, `sleep ${tag}`) }] },
      budgets: { run: { minutes: 1 / 60 }, projects: {}, agents: {} },
    });
    const attempt_id = await runner.begin();
    await vi.waitFor(async () => expect(await runner.feed(attempt_id)).toContain('"up"'), WAIT);

    // Less than a lease.
    runner.time.now += 1_000;
    const attempt = await rested(runner, attempt_id);

    expect(attempt).toMatchObject({ state: 'failed', verdict: null, checks: [{ status: 'stopped' }] });
    expect((attempt.run as { reason: string }).reason).toContain('minutes a run');
    expect(runner.git('show', `${String(attempt.workspace_branch)}:b.txt`)).toBe('two');
    expect(tagged(tag)).toEqual([]);
  });

  it('[L-VERIFY] are left out for a run that failed', async () => {
    const checks = { SHO: [{ name: 'tests', command: sh('true') }] };
    await using runner = await aRunner({ agent: 'cat >/dev/null; exit 4', checks });

    expect(await rested(runner, await runner.begin())).toMatchObject({ state: 'failed', verdict: null, checks: [] });
  });

  it('[L-VERIFY] send red work back to its agent until it is green, at most as many times as the project says', async () => {
    // The agent adds a line in every run; the check wants three.
    const agent = 'cat > prompt.txt; echo line >> b.txt';
    const checks = { SHO: [{ name: 'tests', command: sh('wc -l < b.txt; test $(wc -l < b.txt) -ge 3') }] };
    await using runner = await aRunner({ agent, checks });
    await runner.ask('admin_update_project', { project_id: runner.project_id, retry_red: 2 });

    const attempt_id = await runner.begin();
    await vi.waitFor(async () => expect(await runner.attempt(attempt_id)).toMatchObject({ verdict: 'green' }), WAIT);

    const { executions } = await runner.ask('list_executions', {});
    expect((executions as { name: string }[]).map(({ name }) => name)).toEqual([
      'Checks failed',
      'Checks failed',
      'Fix it',
    ]);
    const prompt = runner.git('show', `${String((await runner.attempt(attempt_id)).workspace_branch)}:prompt.txt`);
    expect(prompt).toMatch(/^The checks of your work have failed\.[\s\S]*Check tests: exit code 1\n<output \w+>\n2\n/);
  });
});

describe.concurrent('verify_attempt', () => {
  it('[L-VERIFY] runs the checks alone, and leaves task and state as they were', async () => {
    const checks = { SHO: [{ name: 'tests', command: sh('cat log.txt') }] };
    await using runner = await aRunner({ agent: 'cat >/dev/null; echo run >> log.txt; exit 5', checks });
    const attempt_id = await runner.begin();
    await rested(runner, attempt_id);

    const { execution_id } = await runner.ask('verify_attempt', { attempt_id });
    const busy = await runner.refuse('verify_attempt', { attempt_id });
    const attempt = await rested(runner, attempt_id);

    expect(busy.code).toBe('run_in_progress');
    expect(attempt).toMatchObject({
      state: 'failed',
      run: { execution_id, status: 'completed', summary: '1 of 1 checks passed.' },
      verdict: 'green',
    });
    expect(await runner.ask('get_task', { task_id: runner.task_id })).toMatchObject({
      status: 'inprogress',
      attempt_state: 'failed',
      last_failure_line: 'exit code 5',
    });
    expect(runner.git('show', `${String(attempt.workspace_branch)}:log.txt`)).toBe('run');
    const { executors } = await runner.ask('list_executors', {});
    expect(JSON.stringify(executors)).not.toContain('"checks"');
  });

  it('[L-VERIFY] says so when no checks are configured, and refuses an attempt that is archived', async () => {
    await using runner = await aRunner({ agent: ASIDE });
    const attempt_id = await runner.begin();
    await rested(runner, attempt_id);

    await runner.ask('verify_attempt', { attempt_id });
    const attempt = await rested(runner, attempt_id);
    await runner.store.transaction(async (tx) => {
      const within = { workspace_id: runner.owner.workspace_id, project_ids: [runner.project_id] };
      const found = await tx.attempts.find(within, attempt_id as AttemptId);
      if (found !== null) await tx.attempts.update({ ...found, archived_at: tx.now });
    });

    expect(attempt).toMatchObject({
      verdict: null,
      run: { status: 'completed', summary: 'No checks are configured for this project.' },
    });
    expect((await runner.refuse('verify_attempt', { attempt_id })).code).toBe('conflict');
  });
});

describe.concurrent('a budget', () => {
  it('[L-BUDGET] ends an agent that goes on although it is told to stop, with its work committed', async () => {
    await using runner = await aRunner({
      agent:
        'cat >/dev/null; echo two > b.txt; trap "echo asked > asked.txt" TERM; echo begun; while :; do sleep 60 & wait; done',
      budgets: { run: { cost_usd: 1 }, projects: {}, agents: {} },
      checks: { SHO: [{ name: 'tests', command: sh('true') }] },
    });
    const attempt_id = await runner.begin();
    await vi.waitFor(async () => expect(await runner.feed(attempt_id)).toContain('begun'), WAIT);
    const { run } = (await runner.attempt(attempt_id)) as { run: { execution_id: string } };

    await runner.ask('update_execution', { execution_id: run.execution_id, usage: { cost_usd: 1.25 } });
    const attempt = await rested(runner, attempt_id);

    expect(attempt).toMatchObject({
      state: 'failed',
      verdict: null,
      checks: [],
      run: { status: 'failed', reason: 'budget_exceeded: 1.25 of 1 USD a run', usage: { cost_usd: 1.25 } },
    });
    expect(runner.git('show', `${String(attempt.workspace_branch)}:b.txt`)).toBe('two');
    // It was killed: an agent that is asked to end may spend on for as long as it is given.
    expect(runner.git('ls-tree', '--name-only', String(attempt.workspace_branch))).not.toContain('asked.txt');
  });
});
