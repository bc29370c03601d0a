import { describe, expect, it, vi } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createTypist } from '#testing/desk';
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
  return { world, worker, run, attempt_id, end, ...createTypist(world) };
}

describe('errand answer', () => {
  it.each([
    [['yes'], { status: 'approved', option: 'yes' }],
    [['--approve'], { status: 'approved', option: 'yes' }],
    [['--deny'], { status: 'denied', option: 'no' }],
  ])('takes %j', async (words, answer) => {
    const { worker, run, type } = await aRun();
    const asked = { kind: 'permission', question: 'Run make?', details: null, options: OPTIONS } as const;
    const approval_id = await worker.log.ask(run, asked);

    const { code, out } = await type('answer', approval_id, ...words);

    expect({ code, out }).toEqual({ code: 0, out: `The agent is told: ${answer.status}.\n` });
    expect(await worker.log.answered(run)).toMatchObject([answer]);
  });

  it('takes words where they are asked for', async () => {
    const { worker, run, type } = await aRun();
    const asked = { kind: 'question', question: 'Which colour?', details: null, options: '[]' } as const;
    const approval_id = await worker.log.ask(run, asked);

    await type('answer', approval_id, '--text', '-green');

    expect(await worker.log.answered(run)).toMatchObject([{ answer: '-green' }]);
  });

  it.each([[[]], [['yes', '--deny']], [['--approve', '--deny']]])('refuses %j as an answer', async (words) => {
    const { type } = await aRun();

    await expect(type('answer', 'a1', ...words)).rejects.toThrow('Give one answer');
  });
});

describe('errand follow-up', () => {
  it('has the agent go on', async () => {
    const { worker, attempt_id, end, type } = await aRun();
    await end();

    const { out } = await type('follow-up', attempt_id, 'Now the tests.');

    expect(out).toBe(`The agent goes on. Watch it: errand watch ${attempt_id}\n`);
    expect((await worker.take()).run).toMatchObject({ prompt: 'Now the tests.' });
  });

  it('is refused while the agent is at work, with the way out', async () => {
    const { attempt_id, type } = await aRun();

    await expect(type('follow-up', attempt_id, 'Now the tests.')).rejects.toMatchObject({
      error: { code: 'run_in_progress', hint: expect.stringMatching(/--queue .*errand stop/) },
    });
  });

  it('shows only what comes after it, where it is told to wait', async () => {
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

  it('waits its turn, and is taken back', async () => {
    const { attempt_id, type } = await aRun();
    await type('follow-up', attempt_id, 'First.', '--queue');

    const second = await type('follow-up', attempt_id, 'Second.', '--queue');
    const back = await type('follow-up', attempt_id, '--cancel');
    const again = await type('follow-up', attempt_id, '--cancel');

    expect(second.out).toBe(`It waits as number 2. Watch it: errand watch ${attempt_id}\n`);
    expect([back.out, again.out]).toEqual(['Taken back: 2.\n', 'Nothing was waiting.\n']);
  });

  it.each([[[]], [['text', '--cancel']], [['--cancel', '--queue']]])('refuses %j', async (words) => {
    const { attempt_id, type } = await aRun();

    await expect(type('follow-up', attempt_id, ...words)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('errand stop', () => {
  it('ends the run and what would follow', async () => {
    const { worker, run, attempt_id, end, type } = await aRun();
    await type('follow-up', attempt_id, 'Later.', '--queue');

    const { out } = await type('stop', attempt_id);

    expect(out).toBe('The agent is being stopped. Follow-ups taken back: 1.\n');
    expect(await worker.toStop('worker-1')).toEqual([run.execution_id]);
    await end();
    expect((await type('stop', attempt_id)).out).toBe('No agent was at work.\n');
  });
});
