import { describe, expect, it, vi } from 'vitest';
import type { AttemptRepo, ChangedFile } from '#domain/attempt';
import type { StepId } from '#domain/ids';
import type { ClaimedRun } from '#services/runs/queue';
import { aBoard, aWorker } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { aShippable } from '#testing/git-jobs';
import { createWorld } from '#testing/world';

/** Longer than the watcher takes to read a typed line. */
const PATIENCE = { timeout: 60_000 };

const OPTIONS = [
  { option: 'yes', name: 'Allow once', kind: 'allow_once' },
  { option: 'no', name: 'Reject', kind: 'reject_once' },
];

async function aRun(scene: Parameters<typeof createBoardTerminal>[1] = {}) {
  const world = await createWorld();
  const { start } = await aBoard(world);
  const worker = await aWorker(world);
  const attempt_id = (await start()).attempt_id as string;
  const run = await worker.take();
  const terminal = createBoardTerminal(world, scene);
  return { world, worker, run, attempt_id, ...terminal, watch: () => terminal.type('watch', attempt_id) };
}

const changed = ({ repos }: ClaimedRun, files: readonly ChangedFile[]): readonly AttemptRepo[] =>
  repos.map((repo) => ({ ...repo, base_commit: 'a1b2c3', files: JSON.stringify(files) }));

const aStep = (status: 'running' | 'completed', message: string | null = null) =>
  ({ type: 'step', step_id: 's1' as StepId, name: 'Build', source: 'agent', status, message }) as const;

/** The typed lines, one for each call of `take`. */
const typing = (...lines: (string | null)[]) => ({
  listen: () => ({ take: () => lines.shift() ?? null, close: () => {} }),
});

const ask = ({ worker, run }: Awaited<ReturnType<typeof aRun>>, kind: 'permission' | 'question') =>
  worker.log.ask(run, {
    kind,
    question: kind === 'permission' ? 'Run make?' : 'Which colour?',
    details: kind === 'permission' ? 'make all\nin build/' : null,
    options: JSON.stringify(kind === 'permission' ? OPTIONS : []),
  });

