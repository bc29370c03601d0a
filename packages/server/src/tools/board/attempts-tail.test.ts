import { describe, expect, it, vi } from 'vitest';
import type { StepId } from '#domain/ids';
import { aBoard, aWorker } from '#testing/attempts';
import { createWorld, type World } from '#testing/world';

async function aRun(world: World) {
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const { attempt_id, execution_id } = await board.start();
  const run = await worker.take();
  const say = (...texts: readonly string[]): Promise<void> =>
    worker.log.write(
      run,
      texts.map((text) => ({ type: 'feed', kind: 'message', text }) as const),
    );
  const step = (n: number, status: 'running' | 'completed'): Promise<void> =>
    worker.log.write(run, [
      {
        type: 'step',
        step_id: `20000000-0000-7000-8000-${String(n).padStart(12, '0')}` as StepId,
        name: `Step ${n}`,
        status,
        message: null,
        source: 'agent',
      },
    ]);
  const tail = (fields: Record<string, unknown> = {}) => world.ask('tail_attempt', { attempt_id, ...fields });
  return { worker, run, attempt_id, execution_id, say, step, tail };
}

const textsOf = ({ entries }: Record<string, unknown>): readonly string[] =>
  (entries as { text: string }[]).map(({ text }) => text);

describe('tail_attempt', () => {
  it('begins with the latest entries, and continues with later ones', async () => {
    await using world = await createWorld();
    const { say, tail, execution_id } = await aRun(world);
    await say('one', 'two', 'three');

    const first = await tail({ limit: 2 });
    await say('four');
    const second = await tail({ after: first.after });
    const third = await tail({ after: second.after });

    expect(textsOf(first)).toEqual(['two', 'three']);
    expect(first).toMatchObject({ run_status: 'running', execution_id, steps: [], pending_approvals: 0 });
    expect(second).toMatchObject({ entries: [{ execution_id, kind: 'message', text: 'four' }], has_more: false });
    expect(third).toEqual({
      entries: [],
      has_more: false,
      run_status: 'running',
      execution_id,
      pending_approvals: 0,
      after: second.after,
    });
  });

  it('refuses the cursor of another attempt', async () => {
    await using world = await createWorld();
    const board = await aBoard(world);
    await aWorker(world);
    const [first, second] = [await board.start(), await board.start()];

    const { after } = await world.ask('tail_attempt', { attempt_id: first.attempt_id });
    const refused = await world.refuse('tail_attempt', { attempt_id: second.attempt_id, after });

    expect(refused).toMatchObject({ code: 'validation_error', details: { fields: [{ field: 'after' }] } });
  });

  it('says whether there is more than was asked for', async () => {
    await using world = await createWorld();
    const { say, tail } = await aRun(world);
    const { after } = await tail();
    await say('one', 'two', 'three');

    const part = await tail({ after, limit: 2 });
    const rest = await tail({ after: part.after, limit: 1 });

    expect([textsOf(part), part.has_more]).toEqual([['one', 'two'], true]);
    expect([textsOf(rest), rest.has_more]).toEqual([['three'], false]);
  });

  it('returns everything once, in short answers, over several runs', async () => {
    await using world = await createWorld();
    const { say, tail, worker, run, attempt_id } = await aRun(world);
    const start = (await tail()).after;
    const said = Array.from({ length: 60 }, (_, n) => `${n} ${'x'.repeat(n * 20)}`);
    await say(...said.slice(0, 40));
    await worker.finish(run, { status: 'completed', reason: null }, []);
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Go on.' });
    const next = await worker.take();
    await worker.log.write(
      next,
      said.slice(40).map((text) => ({ type: 'feed', kind: 'message', text }) as const),
    );

    const seen: string[] = [];
    for (let after = start, more = true; more; ) {
      const part = await tail({ after });
      expect(JSON.stringify(part).length).toBeLessThan(4_000);
      seen.push(
        ...(part.entries as { kind: string; text: string }[])
          .filter(({ kind }) => kind === 'message')
          .map(({ text }) => text),
      );
      ({ after, has_more: more } = part as { after: string; has_more: boolean });
    }

    expect(seen.map((text) => text.split(' ')[0])).toEqual(said.map((text) => text.split(' ')[0]));
  });

  it('is short at first too, however long the text', async () => {
    await using world = await createWorld();
    const { say, step, tail } = await aRun(world);
    await say(...Array.from({ length: 80 }, () => '"'.repeat(3_000)));
    for (let n = 1; n <= 30; n++) await step(n, 'running');

    const first = await tail();

    expect(JSON.stringify(first).length).toBeLessThan(4_000);
    expect((first.steps as { name: string }[]).at(-1)?.name).toBe('Step 30');
    expect(await tail({ after: first.after })).toMatchObject({ entries: [], has_more: false });
  });

  it('returns the steps when one of them has changed', async () => {
    await using world = await createWorld();
    const { step, tail } = await aRun(world);
    await step(1, 'running');
    const first = await tail();

    const same = await tail({ after: first.after });
    await step(1, 'completed');
    const changed = await tail({ after: first.after });

    expect(first.steps).toMatchObject([{ name: 'Step 1', status: 'running' }]);
    expect(same).not.toHaveProperty('steps');
    expect(changed.steps).toMatchObject([{ name: 'Step 1', status: 'completed' }]);
  });

  it.each([
    ['something is said', ({ say }: Awaited<ReturnType<typeof aRun>>) => say('news'), { entries: [{ text: 'news' }] }],
    [
      'a step begins',
      ({ step }: Awaited<ReturnType<typeof aRun>>) => step(1, 'running'),
      { steps: [{ name: 'Step 1' }] },
    ],
    [
      'the agent asks',
      ({ worker, run }: Awaited<ReturnType<typeof aRun>>) =>
        worker.log.ask(run, { kind: 'question', question: 'Which?', details: null, options: '[]' }),
      { pending_approvals: 1 },
    ],
    [
      'the run ends',
      ({ worker, run }: Awaited<ReturnType<typeof aRun>>) =>
        worker.finish(run, { status: 'completed', reason: null }, []),
      { run_status: 'completed' },
    ],
  ])('waits until %s', async (_, happen, answer) => {
    await using world = await createWorld();
    const board = await aRun(world);
    const { after } = await board.tail();

    let isAnswered = false;
    const waiting = board.tail({ after, wait_ms: 30_000 }).finally(() => {
      isAnswered = true;
    });
    await vi.waitFor(() => expect(world.waiting()).toBe(1), { timeout: 60_000 });
    const wasAnswered = isAnswered;
    await happen(board);

    expect(wasAnswered).toBe(false);
    expect(await waiting).toMatchObject(answer);
  });

  it('does not wait when something has changed between two calls', async () => {
    await using world = await createWorld();
    const { tail, worker, run } = await aRun(world);
    const question = { kind: 'question', question: 'Which?', details: null, options: '[]' } as const;
    const approval_id = await worker.log.ask(run, question);
    const { after } = await tail();
    await world.ask('respond_approval', { approval_id, answer: 'That one.' });

    const next = await tail({ after, wait_ms: 30_000 });

    expect(next).toMatchObject({ entries: [], pending_approvals: 0 });
  });

  it('returns nothing when the time is over', async () => {
    await using world = await createWorld();
    const { tail } = await aRun(world);
    const { after } = await tail();

    expect(await tail({ after, wait_ms: 300 })).toMatchObject({ entries: [], after });
  });

  it('refuses a forged cursor', async () => {
    await using world = await createWorld();
    const { attempt_id } = await aRun(world);

    const refused = await world.refuse('tail_attempt', { attempt_id, after: "x' or 1=1" });

    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('after') });
  });

  it('shows an agent within an attempt nothing of another', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    const worker = await aWorker(world);
    const own = await start();
    const other = await start();
    const run = await worker.take();
    const agent = await world.gateway.authenticate(run.secret);
    const unknown = '10000000-0000-7000-8000-000000000001';

    for (const tool of ['tail_attempt', 'get_attempt']) {
      const foreign = await world.refuse(tool, { attempt_id: other.attempt_id }, agent);
      const none = await world.refuse(tool, { attempt_id: unknown }, agent);

      expect(await world.ask(tool, { attempt_id: own.attempt_id }, agent)).toBeDefined();
      expect(foreign.code).toBe('not_found');
      expect({
        ...foreign,
        correlation_id: '',
        message: foreign.message.replace(String(other.attempt_id), unknown),
      }).toEqual({
        ...none,
        correlation_id: '',
      });
    }
  });
});
