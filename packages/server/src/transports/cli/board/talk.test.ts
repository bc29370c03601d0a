import { describe, expect, it, vi } from 'vitest';
import { waitingMessages } from '#services/board/messages';
import { aBoard, aWorker } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld } from '#testing/world';

const OPTIONS = JSON.stringify([
  { option: 'always', name: 'Always', kind: 'allow_always' },
  { option: 'yes', name: 'Once', kind: 'allow_once' },
  { option: 'no', name: 'No', kind: 'reject_once' },
]);

async function aRun() {
  const world = await createWorld();
  const { start } = await aBoard(world);
  const worker = await aWorker(world);
  const attempt_id = (await start()).attempt_id as string;
  const run = await worker.take();
  const end = () => worker.finish(run, { status: 'completed', reason: null }, []);
  return { world, worker, run, attempt_id, end, ...createBoardTerminal(world) };
}

describe('errand answer', () => {
  it.each([
    [['yes'], 'yes', { status: 'approved', option: 'yes' }],
    [['--approve'], 'approved', { status: 'approved', option: 'yes' }],
    [['--deny'], 'denied', { status: 'denied', option: 'no' }],
  ])('takes %j', async (words, sent, answer) => {
    const { worker, run, type } = await aRun();
    const asked = { kind: 'permission', question: 'Run make?', details: null, options: OPTIONS } as const;
    const approval_id = await worker.log.ask(run, asked);

    const { code, out } = await type('answer', approval_id, ...words);

    expect({ code, out }).toEqual({ code: 0, out: `Sent to the agent: ${sent}.\n` });
    expect(await worker.log.answered(run)).toMatchObject([answer]);
  });

  it('accepts free text where it is asked for', async () => {
    const { worker, run, type } = await aRun();
    const asked = { kind: 'question', question: 'Which colour?', details: null, options: '[]' } as const;
    const approval_id = await worker.log.ask(run, asked);

    await type('answer', approval_id, '--text', '-green');

    expect(await worker.log.answered(run)).toMatchObject([{ answer: '-green' }]);
  });

  it.each([
    ['permission', ['maybe'], 'OPTION is none of the options', 'Give one of: always (Always), yes (Once), no (No).'],
    ['permission', ['--text', 'yes'], '--text is not what', 'Give --approve, --deny, or one of its options: always'],
    ['question', ['maybe'], 'OPTION is none of the options', 'It has none: give --text.'],
    ['question', ['--approve'], '--approve does not answer', 'Give --text, or one of its options.'],
  ] as const)('is refused in its own words: a %s, %j', async (kind, words, message, hint) => {
    const { worker, run, type } = await aRun();
    const options = kind === 'permission' ? OPTIONS : '[]';
    const approval_id = await worker.log.ask(run, { kind, question: 'Really?', details: null, options });

    await expect(type('answer', approval_id, ...words)).rejects.toMatchObject({
      error: { message: expect.stringContaining(message), hint: expect.stringContaining(hint) },
    });
  });

  it('[L-STEER] lists the answers when none is given', async () => {
    const { worker, run, attempt_id, type } = await aRun();
    await worker.log.ask(run, { kind: 'permission', question: 'Run make?', details: null, options: OPTIONS });

    await expect(type('answer', attempt_id)).rejects.toMatchObject({
      hint: expect.stringMatching(/^asks {6}Run make\?\n +1 {2}Always: errand answer SHO-1\.1 always\n/),
    });
  });

  it.each([[[]], [['yes', '--deny']], [['--approve', '--deny']]])('refuses %j as an answer', async (words) => {
    const { type } = await aRun();

    await expect(type('answer', 'a1', ...words)).rejects.toThrow('Give one answer');
  });
});