describe.concurrent('errand watch', () => {
  it('says where the keys of attempts are', async () => {
    const { type } = await aRun();

    const refused = type('watch', '01a1e2b9-8141-7000-8000-000000000000');

    await expect(refused).rejects.toMatchObject({
      error: {
        code: 'not_found',
        hint: 'Run errand task show with a task for the keys of its attempts. Run errand task list for the keys of tasks.',
      },
    });
  });

  it('shows how the agent ended, what it changed and what to do next', async () => {
    const { worker, run, watch } = await aRun();
    await worker.log.write(run, [
      { type: 'feed', kind: 'tool_call', text: 'Edit a.txt\nand b.png' },
      { type: 'usage', usage: { cost_usd: 0.25 } },
    ]);
    const files = changed(run, [
      { path: 'a\r.txt', change: 'modified', insertions: 2, deletions: 1 },
      { path: 'b.png', change: 'added', insertions: null, deletions: null },
    ]);
    await worker.finish(run, { status: 'completed', reason: null, summary: 'It works now.' }, files);

    const { code, out } = await watch();

    expect(code).toBe(0);
    expect(out).toContain('tool      Edit a.txt\n          and b.png\n');
    expect(out.slice(out.indexOf('\ncompleted'))).toBe(`
completed

It works now.

branch    ${run.attempt.branch}
changed   a.txt  +2 -1  modified
          b.png  not text  added
cost      0.25 USD

Follow up:      errand follow-up SHO-1.1 "what to do next"
Read the diff:  errand diff SHO-1.1
Merge it:       errand merge SHO-1.1
`);
  });

  it('offers no merge and no follow-up of an attempt that is merged', async () => {
    const world = await createWorld();
    const ship = await aShippable(world);
    const attempt_id = await ship.attempt();
    const terminal = createBoardTerminal(world);
    const merging = terminal.type('merge', 'SHO-1.1');
    await ship.merged(await ship.take());
    await merging;

    const { out } = await terminal.type('watch', attempt_id);

    expect(out).toContain('\ncompleted\n');
    expect(out).toContain('\nRead the diff:  errand diff SHO-1.1\n');
    expect(out).not.toMatch(/^(Merge it|Follow up):/m);
  });

  it.each([
    ['failed', 'failed'],
    ['killed', 'stopped'],
    ['interrupted', 'lost'],
  ] as const)('ends with 1 when the run was %s', async (status, word) => {
    const { worker, run, watch } = await aRun();
    await worker.finish(run, { status, reason: 'exit 9' }, []);

    const { code, out } = await watch();

    expect(code).toBe(1);
    expect(out).toContain(`\n${word.padEnd(10)}exit 9\n`);
  });

  it.each([
    ['completed', 'completed'],
    ['killed', 'stopped'],
  ] as const)('names no branch when a run that was %s changed nothing', async (status, word) => {
    const { worker, run, watch } = await aRun();
    const unchanged = run.repos.map((repo) => ({ ...repo, base_commit: 'a1b2c3', head_commit: 'a1b2c3' }));
    await worker.finish(run, { status, reason: null }, unchanged);

    const { out } = await watch();

    expect(out).toContain(`\n${word}\nchanged   nothing\n`);
    expect(out).not.toContain('branch');
  });

  it('shows events as they happen, and each step when it changes', async () => {
    const { worker, run, watch, soFar } = await aRun();

    const watching = watch();
    await worker.log.write(run, [aStep('running')]);
    await vi.waitFor(() => expect(soFar()).toContain('step      Build: running\n'), PATIENCE);
    await worker.log.write(run, [{ type: 'feed', kind: 'message', text: 'Nearly there.' }]);
    await vi.waitFor(() => expect(soFar()).toContain('message   Nearly there.\n'), PATIENCE);
    await worker.log.write(run, [aStep('completed', 'in 2 s')]);
    await worker.finish(run, { status: 'completed', reason: null }, []);

    const { out } = await watching;
    expect(out.match(/^step .*$/gm)).toEqual(['step      Build: running', 'step      Build: completed, in 2 s']);
  });

  it('continues with the queued follow-up', async () => {
    const { world, worker, run, attempt_id, watch, soFar } = await aRun();
    await world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'Now the tests.' });

    const watching = watch();
    await worker.finish(run, { status: 'failed', reason: 'exit 1' }, []);
    const next = await worker.take();
    await worker.log.write(next, [{ type: 'feed', kind: 'message', text: 'Tests pass.' }]);
    await vi.waitFor(() => expect(soFar()).toContain('Tests pass.'), PATIENCE);
    await worker.finish(next, { status: 'completed', reason: null }, []);

    expect((await watching).code).toBe(0);
  });

  it('points to another attempt where the run failed before its branch was made', async () => {
    const { worker, run, watch } = await aRun();
    await worker.finish(run, { status: 'failed', reason: 'There is no branch "mian".' }, run.repos);

    const { out } = await watch();

    expect(out.slice(out.indexOf('\nfailed'))).toBe(
      `\nfailed    There is no branch "mian".\n\nStart another:  errand run SHO-1\n`,
    );
  });

  it('begins with the latest run, and says how much of it is left out', async () => {
    const { world, worker, run, attempt_id, type } = await aRun();
    await worker.log.write(run, [{ type: 'feed', kind: 'message', text: 'Of old.' }]);
    await worker.finish(run, { status: 'completed', reason: null }, []);
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Go on.' });
    const next = await worker.take();
    await worker.log.write(next, [{ type: 'feed', kind: 'message', text: 'The first.' }]);
    await worker.log.write(
      next,
      Array.from({ length: 200 }, (_, i) => ({ type: 'feed', kind: 'message', text: `No. ${i}` }) as const),
    );
    await worker.finish(next, { status: 'completed', reason: null }, []);

    const { out } = await type('watch', attempt_id);

    expect(out).not.toContain('Of old.');
    expect(out).toMatch(/^… {9}\d+ earlier entries\nmessage {3}No\. /);
  });

  it('shows nothing of the run before it where the latest one has not begun', async () => {
    const { world, worker, run, attempt_id, type } = await aRun({ interrupted: () => Promise.resolve() });
    await worker.log.write(run, [{ type: 'feed', kind: 'message', text: 'Of old.' }]);
    await worker.finish(run, { status: 'completed', reason: null }, []);
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Go on.' });

    expect((await type('watch', attempt_id)).out).toBe('');
  });

  it('shows the queued follow-ups', async () => {
    const { world, attempt_id, type } = await aRun({ interrupted: () => Promise.resolve() });
    await world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'Now the\ntests.' });

    expect((await type('watch', attempt_id)).out).toContain('waits     00000000  Now the tests.\n');
  });

  it('leaves the agent running when the watching is ended', async () => {
    const { world, attempt_id, watch } = await aRun({ interrupted: () => Promise.resolve() });

    const { code, remarks } = await watch();

    expect({ code, remarks }).toEqual({
      code: 1,
      remarks: `The agent goes on. Watch it again: errand watch ${attempt_id}. Stop it: errand stop ${attempt_id}\n`,
    });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ run: { status: 'running' } });
  });

  it('says so when no worker can start the run', async () => {
    const world = await createWorld();
    const { start } = await aBoard(world);
    const worker = await aWorker(world);
    const { attempt_id } = await start();
    await worker.leave('worker-1');

    const { remarks } = await createBoardTerminal(world, { interrupted: () => Promise.resolve() }).type(
      'watch',
      `${attempt_id}`,
    );

    expect(remarks).toContain('Nothing runs attempts here: start errand serve or errand worker.\n');
  });

  it('answers scripts in lines of JSON, the attempt last', async () => {
    const { worker, run, attempt_id, type } = await aRun();
    await worker.finish(run, { status: 'completed', reason: null }, []);

    const { out } = await type('watch', attempt_id, '--json');

    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ run_status: 'completed' });
    expect(lines.at(-1)).toMatchObject({ attempt_id, run: { status: 'completed' } });
  });
});

