import { describe, expect, it } from 'vitest';
import type { AttemptId } from '#domain/ids';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createTracker } from '#testing/tracker';
import { createWorld } from '#testing/world';

const EXECUTORS = [
  anExecutor(),
  anExecutor({ executor: 'other', variants: [] }),
  anExecutor({ executor: 'local:model', variants: ['small'] }),
];

interface Started {
  readonly attempt_id: AttemptId;
  readonly key: string;
  readonly executor: string;
  readonly execution_id: string;
}

const startAll = async (start: Awaited<ReturnType<typeof aBoard>>['start'], executors: string[]) => {
  const { attempts } = await start({ executor: undefined, executors });
  return attempts as readonly Started[];
};

describe('[L-SIBLINGS] start_task_attempt with executors', () => {
  it('starts one attempt for each, with its variant, and they know each other', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    const worker = await aWorker(world, EXECUTORS);

    const answer = await start({
      executor: undefined,
      executors: ['scripted:fast', 'other', 'local:model:small', 'local:model'],
    });

    expect(Object.keys(answer)).toEqual(['task_id', 'attempts']);
    const attempts = answer.attempts as readonly Started[];
    expect(attempts.map(({ key, executor }) => [key, executor])).toEqual([
      ['SHO-1.1', 'scripted'],
      ['SHO-1.2', 'other'],
      ['SHO-1.3', 'local:model'],
      ['SHO-1.4', 'local:model'],
    ]);
    const runs = await Promise.all(attempts.map(async () => await worker.take()));
    expect(new Set(runs.map(({ attempt }) => attempt.branch)).size).toBe(4);
    expect(new Set(runs.map(({ attempt }) => attempt.sibling_group)).size).toBe(1);
    expect(runs[0]?.attempt.sibling_group).not.toBeNull();
    const variants = Object.fromEntries(runs.map(({ attempt, entry }) => [attempt.id, entry.variant]));
    expect(attempts.map(({ attempt_id }) => variants[attempt_id])).toEqual(['fast', null, 'small', null]);
    expect(await world.ask('get_task', { task_id })).toMatchObject({ status: 'inprogress' });
  });

  it('starts none when one of them cannot be started', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    await aWorker(world, [...EXECUTORS, anExecutor({ executor: 'broken', is_ready: false, problem: 'Log in first.' })]);
    const refuse = async (fields: Record<string, unknown>): Promise<unknown> =>
      start({ executor: undefined, ...fields }).catch((error: Error) => error.message);

    const refused = await Promise.all([
      refuse({ executors: ['scripted', 'nobody'] }),
      refuse({ executors: ['scripted', 'broken'] }),
      refuse({ executors: ['scripted', 'other:fast'] }),
      refuse({ executors: ['scripted', 'scripted'] }),
      refuse({ executors: ['scripted', 'other'], variant: 'fast' }),
      refuse({ executors: ['scripted', 'other'], executor: 'scripted' }),
      refuse({}),
      refuse({ executors: Array.from({ length: 9 }, (_, i) => `scripted${i}`) }),
    ]);

    expect(refused).toEqual([
      expect.stringContaining('nobody is not offered here'),
      expect.stringContaining('broken cannot run now: Log in first.'),
      expect.stringContaining('other has no variant of that name'),
      expect.stringContaining('names an executor twice'),
      expect.stringContaining('variant: is for one executor'),
      expect.stringContaining('give either executor or executors'),
      expect.stringContaining('give either executor or executors'),
      expect.stringContaining('executors'),
    ]);
    expect(await world.ask('list_task_attempts', { task_id })).toMatchObject({ attempts: [] });
  });

  it('is done once when it is repeated with its key', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    await aWorker(world, EXECUTORS);
    const order = { executor: undefined, executors: ['scripted', 'other'], idempotency_key: 'once' };

    const answers = [await start(order), await start(order)];

    expect(answers[1]).toEqual(answers[0]);
    expect((await world.ask('list_task_attempts', { task_id })).attempts).toHaveLength(2);
  });
});

