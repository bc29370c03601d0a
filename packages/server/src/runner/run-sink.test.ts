import { describe, expect, it, vi } from 'vitest';
import type { RunId } from '#domain/ids';
import { createUuidV7 } from '#store/uuid-v7';
import { aBoard, aWorker } from '#testing/attempts';
import { createWorld } from '#testing/world';
import type { ReportedStep } from './executor.ts';
import { createRunSink } from './run-sink.ts';

const SECRET = 'errand_attempt_secret';

async function open() {
  const world = await createWorld();
  const board = await aBoard(world);
  const worker = await aWorker(world);
  await board.start();
  const hold = await worker.take();
  const writes: number[] = [];
  const errors: unknown[] = [];
  let lost = 0;
  const log: typeof worker.log = {
    ...worker.log,
    write: (held, happenings) => {
      writes.push(happenings.length);
      return worker.log.write(held, happenings);
    },
  };
  const report = (error: unknown): void => void errors.push(error);
  const sink = createRunSink({
    hold,
    secret: SECRET,
    log,
    ids: createUuidV7(Date.now),
    lost: () => (lost += 1),
    report,
  });
  const execution_id: RunId = hold.execution_id;
  const answerOf = (list: string) => world.ask(list, { execution_id, ...(list.startsWith('list') && { limit: 200 }) });
  return {
    world,
    worker,
    hold,
    sink,
    writes,
    errors,
    answerOf,
    lost: () => lost,
    [Symbol.asyncDispose]: world.store.close,
  };
}

const step = (fields: Partial<ReportedStep> = {}): ReportedStep => ({
  name: 'Build',
  status: 'running',
  message: null,
  source: 'tool',
  ...fields,
});

describe('the events of a run', () => {
  it('are written in order and in groups', async () => {
    await using site = await open();

    for (let i = 1; i <= 50; i += 1) site.sink.feed('output', `line ${i}`);
    await site.sink.close();

    const { entries } = (await site.answerOf('list_feed')) as { entries: { text: string }[] };
    expect(entries.slice(1).map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, i) => `line ${i + 1}`));
    expect(site.writes).toEqual([50]);
  });

  it('report costs without the digits of binary fractions', async () => {
    await using site = await open();

    site.sink.usage({ input_tokens: 1, cost_usd: 0.00018 + 0.0001 });
    await site.sink.close();

    expect(0.00018 + 0.0001).not.toBe(0.00028);
    expect(await site.answerOf('get_execution')).toMatchObject({ usage: { cost_usd: 0.00028 } });
  });

  it('change a step any number of times, and only the last pending change is written', async () => {
    await using site = await open();

    for (let i = 1; i <= 10_000; i += 1) site.sink.step('one', step({ name: `title ${i}` }));
    site.sink.step('one', step({ name: 'at last', status: 'completed' }));
    await site.sink.close();

    expect(site.writes).toEqual([1]);
    expect(await site.answerOf('list_steps')).toMatchObject({ steps: [{ step_name: 'at last', status: 'completed' }] });
  });

  it('are limited: an agent that prints without end is left out after a while', async () => {
    await using site = await open();

    for (let i = 1; i <= 2_100; i += 1) site.sink.feed('output', 'x'.repeat(4_000));
    await site.sink.close();

    expect(site.writes.reduce((sum, count) => sum + count, 0)).toBe(2_001);
  });

  it('contain neither its token nor terminal control characters', async () => {
    await using site = await open();

    site.sink.feed('output', `\u001b[31m${SECRET}\u0000`);
    site.sink.step('one', step({ name: SECRET, message: `a ${SECRET}` }));
    site.sink.session(`\u0007${SECRET}`);
    await site.sink.close();

    const all = JSON.stringify([
      await site.answerOf('list_feed'),
      await site.answerOf('list_steps'),
      await site.answerOf('get_execution'),
    ]);
    expect(all).not.toMatch(/errand_attempt_secret|\\u001b|\\u0000|\\u0007/);
    expect(all).toContain('[token]');
  });

  it('contain no step of their own where the agent reported one through our tools', async () => {
    await using site = await open();

    for (const name of ['errand_create_step', 'mcp__errand__update_step', 'errand/get_context', 'recreate_steps']) {
      site.sink.step(name, step({ name }));
    }
    await site.sink.close();

    expect(await site.answerOf('list_steps')).toMatchObject({ steps: [{ step_name: 'recreate_steps' }] });
  });

  it('are dropped when another worker holds the run, and that is reported once', async () => {
    await using site = await open();
    await site.worker.finish(site.hold, { status: 'completed', reason: null }, []);

    site.sink.feed('output', 'late');
    await vi.waitFor(() => expect(site.lost()).toBe(1), { timeout: 60_000 });
    site.sink.feed('output', 'later');
    await site.sink.close();

    expect(site.lost()).toBe(1);
    expect(site.errors).toEqual([]);
  });
});

describe('a question of a run', () => {
  const QUESTION = { kind: 'question', question: 'Which?', details: null, options: [] } as const;

  it('gets the answer of the person', async () => {
    await using site = await open();
    const asking = site.sink.ask(QUESTION);
    const approval = await vi.waitFor(async () => {
      const [found] = await site.world.store.reads.approvals.pending(site.hold.attempt);
      return found ?? expect.unreachable('nothing is asked yet');
    });
    await site.world.ask('respond_approval', { approval_id: approval.id, answer: 'This one.' });

    await site.sink.lookForAnswers();

    expect(await asking).toEqual({ option: null, answer: 'This one.' });
  });

  it('gets no answer when the run ends', async () => {
    await using site = await open();
    const asking = site.sink.ask(QUESTION);

    await site.sink.close();

    expect(await asking).toBeNull();
    expect(await site.sink.ask(QUESTION)).toBeNull();
  });
});