describe.concurrent('a question of the agent', () => {
  it('is shown once with the commands that answer it', async () => {
    const place = await aRun();
    await ask(place, 'permission');

    const watching = place.watch();
    await vi.waitFor(() => expect(place.soFar()).toContain('asks'), PATIENCE);
    await place.worker.log.write(place.run, [{ type: 'feed', kind: 'status', text: 'waiting' }]);
    await vi.waitFor(() => expect(place.soFar()).toContain('waiting'), PATIENCE);
    await place.worker.finish(place.run, { status: 'completed', reason: null }, []);

    const { out } = await watching;
    expect(out.split('asks')).toHaveLength(2);
    expect(out).toContain(`asks      Run make?
          make all
          in build/
          1  Allow once: errand answer SHO-1.1 yes
          2  Reject: errand answer SHO-1.1 no
`);
  });

  it('is shown with commands that are safe to copy, whatever the agent calls its options', async () => {
    const place = await aRun();
    const options = ["it's; rm -rf ~", '$(reboot)', '--approve'];
    await place.worker.log.ask(place.run, {
      ...{ kind: 'permission', question: 'Go on?', details: null },
      options: JSON.stringify(options.map((option) => ({ option, name: 'No', kind: 'reject_once' }))),
    });

    const watching = place.watch();
    await vi.waitFor(() => expect(place.soFar()).toContain('asks'), PATIENCE);
    await place.worker.finish(place.run, { status: 'completed', reason: null }, []);

    const { out } = await watching;
    expect(out).toContain(`errand answer SHO-1.1 'it'\\''s; rm -rf ~'\n`);
    expect(out).toContain(`errand answer SHO-1.1 '$(reboot)'\n`);
    expect(out).toContain(`errand answer SHO-1.1 -- --approve\n`);
  });

  it.each([
    ['permission', '2', { status: 'denied', option: 'no' }],
    ['question', 'green', { status: 'approved', answer: 'green' }],
  ] as const)('of kind %s is answered by typing %j under it', async (kind, typed, answer) => {
    const place = await aRun(typing('typed too early', typed));

    const watching = place.watch();
    await vi.waitFor(() => expect(place.soFar()).toContain('running'), PATIENCE);
    await ask(place, kind);
    const [approval] = await vi.waitFor(async () => {
      const answered = await place.worker.log.answered(place.run);
      expect(answered).toHaveLength(1);
      return answered;
    }, PATIENCE);
    await place.worker.finish(place.run, { status: 'completed', reason: null }, []);

    await watching;
    expect(approval).toMatchObject(answer);
  });

  it('is asked again when the typed line answers nothing', async () => {
    const place = await aRun(typing('7', '1'));
    await ask(place, 'permission');

    const watching = place.watch();
    await vi.waitFor(async () => expect(await place.worker.log.answered(place.run)).toHaveLength(1), PATIENCE);
    await place.worker.finish(place.run, { status: 'completed', reason: null }, []);

    expect((await watching).out.split('Type a number here:')).toHaveLength(3);
  });
});