describe('[L-SIBLINGS] compare_attempts', () => {
  it('shows size, time and cost of every attempt that is not archived', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    const worker = await aWorker(world, EXECUTORS);
    const [first, second, third] = await startAll(start, ['scripted', 'other', 'local:model']);
    const run = async (ms: number, cost_usd: number | null, status: 'completed' | 'failed') => {
      const claimed = await worker.take();
      await worker.beginSpawn(claimed);
      world.time.now += ms;
      const usage = cost_usd === null ? null : { input_tokens: 5, cost_usd };
      if (usage !== null) await worker.log.write(claimed, [{ type: 'usage', usage }]);
      const files = JSON.stringify([
        { path: 'a.ts', change: 'modified', insertions: 84, deletions: 12 },
        { path: 'logo.png', change: 'added', insertions: null, deletions: null },
      ]);
      const repos = claimed.repos.map((repo) => ({ ...repo, files: status === 'failed' ? null : files }));
      await worker.finish(claimed, { status, reason: null }, repos);
    };
    await run(10_000, 0.1, 'completed');
    await run(5_400, null, 'failed');
    await world.ask('follow_up', { attempt_id: first?.attempt_id, action: 'send', prompt: 'Go on.' });
    await world.ask('stop_attempt', { attempt_id: third?.attempt_id });
    await run(20_000, 0.2, 'completed');

    const compared = await world.ask('compare_attempts', { task_id });

    const nothing = { files: 0, added: 0, removed: 0, cost_usd: null, verdict: null };
    expect(compared).toEqual({
      task_id,
      attempts: [
        {
          attempt_id: first?.attempt_id,
          key: 'SHO-1.1',
          executor: 'scripted',
          state: 'review',
          status: 'completed',
          verdict: null,
          files: 2,
          added: 84,
          removed: 12,
          seconds: 30,
          cost_usd: 0.3,
        },
        {
          ...nothing,
          attempt_id: second?.attempt_id,
          key: 'SHO-1.2',
          executor: 'other',
          state: 'failed',
          status: 'failed',
          seconds: 5,
        },
        {
          ...nothing,
          attempt_id: third?.attempt_id,
          key: 'SHO-1.3',
          executor: 'local:model',
          state: 'stopped',
          status: 'killed',
          seconds: 0,
        },
      ],
    });
  });

  it('leaves out archived attempts, unless all are archived', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    await aWorker(world, EXECUTORS);
    const [first, second] = await startAll(start, ['scripted', 'other']);
    const keys = async () =>
      ((await world.ask('compare_attempts', { task_id })).attempts as { key: string }[]).map(({ key }) => key);

    await world.ask('choose_attempt', { attempt_id: second?.attempt_id });
    const chosen = await keys();
    const { workspace_id } = world.owner;
    await world.store.transaction(async (tx) => {
      for (const id of [first, second].map((one) => one?.attempt_id as AttemptId)) {
        const attempt = await tx.attempts.find({ workspace_id, project_ids: 'all' }, id);
        if (attempt !== null) await tx.attempts.update({ ...attempt, archived_at: 5 });
      }
    });

    expect(chosen).toEqual(['SHO-1.2']);
    expect(await keys()).toEqual(['SHO-1.1', 'SHO-1.2']);
  });

  it('answers a task out of reach like one that does not exist', async () => {
    await using world = await createWorld();
    const { task_id } = await aBoard(world);
    const { agent, project } = createTracker(world);
    const outsider = await agent({ projects: [await project('Other')], scopes: ['board:read'] });
    const unknown = '00000000-0000-7000-8000-00000000ffff';

    const there = await world.refuse('compare_attempts', { task_id }, outsider);
    const nowhere = await world.refuse('compare_attempts', { task_id: unknown }, outsider);

    expect(there.code).toBe('not_found');
    expect(there.message.replace(String(task_id), unknown)).toBe(nowhere.message);
  });
});

describe('[L-SIBLINGS] choose_attempt', () => {
  it('archives the others, and changes nothing when it is repeated', async () => {
    await using world = await createWorld();
    const { start } = await aBoard(world);
    await aWorker(world, EXECUTORS);
    const [first, second, third] = await startAll(start, ['scripted', 'other', 'local:model']);

    const chosen = await world.ask('choose_attempt', { attempt_id: 'SHO-1.2' });
    const again = await world.ask('choose_attempt', { attempt_id: 'SHO-1.2' });

    expect(chosen).toMatchObject({ attempt_id: second?.attempt_id, key: 'SHO-1.2' });
    expect(chosen.archived).toEqual(
      expect.arrayContaining([
        { attempt_id: first?.attempt_id, key: 'SHO-1.1' },
        { attempt_id: third?.attempt_id, key: 'SHO-1.3' },
      ]),
    );
    expect(again).toMatchObject({ archived: [] });
    const entry = (await world.store.reads.audit.page(0, 1_000)).at(-1);
    expect(entry).toMatchObject({ action: 'choose_attempt', entity_id: second?.attempt_id });
  });

  it('brings an archived attempt back when a person thinks better of it', async () => {
    await using world = await createWorld();
    const { task_id, start } = await aBoard(world);
    await aWorker(world, EXECUTORS);
    await startAll(start, ['scripted', 'other']);
    await world.ask('choose_attempt', { attempt_id: 'SHO-1.2' });

    const chosen = await world.ask('choose_attempt', { attempt_id: 'SHO-1.1' });

    expect(chosen).toMatchObject({ key: 'SHO-1.1', archived: [{ key: 'SHO-1.2' }] });
    expect(await world.ask('get_task', { task_id })).toMatchObject({ latest_attempt_key: 'SHO-1.1' });
  });

  it('needs the scope board:run', async () => {
    await using world = await createWorld();
    const { project_id, start } = await aBoard(world);
    await aWorker(world, EXECUTORS);
    await startAll(start, ['scripted', 'other']);
    const { agent } = createTracker(world);
    const writer = await agent({ projects: [String(project_id)], scopes: ['board:read', 'board:write'] });

    const refused = await world.refuse('choose_attempt', { attempt_id: 'SHO-1.2' }, writer);

    expect(refused.code).toBe('insufficient_scope');
    expect(await world.ask('get_attempt', { attempt_id: 'SHO-1.1' })).toMatchObject({ state: 'queued' });
  });
});
