import { describe, expect, it } from 'vitest';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld } from '#testing/world';

async function aPlace() {
  const world = await createWorld();
  const board = await aBoard(world);
  const worker = await aWorker(world, [anExecutor()]);
  return { world, board, worker, ...createBoardTerminal(world) };
}

describe('errand status', () => {
  it('says that nothing waits', async () => {
    const { type } = await aPlace();

    expect((await type('status')).out).toBe('Nothing needs you.\nData of this machine, 1 executor ready\n');
  });

  it('shows what waits with the command that deals with it, and what runs', async () => {
    const { world, board, worker, type } = await aPlace();
    await board.start();
    await worker.finish(await worker.take(), { status: 'failed', reason: 'exit 1' }, []);
    const { task_id } = await world.ask('create_task', { project_id: board.project_id, title: 'Paint it' });
    await type('run', task_id as string);
    const run = await worker.take();
    await worker.beginSpawn(run);
    const question = { kind: 'question', question: 'Which colour?', details: null, options: '[]' } as const;
    await worker.log.ask(run, question);

    const { out } = await type('status', '--project', 'SHO');

    expect(out.split('\n')).toEqual([
      '2 need you   SHO-2.1  question  Which colour?  errand answer SHO-2.1',
      '             SHO-1.1  failed    exit 1         errand task show SHO-1',
      expect.stringMatching(/^1 running {4}SHO-2\.1 {2}running {2}.*errand watch SHO-2\.1$/),
      'Data of this machine, 1 executor ready',
      '',
    ]);
  });

  it('fits 80 columns', async () => {
    const { world, board, worker } = await aPlace();
    await board.start();
    await worker.finish(await worker.take(), { status: 'failed', reason: 'x'.repeat(200) }, []);

    const { out } = await createBoardTerminal(world, { is_terminal: true, width: 80 }).type('status');

    expect(Math.max(...out.split('\n').map((line) => [...line].length))).toBe(80);
  });
});
