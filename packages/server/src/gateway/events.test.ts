import { describe, expect, it } from 'vitest';
import { EVENTS_KEPT_MS } from '#domain/event';
import { createEventReader, type ReceivedEvent } from '#testing/event-reader';
import { aListener } from '#testing/listener';
import { createWorld, type World } from '#testing/world';
import { times } from '../../../../test/e2e/counts.ts';
import { createEvents } from './events.ts';

const numbers = (heard: readonly ReceivedEvent[]): number[] => heard.map(({ id }) => Number(id));
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

async function aRun(world: World): Promise<string> {
  const { id } = await world.ask('create_execution', { name: 'Fix the roof' });
  return id as string;
}

async function addSteps(world: World, execution_id: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, i) => `Step ${i} 🪜 "\n`.trim());
  await Promise.all(names.map((step_name) => world.ask('create_step', { execution_id, step_name })));
}

/** Events of a world whose store holds back the page after this number until the test releases it. */
function heldEvents({ store: { reads, watch } }: World, after: number) {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const page: typeof reads.events.page = async (part) => {
    if (part.after === after) {
      asked.resolve();
      await held.promise;
    }
    return reads.events.page(part);
  };
  const report = (error: unknown): void => {
    throw error;
  };
  const events = createEvents({
    reads: { ...reads, events: { ...reads.events, page } },
    watch,
    clock: Date.now,
    report,
  });
  return { events, asked: asked.promise, release: held.resolve };
}

