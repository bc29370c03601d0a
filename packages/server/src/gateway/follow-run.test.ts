import { describe, expect, it } from 'vitest';
import { ErrandError } from '#errors';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createTracker } from '#testing/tracker';
import { createWorld, type World } from '#testing/world';
import { createFollow, type FollowedCall, type RunNews } from './follow-run.ts';

const toolOf = ({ gateway }: World, name: string) => {
  const tool = gateway.find(name, 'board');
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
};

const callOf = (world: World, name: string, answer: unknown): FollowedCall => ({
  tool: toolOf(world, name),
  json: JSON.stringify(answer),
  transport: 'rest',
  who: async () => world.owner,
});

/** The states of a run, collected until its end, at most `most`. */
async function collect(news: AsyncIterable<RunNews>, most = Number.POSITIVE_INFINITY): Promise<readonly RunNews[]> {
  const all: RunNews[] = [];
  for await (const one of news) {
    all.push(one);
    if (all.length >= most) break;
  }
  return all;
}

const { signal: never } = new AbortController();

describe.concurrent('following a run', () => {
  it('reports nothing for a call that started no run', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    await aWorker(world);
    const { attempt_id, session_id } = await start();

    const cancelled = callOf(world, 'follow_up', { attempt_id, session_id, cancelled: 0, queue: [] });
    const read = callOf(world, 'get_task', { task_id });

    expect(await collect(world.gateway.follow(cancelled, never))).toEqual([]);
    expect(await collect(world.gateway.follow(read, never))).toEqual([]);
  });

  it('ends with the error of an unknown thing when it is out of reach', async () => {
    await using world = await createWorld();
    const board = await aBoard(world);
    await aWorker(world);
    const { agent } = createTracker(world);
    const outsider = await agent({ projects: [await createTracker(world).project('Other')], scopes: ['board:run'] });
    const started = await board.start();
    const call = { ...callOf(world, 'start_task_attempt', started), who: async () => outsider };

    const [news, ...more] = await collect(world.gateway.follow(call, never));

    expect(news?.end).toMatchObject({ failed: true, outcome: { ok: false, error: { code: 'not_found' } } });
    expect(more).toEqual([]);
  });

  it('continues after the database was away', async () => {
    await using world = await createWorld();
    const board = await aBoard(world);
    const worker = await aWorker(world);
    const started = await board.start();
    await worker.finish(await worker.take(), { status: 'completed', reason: null }, []);
    const { reads, watch } = world.store;
    let looks = 0;
    const seen: typeof reads.runs.seen = (...asked) => {
      looks++;
      if (looks === 1) throw new ErrandError('database_error', 'away');
      return reads.runs.seen(...asked);
    };
    const { follow } = createFollow({
      ...world.gateway,
      randomId: () => 'id',
      reads: { ...reads, runs: { ...reads.runs, seen } },
      watch,
    });

    const news = await collect(follow(callOf(world, 'start_task_attempt', started), never));

    expect(looks).toBe(2);
    expect(news).toMatchObject([{ end: { failed: false, outcome: { ok: true } } }]);
  });

  it('stops with the signal, and gets no events after it', async () => {
    await using world = await createWorld();
    const board = await aBoard(world);
    await aWorker(world);
    const call = callOf(world, 'start_task_attempt', await board.start());
    const over = new AbortController();

    const following = collect(world.gateway.follow(call, over.signal));
    over.abort(new Error('enough'));

    await expect(following).rejects.toThrow();
  });

  it('keeps the result of a run within an answer that every client shows whole', async () => {
    await using world = await createWorld();
    const board = await aBoard(world);
    const worker = await aWorker(world);
    const started = await board.start();
    const run = await worker.take();
    const files = Array.from({ length: 200 }, (_, i) => ({
      path: `src/a/rather/long/path/to/file-${i}.ts`,
      change: 'modified',
      insertions: 1,
      deletions: 1,
    }));
    const repos = run.repos.map((repo) => ({ ...repo, files: JSON.stringify(files) }));
    await worker.finish(run, { status: 'completed', reason: null, summary: 'Done. '.repeat(2_000) }, repos);

    const [news] = await collect(world.gateway.follow(callOf(world, 'start_task_attempt', started), never));

    const json = news?.end?.outcome.ok ? news.end.outcome.json : '';
    expect(json.length).toBeGreaterThan(2_000);
    expect(json.length).toBeLessThanOrEqual(4_000);
    expect(JSON.parse(json).changed_files.length).toBeGreaterThan(5);
  });
});

