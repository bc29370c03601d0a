import { describe, expect, it } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createWorld } from '#testing/world';

const COMPLETED = { status: 'completed', reason: null, summary: 'Done.' } as const;

async function open() {
  const world = await createWorld();
  const board = await aBoard(world);
  const worker = await aWorker(world);
  return { world, ...board, worker, [Symbol.asyncDispose]: () => world.store.close() };
}

describe('a failed run', () => {
  it('[L-FAILED] leaves the task of a failed run in progress, with the reason, until a run completes', async () => {
    await using site = await open();
    const { task_id, attempt_id } = await site.start();
    await site.worker.finish(await site.worker.take(), { status: 'failed', reason: 'npm ERR\nexit code 1\n' }, []);

    const failed = await site.world.ask('get_task', { task_id });
    const { attempts } = await site.world.ask('list_task_attempts', { task_id });
    await site.world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Mend it.' });
    await site.worker.finish(await site.worker.take(), COMPLETED, []);

    const reason = 'exit code 1';
    expect(failed).toMatchObject({ status: 'inprogress', attempt_state: 'failed', last_failure_line: reason });
    expect(attempts).toMatchObject([{ attempt_id, state: 'failed', reason }]);
    expect(await site.world.ask('get_task', { task_id })).toMatchObject({
      status: 'inreview',
      attempt_state: 'review',
      last_failure_line: null,
    });
  });

  it('[L-FAILED] moves the task to review when one of two attempts has failed and the other has completed', async () => {
    await using site = await open();
    const { task_id } = await site.start();
    await site.start();
    const [first, second] = [await site.worker.take(), await site.worker.take()];

    await site.worker.finish(first, COMPLETED, []);
    await site.worker.finish(second, { status: 'failed', reason: 'exit code 1' }, []);

    expect(await site.world.ask('get_task', { task_id })).toMatchObject({ status: 'inreview' });
  });
});