describe('following the events', () => {
  it('sends a change with its number, its kind and the thing as tools show it', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const listener = await aListener(world.gateway, world.owner);

    const step = await world.ask('create_step', { execution_id, step_name: 'Measure\u202e' });
    await listener.until(() => listener.changes().length === 1);

    const [change] = listener.changes();
    expect(change).toEqual({
      id: String(change?.data.seq),
      kind: 'step.created',
      data: {
        seq: Number(listener.lastId()),
        at: '2026-01-01T00:00:00.000Z',
        kind: 'step.created',
        entity_id: step.id,
        execution_id,
        task_id: null,
        project_id: null,
        actor: { user_id: world.owner.user_id, agent_id: null },
        data: step,
      },
    });
    listener.stop();
  });

  it('sends a new follower its position, so that a cut before the first event loses none', async () => {
    await using world = await createWorld();
    await aRun(world);
    const listener = await aListener(world.gateway, world.owner);
    const head = await world.store.reads.events.head();
    listener.stop();

    await aRun(world);
    const resumed = await aListener(world.gateway, world.owner, { after: listener.lastId() });
    await resumed.until(() => resumed.changes().length === 1);

    expect(listener.heard).toEqual([{ id: String(head), kind: 'position', data: { seq: head } }]);
    expect(numbers(resumed.changes())).toEqual([head + 1]);
    resumed.stop();
  });

  it('replays missed events and goes on, without gap or repeat, while changes keep coming', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const start = await world.store.reads.events.head();
    await addSteps(world, execution_id, 450);

    const live = await aListener(world.gateway, world.owner);
    const before = addSteps(world, execution_id, 150);
    const resumed = await aListener(world.gateway, world.owner, { after: String(start) });
    await Promise.all([before, addSteps(world, execution_id, 150)]);
    await resumed.until(() => resumed.changes().length >= 750);
    await live.until(() => live.changes().length >= 300);

    expect(numbers(resumed.changes())).toEqual(from(start + 1, start + 750));
    expect(numbers(live.changes())).toEqual(from(start + 451, start + 750));
    resumed.stop();
    live.stop();
  });

  it('sends missed events and new ones in order', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const start = await world.store.reads.events.head();
    await addSteps(world, execution_id, 3);
    const { events, asked, release } = heldEvents(world, start);
    const live = await aListener({ events }, world.owner);

    const resumed = await aListener({ events }, world.owner, { after: String(start) });
    await asked;
    await addSteps(world, execution_id, 2);
    await live.until(() => live.changes().length === 2);
    release();
    await resumed.until(() => resumed.changes().length >= 5);

    expect(numbers(resumed.changes())).toEqual(from(start + 1, start + 5));
    resumed.stop();
    live.stop();
  });

  it('sends a new follower only new events while others still catch up', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const start = await world.store.reads.events.head();
    const { events, asked, release } = heldEvents(world, start);
    const early = await aListener({ events }, world.owner);
    await asked;
    await addSteps(world, execution_id, 3);

    const late = await aListener({ events }, world.owner);
    await addSteps(world, execution_id, 1);
    release();
    await early.until(() => early.changes().length >= 4);
    await late.until(() => late.changes().length >= 1);

    expect(numbers(early.changes())).toEqual(from(start + 1, start + 4));
    expect(numbers(late.changes())).toEqual([start + 4]);
    early.stop();
    late.stop();
  });

  it('sends events that occur between the query and its answer', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);

    const listener = await aListener(world.gateway, world.owner, {}, () => addSteps(world, execution_id, 2));
    await listener.until(() => listener.changes().length >= 2);

    expect(listener.changes().map(({ kind }) => kind)).toEqual(['step.created', 'step.created']);
    listener.stop();
  });

  it('sends a slow reader everything in the end, and holds only a part of it meanwhile', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const start = await world.store.reads.events.head();
    const listener = await aListener(world.gateway, world.owner);
    const other = await aListener(world.gateway, world.owner);

    const goOn = listener.hold();
    await addSteps(world, execution_id, 500);
    await other.until(() => other.changes().length === 500);
    const whileHeld = listener.changes().length;
    goOn();
    await listener.until(() => listener.changes().length >= 500);

    expect(whileHeld).toBe(0);
    expect(numbers(listener.changes())).toEqual(from(start + 1, start + 500));
    listener.stop();
    other.stop();
  });

  it('writes the events of one commit at once', async () => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const listener = await aListener(world.gateway, world.owner);
    const before = listener.writes();

    await addSteps(world, execution_id, 50);
    await listener.until(() => listener.changes().length === 50);

    expect(listener.writes() - before).toBe(1);
    listener.stop();
  });

  it.each([
    ['lies before all that is kept', 'expired', (head: number) => head - 2],
    ['has never been given out', 'unknown', (head: number) => head + 1_000],
  ])('tells a follower to reload everything when its number %s', async (_, reason, numberOf) => {
    await using world = await createWorld();
    const execution_id = await aRun(world);
    await addSteps(world, execution_id, 3);
    const head = await world.store.reads.events.head();
    world.time.now += EVENTS_KEPT_MS + 1;
    await world.store.transaction((tx) => tx.events.sweep(tx.now - EVENTS_KEPT_MS, 1_000));

    const listener = await aListener(world.gateway, world.owner, { after: String(numberOf(head)) });
    await listener.until(() => listener.changes().length === 1);
    await addSteps(world, execution_id, 1);
    await listener.until(() => listener.changes().length === 2);

    expect(listener.changes()[0]).toEqual({ id: String(head), kind: 'reset', data: { reason, head } });
    expect(numbers(listener.changes())).toEqual([head, head + 1]);
    listener.stop();
  });

  it('advances the number of a follower without events for it, so that a reconnect is cheap', async () => {
    await using world = await createWorld();
    const listener = await aListener(world.gateway, world.owner, { kinds: 'step.*' });
    const other = await aListener(world.gateway, world.owner);
    await aRun(world);
    await other.until(() => other.changes().length === 1);

    listener.mark();
    listener.mark();

    const head = await world.store.reads.events.head();
    expect(listener.heard.map(({ id, kind }) => [id, kind])).toEqual([
      [String(head - 1), 'position'],
      [String(head), 'position'],
    ]);
    listener.stop();
    other.stop();
  });

  it('resumes after a cut at any byte without gap or repeat', async () => {
    const count = times({ whole: 200, part: 60 });
    await using world = await createWorld();
    const execution_id = await aRun(world);
    const start = await world.store.reads.events.head();
    const listener = await aListener(world.gateway, world.owner);
    await addSteps(world, execution_id, count);
    await listener.until(() => listener.changes().length === count);
    const all = numbers(listener.changes());
    const bytes = listener.bytes();
    listener.stop();

    const rest = new Map<string, readonly number[]>();
    for (const id of [start, ...all].map(String)) {
      const resumed = await aListener(world.gateway, world.owner, { after: id });
      await resumed.until(() => Number(id) + resumed.changes().length >= start + count);
      rest.set(id, numbers(resumed.changes()));
      resumed.stop();
    }
    const reader = createEventReader();
    const wrong = Array.from(bytes, (byte, at) => {
      reader.feed(Uint8Array.of(byte));
      const resumed = reader.lastId() === '' ? all : (rest.get(reader.lastId()) ?? []);
      const received = [...numbers(reader.changes()), ...resumed];
      return received.length === count && received.every((number, i) => number === all[i]) ? [] : [at];
    }).flat();

    expect(bytes.length).toBeGreaterThan(250 * count);
    expect(wrong).toEqual([]);
    expect(all).toEqual(from(start + 1, start + count));
  });
});