describe('errand follow-up', () => {
  it('starts the agent again with the message', async () => {
    const { worker, attempt_id, end, type } = await aRun();
    await end();

    const { out } = await type('follow-up', attempt_id, 'Now the tests.');

    expect(out).toBe(`The agent goes on. Watch it: errand watch ${attempt_id}\n`);
    expect((await worker.take()).entry).toMatchObject({ prompt: 'Now the tests.' });
  });

  it('is refused while the agent works, with the alternative', async () => {
    const { attempt_id, type } = await aRun();

    await expect(type('follow-up', attempt_id, 'Now the tests.')).rejects.toMatchObject({
      error: { code: 'run_in_progress', hint: expect.stringMatching(/--queue .*errand stop/) },
    });
  });

  it('shows only what comes after it, with --wait', async () => {
    const { worker, run, attempt_id, end, type } = await aRun();
    await worker.log.write(run, [{ type: 'feed', kind: 'message', text: 'Before.' }]);
    await end();

    const waiting = type('follow-up', attempt_id, 'Now the tests.', '--wait');
    const next = await vi.waitFor(() => worker.take());
    await worker.log.write(next, [{ type: 'feed', kind: 'message', text: 'After.' }]);
    await worker.finish(next, { status: 'completed', reason: null }, []);

    const { code, out } = await waiting;
    expect(code).toBe(0);
    expect(out).toContain('message   After.\n');
    expect(out).not.toContain('Before.');
  });

  it('is queued, and can be cancelled', async () => {
    const { attempt_id, type, json } = await aRun();
    const first = await json('follow-up', attempt_id, 'First.', '--queue');

    const second = await type('follow-up', attempt_id, 'Second.', '--queue');
    const back = await type('follow-up', attempt_id, '--cancel');
    const again = await type('follow-up', attempt_id, '--cancel');

    const [, one, two] = /^waits {5}(\S+) {2}First\.\nwaits {5}(\S+) {2}Second\.\n/.exec(second.out) ?? [];
    expect(`${first.queued_id}`.startsWith(`${one}`)).toBe(true);
    expect(second.out.split('\n').slice(2)).toEqual([
      '',
      `Watch the agent:  errand watch ${attempt_id}`,
      `Take this back:   errand follow-up ${attempt_id} --cancel ${two}`,
      '',
    ]);
    expect([back.out, again.out]).toEqual(['Taken back: 2.\n', 'Nothing was waiting.\n']);
  });

  it('is cancelled alone by its id, and the rest of the queue is shown', async () => {
    const { attempt_id, type, json } = await aRun();
    const { queued_id: first } = await json('follow-up', attempt_id, 'First.', '--queue');
    const { queued_id: second } = await json('follow-up', attempt_id, 'Second.', '--queue');

    const back = await type('follow-up', attempt_id, '--cancel', `${first}`);
    const again = await type('follow-up', attempt_id, '--cancel', `${first}`);

    expect(back.out).toBe(`Taken back: 1.\nwaits     ${`${second}`.slice(0, 8)}  Second.\n`);
    expect(again.out).toContain('It does not wait any more');
    await expect(type('follow-up', attempt_id, '--cancel', 'nothing')).rejects.toMatchObject({
      error: { code: 'not_found', message: 'No follow-up nothing in this session.' },
    });
  });

  it.each([[[]], [['text', '--cancel']], [['--cancel', '--queue']]])('refuses %j', async (words) => {
    const { attempt_id, type } = await aRun();

    await expect(type('follow-up', attempt_id, ...words)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('errand tell', () => {
  it('queues words for an agent at work, and starts one that has ended', async () => {
    const { worker, attempt_id, end, type } = await aRun();

    const queued = await type('tell', 'SHO-1', 'Use the old colours.');
    await end();
    await worker.finish(await worker.take(), { status: 'completed', reason: null }, []);
    const started = await type('tell', attempt_id, 'And the new fonts.');

    expect(queued.out).toBe('queued: the agent reads it with its next tool call, or when it goes on.\n');
    expect(started.out).toBe(`The agent goes on with it. Watch it: errand watch ${attempt_id}\n`);
    expect((await worker.take()).entry.prompt).toContain('And the new fonts.');
  });
});

describe('errand tell --interrupt', () => {
  it('sends words that do not wait for the end of the turn', async () => {
    const { world, run, attempt_id, type } = await aRun();

    const { out } = await type('tell', attempt_id, 'Stop that.', '--interrupt');

    expect(out).toBe('queued: the agent stops what it does and goes on with it.\n');
    expect(await waitingMessages(world.store.reads, run.attempt)).toMatchObject([
      { text: 'Stop that.', interrupt: true },
    ]);
  });
});

describe('errand stop', () => {
  it('ends the run and the queued follow-ups', async () => {
    const { worker, run, attempt_id, end, type } = await aRun();
    await type('follow-up', attempt_id, 'Later.', '--queue');

    const { out } = await type('stop', attempt_id);

    expect(out).toBe('The agent is being stopped. Follow-ups taken back: 1.\n');
    expect(await worker.toStop('worker-1')).toEqual([{ execution_id: run.execution_id, why: 'stopped' }]);
    await end();
    expect((await type('stop', attempt_id)).out).toBe('No agent was at work.\n');
  });
});
