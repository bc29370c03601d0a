import { describe, expect, it, vi } from 'vitest';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld } from '#testing/world';

async function aPlace() {
  const world = await createWorld();
  const board = await aBoard(world);
  const worker = await aWorker(world, [anExecutor(), anExecutor({ executor: 'checks' })]);
  await board.start();
  const run = await worker.take();
  await worker.beginSpawn(run);
  await worker.log.write(run, [{ type: 'usage', usage: { cost_usd: 0.4 } }]);
  const commits = { base_commit: 'a'.repeat(40), head_commit: 'b'.repeat(40) };
  await worker.finish(
    run,
    { status: 'completed', reason: null },
    run.repos.map((repo) => ({ ...repo, ...commits })),
  );
  return { world, worker, ...createBoardTerminal(world) };
}

describe('errand verify', () => {
  it('starts the checks, and says how to watch them', async () => {
    const { worker, type } = await aPlace();

    const { code, out } = await type('verify', 'SHO-1');

    expect({ code, out }).toEqual({ code: 0, out: 'The checks run. Watch them: errand watch SHO-1\n' });
    expect((await worker.take()).entry.executor).toBe('checks');
  });

  it('ends with 1 when there is no green verdict', async () => {
    const { worker, type } = await aPlace();

    const verifying = type('verify', 'SHO-1', '--wait');
    const run = await vi.waitFor(() => worker.take());
    await worker.finish(run, { status: 'completed', reason: null }, []);

    expect(await verifying).toMatchObject({ code: 1, out: expect.stringMatching(/\nno verdict\n$/) });
  });
});

describe('errand costs', () => {
  it('shows a table with the total', async () => {
    const { type } = await aPlace();

    const { out } = await type('costs', '--project', 'SHO');

    expect(out).toMatch(/^From \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\n\ntask +cost +tokens +minutes +runs +title\n/);
    expect(out).toMatch(/^SHO-1 +0\.40 USD +0 +0\.0 +1 +Fix the login$/m);
    expect(out).toMatch(/^total +0\.40 USD/m);
  });

  it('says that nothing was spent', async () => {
    const { out } = await createBoardTerminal(await createWorld()).type('costs', '--by', 'day');

    expect(out).toMatch(/^From \S+ to \S+ nothing was spent\.\n$/);
  });
});
