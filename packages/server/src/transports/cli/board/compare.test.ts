import { describe, expect, it } from 'vitest';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld } from '#testing/world';
import { clockOf } from './compare.ts';

async function aPlace() {
  const world = await createWorld();
  const board = await aBoard(world);
  const worker = await aWorker(world, [
    anExecutor(),
    anExecutor({ executor: 'codex', title: 'Codex', variants: ['fast'] }),
  ]);
  return { world, board, worker, ...createBoardTerminal(world) };
}

describe('errand run --executors', () => {
  it('starts one attempt each, and says how to compare them', async () => {
    const { type, worker } = await aPlace();

    const { code, out } = await type('run', 'SHO-1', '--executors', 'scripted,codex:fast');

    expect({ code, out }).toEqual({
      code: 0,
      out: 'task     SHO-1\nattempt  SHO-1.1  scripted\nattempt  SHO-1.2  codex\nWatch one: errand watch SHO-1.1. Compare them: errand compare SHO-1\n',
    });
    expect([(await worker.take()).entry.executor, (await worker.take()).entry]).toMatchObject([
      'scripted',
      { executor: 'codex', variant: 'fast' },
    ]);
  });

  it.each([
    [['--executors', 'scripted,moon'], 'There is no agent "moon".'],
    [['--executors', 'scripted,codex:slow'], 'codex has no variant "slow".'],
    [['--executors', 'scripted', '--executor', 'codex'], 'leave --executor and --variant out'],
  ])('starts nothing for %j', async (words, message) => {
    const { world, type } = await aPlace();

    await expect(type('run', '--title', 'Paint', ...words)).rejects.toThrow(message);
    expect((await world.ask('list_tasks', { project_id: 'SHO' })).tasks).toHaveLength(1);
  });
});

describe('errand compare', () => {
  it('shows the attempts side by side within 80 columns, and goes on with one', async () => {
    const { type, worker } = await aPlace();
    await type('run', 'SHO-1', '--executors', 'scripted,codex');
    const run = await worker.take();
    await worker.log.write(run, [{ type: 'usage', usage: { cost_usd: 0.4 } }]);
    await worker.finish(run, { status: 'completed', reason: null }, []);
    await worker.finish(await worker.take(), { status: 'failed', reason: 'exit 1' }, []);

    const compared = await type('compare', 'sho-1');
    const chosen = await type('compare', 'SHO-1', '--choose', 'SHO-1.1');

    expect(compared.out).toBe(
      [
        'attempt  executor  state   checks  files  lines  time  cost',
        'SHO-1.1  scripted  review  -       0      +0 -0  0:00  0.40 USD',
        'SHO-1.2  codex     failed  -       0      +0 -0  0:00  -',
        '',
      ].join('\n'),
    );
    expect(chosen.out).toBe('SHO-1.1 is chosen. SHO-1.2 is archived; the branches stay.\n');
    expect((await type('task', 'show', 'SHO-1')).out).toMatch(/^SHO-1\.2 +archived/m);
  });

  it('shows hours where there are some', () => {
    expect([clockOf(9), clockOf(842), clockOf(3_849)]).toEqual(['0:09', '14:02', '1:04:09']);
  });
});
