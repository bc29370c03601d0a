import { describe, expect, it } from 'vitest';
import type { Attempt } from '#domain/attempt';
import type { AttemptId, RunId } from '#domain/ids';
import { aBoard, aWorker } from '#testing/attempts';
import { countedIds, createWorld, type World } from '#testing/world';
import { placeFollowUp } from './place-follow-up.ts';

const DONE = { status: 'completed', reason: null } as const;

/** An attempt whose first run has ended, with a way to place follow-ups. */
async function aRestingAttempt(world: World) {
  const { start } = await aBoard(world);
  const worker = await aWorker(world);
  const { attempt_id } = await start();
  const end = async (): Promise<void> => worker.finish(await worker.take(), DONE, []);
  await end();
  const id = attempt_id as AttemptId;
  const { workspace_id } = world.owner;
  const find = async (): Promise<Attempt> =>
    (await world.store.reads.attempts.find({ workspace_id, project_ids: 'all' }, id)) as Attempt;
  const ids = countedIds();
  const place = async (prompt: string, may_run: boolean) => {
    const attempt = await find();
    return world.store.transaction((tx) =>
      placeFollowUp(tx, ids, { attempt, prompt, asker: world.owner, may_run, name: 'Review' }),
    );
  };
  return { attempt_id: id, worker, end, find, place };
}

const runOf = async (world: World, id: RunId | null) =>
  id === null ? null : await world.store.reads.queue.findForWorker(id);

const waiting = async (world: World, attempt_id: AttemptId) =>
  ((await world.ask('get_attempt', { attempt_id })).queue as { prompt: string }[]).map(({ prompt }) => prompt);

describe('a follow-up of another call', () => {
  it('starts a run at once, with its name, and is no longer waiting', async () => {
    await using world = await createWorld();
    const { attempt_id, place } = await aRestingAttempt(world);

    const { execution_id, queued_id } = await place('Mind the tests.', true);

    expect(await runOf(world, execution_id)).toMatchObject({ prompt: 'Mind the tests.', run: { name: 'Review' } });
    expect(queued_id).toEqual(expect.any(String));
    expect(await waiting(world, attempt_id)).toEqual([]);
  });

  it('waits while a run goes on, and follows it', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, place } = await aRestingAttempt(world);
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'first' });
    const first = await worker.take();

    const { execution_id } = await place('second', true);

    expect(execution_id).toBeNull();
    expect(await waiting(world, attempt_id)).toEqual(['second']);
    await worker.finish(first, DONE, []);
    expect((await worker.take()).entry.prompt).toBe('second');
  });

  it('starts no agent for one who may not, and joins the next run that another one starts', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, place } = await aRestingAttempt(world);

    const { execution_id } = await place('words', false);
    const before = await waiting(world, attempt_id);
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'go on' });

    expect([execution_id, before]).toEqual([null, ['words']]);
    expect((await worker.take()).entry.prompt).toBe('words\n\ngo on');
    expect(await waiting(world, attempt_id)).toEqual([]);
  });

  it.each([
    ['archived', { archived_at: 5 }],
    ['merged', { merged_at: 5 }],
  ])('is refused for an attempt that is %s, like follow_up', async (state, over) => {
    await using world = await createWorld();
    const { attempt_id, find, place } = await aRestingAttempt(world);
    const attempt = await find();
    await world.store.transaction((tx) => tx.attempts.update({ ...attempt, ...over }));

    const words = { attempt_id, prompt: 'Go on.' };
    const refused = await Promise.all([
      world.refuse('follow_up', { ...words, action: 'send' }),
      world.refuse('follow_up', { ...words, action: 'queue' }),
    ]);

    for (const { code, message, hint } of refused) {
      expect({ code, message }).toEqual({ code: 'conflict', message: expect.stringContaining(state) });
      expect(hint).toContain('start_task_attempt');
    }
    await expect(place('words', true)).rejects.toMatchObject({ code: 'conflict' });
    expect(await waiting(world, attempt_id)).toEqual([]);
  });
});
