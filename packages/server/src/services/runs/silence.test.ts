import { describe, expect, it } from 'vitest';
import type { Event } from '#domain/event';
import { QUIET_AFTER_MS, STALLED_AFTER_MS } from '#domain/run';
import { createWorld, type World } from '#testing/world';
import { markSilent } from './silence.ts';

const SECOND = 1_000;

async function aRun(world: World): Promise<string> {
  return (await world.ask('create_execution', { name: 'Fix the roof' })).id as string;
}

const mark = (world: World): Promise<boolean> => world.store.transaction(markSilent);

const livenessOf = async (world: World, execution_id: string): Promise<unknown> =>
  (await world.ask('get_execution', { execution_id })).liveness;

async function silences(world: World): Promise<readonly Event[]> {
  const events = await world.store.reads.events.page({ after: 0, limit: 1_000 });
  return events.filter(({ kind }) => kind === 'execution.quiet' || kind === 'execution.stalled');
}

describe('a run without reports', () => {
  it('is quiet after a minute and stalled after ten, each with one event without an actor', async () => {
    await using world = await createWorld();
    const id = await aRun(world);
    const start = world.time.now;

    const seen = [];
    for (const after_ms of [
      QUIET_AFTER_MS,
      QUIET_AFTER_MS + SECOND,
      QUIET_AFTER_MS + 2 * SECOND,
      STALLED_AFTER_MS,
      STALLED_AFTER_MS + SECOND,
      STALLED_AFTER_MS * 10,
    ]) {
      world.time.now = start + after_ms;
      await mark(world);
      seen.push(await livenessOf(world, id));
    }

    expect(seen).toEqual(['live', 'quiet', 'quiet', 'quiet', 'stalled', 'stalled']);
    expect(await silences(world)).toMatchObject([
      { kind: 'execution.quiet', entity_id: id, execution_id: id, actor: null, data: { liveness: 'quiet' } },
      { kind: 'execution.stalled', entity_id: id, execution_id: id, actor: null, data: { liveness: 'stalled' } },
    ]);
  });

  it('is marked once, however many processes check at the same time', async () => {
    await using world = await createWorld();
    await aRun(world);
    world.time.now += QUIET_AFTER_MS + SECOND;

    await Promise.all(Array.from({ length: 10 }, () => mark(world)));

    expect(await silences(world)).toHaveLength(1);
  });

  it('is marked stalled at once when no process checked for so long', async () => {
    await using world = await createWorld();
    await aRun(world);
    world.time.now += STALLED_AFTER_MS + SECOND;

    await mark(world);

    expect((await silences(world)).map(({ kind }) => kind)).toEqual(['execution.stalled']);
  });

  it.each(['quiet', 'stalled'] as const)(
    'is alive again with the next report after it was %s, and can become silent again',
    async (liveness) => {
      await using world = await createWorld();
      const id = await aRun(world);
      const silence = (liveness === 'quiet' ? QUIET_AFTER_MS : STALLED_AFTER_MS) + SECOND;
      world.time.now += silence;
      await mark(world);

      await world.ask('create_step', { execution_id: id, step_name: 'Back again' });
      const afterReport = await livenessOf(world, id);
      await mark(world);
      const afterLook = await livenessOf(world, id);
      world.time.now += silence;
      await mark(world);

      expect([afterReport, afterLook, await livenessOf(world, id)]).toEqual(['live', 'live', liveness]);
      expect(await silences(world)).toHaveLength(2);
    },
  );

  it('is not marked when it has ended', async () => {
    await using world = await createWorld();
    const id = await aRun(world);
    await world.ask('update_execution', { execution_id: id, status: 'completed' });
    world.time.now += STALLED_AFTER_MS * 2;

    await mark(world);

    expect(await silences(world)).toEqual([]);
  });

  it('keeps all other fields as reported', async () => {
    await using world = await createWorld();
    const id = await aRun(world);
    await world.ask('update_execution', { execution_id: id, session_id: 'abc', worktree_path: '/trees/roof' });
    const before = await world.ask('get_execution', { execution_id: id });
    world.time.now += QUIET_AFTER_MS + SECOND;

    await mark(world);

    expect(await world.ask('get_execution', { execution_id: id })).toEqual({ ...before, liveness: 'quiet' });
  });

  it('is found among hundreds, a part at a time', async () => {
    await using world = await createWorld();
    for (let i = 0; i < 5; i++) await Promise.all(Array.from({ length: 50 }, () => aRun(world)));
    world.time.now += QUIET_AFTER_MS + SECOND;

    const isMore = [await mark(world), await mark(world)];

    expect(isMore).toEqual([true, false]);
    expect(await silences(world)).toHaveLength(250);
  });
});