describe.concurrent('following several runs that were started together', () => {
  const several = async (world: World) => {
    const board = await aBoard(world);
    const worker = await aWorker(world, [anExecutor(), anExecutor({ executor: 'other' })]);
    const started = await board.start({ executor: undefined, executors: ['scripted', 'other'] });
    return { worker, call: callOf(world, 'start_task_attempt', started), started };
  };

  it('[L-SIBLINGS] ends with the last of them, with the end of each', async () => {
    await using world = await createWorld();
    const { worker, call } = await several(world);
    const [first, second] = [await worker.take(), await worker.take()];
    await worker.finish(first, { status: 'failed', reason: 'exit 1' }, []);

    const [before] = await collect(world.gateway.follow(call, never), 1);
    await worker.finish(second, { status: 'completed', reason: null, summary: 'Done.' }, []);
    const [after] = await collect(world.gateway.follow(call, never));

    expect(before).toMatchObject({ message: '1 of 2 attempts have ended.', end: null });
    expect(after).toMatchObject({ message: '2 of 2 attempts have ended.', end: { failed: false } });
    const json = after?.end?.outcome.ok ? after.end.outcome.json : '{}';
    expect(new Set(JSON.parse(json).attempts.map((one: { run_status: string }) => one.run_status))).toEqual(
      new Set(['failed', 'completed']),
    );
  });

  it('[L-SIBLINGS] wakes for a change of any of them, and has failed when all have', async () => {
    await using world = await createWorld();
    const { worker, call } = await several(world);
    const [first, second] = [await worker.take(), await worker.take()];

    const following = collect(world.gateway.follow(call, never));
    await worker.finish(first, { status: 'failed', reason: 'exit 1' }, []);
    await worker.finish(second, { status: 'killed', reason: 'stopped' }, []);

    expect((await following).at(-1)).toMatchObject({ end: { failed: true } });
  });

  it('[L-SIBLINGS] stops all of them', async () => {
    await using world = await createWorld();
    const { worker, call, started } = await several(world);
    await worker.take();

    await world.gateway.stop(call);

    const ids = (started.attempts as { attempt_id: string }[]).map(({ attempt_id }) => attempt_id);
    const states = await Promise.all(ids.map((attempt_id) => world.ask('get_attempt', { attempt_id })));
    expect(states.filter(({ state }) => state === 'stopped')).toHaveLength(1);
    expect(await worker.toStop('worker-1')).toHaveLength(1);
  });
});

describe.concurrent('stopping the run of a call', () => {
  it('fails as the call that stops it does, so that a retryable failure can be recognised', async () => {
    await using world = await createWorld();
    const board = await aBoard(world);
    await aWorker(world);
    const call = callOf(world, 'start_task_attempt', await board.start());
    const { reads, watch } = world.store;
    const error = {
      code: 'database_error',
      message: 'away',
      retryable: true,
      retry_after_ms: 500,
      correlation_id: '1',
    };
    const { stop } = createFollow({
      find: world.gateway.find,
      randomId: () => 'id',
      dispatch: async () => ({ ok: false, status: 503, error }),
      reads,
      watch,
    });

    await expect(stop(call)).rejects.toMatchObject({ code: 'database_error', message: 'away', retry_after_ms: 500 });
  });

  it('ends no run but the followed one, even if that has already ended', async () => {
    await using world = await createWorld();
    const board = await aBoard(world);
    const worker = await aWorker(world);
    const started = await board.start();
    const call = callOf(world, 'start_task_attempt', started);
    const first = await worker.take();
    await world.ask('follow_up', { attempt_id: started.attempt_id, action: 'queue', prompt: 'Go on.' });
    const { stop } = createFollow({
      ...world.store,
      find: world.gateway.find,
      randomId: () => 'id',
      dispatch: async (asked) => {
        await worker.finish(first, { status: 'completed', reason: null }, []);
        return world.gateway.dispatch(asked);
      },
    });

    await stop(call);

    const next = await worker.take();
    expect(next.execution_id).not.toBe(started.execution_id);
    expect(await worker.toStop('worker-1')).toEqual([]);
  });
});
