import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ErrandError } from '#errors';
import { createWorld } from '#testing/world';
import type { Tool } from '#tools/catalog';
import { defineTool } from '#tools/define';

/** A tracker that answers when the test lets it, and counts its calls. */
function aSlowTracker() {
  const asked: string[] = [];
  const waiting: { resolve: (text: string) => void; reject: (error: unknown) => void }[] = [];
  const definition = defineTool({
    name: 'note',
    title: 'Note',
    description: 'Notes a text in another system.',
    scope: 'issue:comment',
    effect: 'create',
    key: 'required',
    tracker: true,
    route: 'POST /notes',
    input: z.object({ text: z.string().describe('What to note.') }),
    output: z.object({ noted: z.string().describe('What was noted.') }),
    entity: (_input, { noted }) => ({ kind: 'note', id: noted }),
    run: async ({ input, work }) => {
      asked.push(work.operation_id);
      work.changed(null, input.text);
      return { noted: await new Promise<string>((resolve, reject) => waiting.push({ resolve, reject })) };
    },
  });
  const tool: Tool = { ...definition, profile: 'admin', full_name: 'note' };
  return {
    tool,
    asked,
    waiting,
    untilAsked: async (times: number): Promise<void> => {
      while (waiting.length < times) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const LATER = 120_001;

async function openWorld() {
  const tracker = aSlowTracker();
  const world = await createWorld({ tools: [tracker.tool], tracker: { is_local: false } });
  const call = (text: string, idempotency_key = 'k1') => world.call('note', { text, idempotency_key });
  return { ...tracker, world, call };
}

describe('a write to a tracker elsewhere', () => {
  it('[TSK-41] is refused while the first with its key still runs, also for a process that only sees the store', async () => {
    const { world, waiting, asked, untilAsked, call } = await openWorld();
    await using _ = world;

    const first = call('a');
    await untilAsked(1);
    const same = await call('a');
    const other = await call('b');
    const record = await world.store.reads.idempotency.find(world.owner.principal_id, 'k1');
    waiting[0]?.resolve('done');

    expect(same).toMatchObject({ ok: false, error: { code: 'idempotency_key_in_progress', retryable: true } });
    expect(other).toMatchObject({ ok: false, error: { code: 'idempotency_key_conflict' } });
    expect(record).toMatchObject({ result: null });
    expect(await first).toEqual({ ok: true, value: { noted: 'done' } });
    expect(asked).toHaveLength(1);
  });

  it('[TSK-39] returns the first result from then on, with one audit entry', async () => {
    const { world, waiting, asked, untilAsked, call } = await openWorld();
    await using _ = world;
    const first = call('a');
    await untilAsked(1);
    waiting[0]?.resolve('done');
    await first;

    world.time.now += 23 * 3_600_000;
    const again = await Promise.all([call('a'), call('a'), call('a')]);

    expect(again).toEqual(Array(3).fill({ ok: true, value: { noted: 'done' } }));
    expect(asked).toHaveLength(1);
    const trail = await world.store.reads.audit.page(0, 100);
    expect(trail.filter(({ action }) => action === 'note')).toMatchObject([
      { outcome: 'ok', entity_id: 'done', idempotency_key: 'k1', before_digest: null },
    ]);
  });

  it('[TSK-42] releases its key when it fails, and has the same operation id when it is retried', async () => {
    const { world, waiting, asked, untilAsked, call } = await openWorld();
    await using _ = world;
    const first = call('a');
    await untilAsked(1);
    waiting[0]?.reject(new ErrandError('tracker_unavailable', 'The tracker is away.'));
    const failed = await first;

    const second = call('a');
    await untilAsked(2);
    waiting[1]?.resolve('done');

    expect(failed).toMatchObject({ ok: false, error: { code: 'tracker_unavailable', retryable: true } });
    expect(await second).toMatchObject({ ok: true });
    expect(asked[1]).toBe(asked[0]);
    expect(asked[0]).not.toContain('k1');
  });

  it('is another operation when its released key is used for other arguments', async () => {
    const { world, waiting, asked, untilAsked, call } = await openWorld();
    await using _ = world;
    const first = call('a');
    await untilAsked(1);
    waiting[0]?.reject(new ErrandError('tracker_unavailable', 'The tracker is away.'));
    await first;

    const other = call('b');
    await untilAsked(2);
    waiting[1]?.resolve('done');

    expect(await other).toMatchObject({ ok: true });
    expect(asked[1]).not.toBe(asked[0]);
  });

  it('holds its key only as long as a call can take, so that a dead process blocks no one', async () => {
    const { world, waiting, untilAsked, call } = await openWorld();
    await using _ = world;
    await world.store.transaction((tx) =>
      tx.idempotency.put({
        principal_id: world.owner.principal_id,
        key: 'k1',
        args_hash: 'd'.repeat(64),
        result: null,
        project_id: null,
        created_at: tx.now,
        expires_at: tx.now + LATER - 1,
      }),
    );

    const early = await call('a');
    world.time.now += LATER;
    const late = call('a');
    await untilAsked(1);
    waiting[0]?.resolve('done');

    expect(early.ok).toBe(false);
    expect(await late).toMatchObject({ ok: true });
  });
});
