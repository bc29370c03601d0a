import { describe, expect, it, vi } from 'vitest';
import { type Event, UnreadableEvent } from '#domain/event';
import { ErrandError } from '#errors';
import type { NumberedPage } from '#store/store';
import { aListener } from '#testing/listener';
import { aRun, aStep } from '#testing/runs';
import { createWorld, type World } from '#testing/world';
import { createEvents } from './events.ts';
import { readQuestion } from './events-filter.ts';

/** Events of a world whose answers to readers may be changed, and what they reported. */
function watchedEvents(
  { store: { reads, watch } }: World,
  page: (part: NumberedPage) => Promise<readonly Event[]> = reads.events.page,
) {
  const reports: unknown[] = [];
  const report = (error: unknown): void => void reports.push(error);
  return {
    events: createEvents({ reads: { ...reads, events: { ...reads.events, page } }, watch, clock: Date.now, report }),
    reports,
  };
}

// The type forbids it: it stands for a damaged row, or for one that another version wrote.
const UNREADABLE = { kind: 1, entity_id: 'damaged', audience: {}, actor: null } as never;
const emitUnreadable = ({ store }: World): Promise<void> => store.transaction(async (tx) => tx.emit(UNREADABLE));

const kinds = (listener: Awaited<ReturnType<typeof aListener>>) => listener.changes().map(({ kind }) => kind);

describe.concurrent('sending events despite failures', () => {
  it.each([
    [
      'says nothing of a database that is away, and goes on when it comes back',
      new ErrandError('database_error', 'away'),
      0,
    ],
    ['reports another failure once, and goes on when it is over', new Error('a bug'), 1],
  ])('%s', async (_, failure, reported) => {
    await using world = await createWorld();
    let failures = 2;
    const { events, reports } = watchedEvents(world, (part) =>
      failures-- > 0 ? Promise.reject(failure) : world.store.reads.events.page(part),
    );
    const listener = await aListener({ events }, world.owner);

    await aRun(world);
    await listener.until(() => listener.changes().length === 1);

    expect(kinds(listener)).toEqual(['execution.created']);
    expect(reports).toEqual(Array.from({ length: reported }, () => failure));
    listener.stop();
  });

  it('tells followers to reload everything where an event cannot be read, and sends those before and after it', async () => {
    await using world = await createWorld();
    const { events, reports } = watchedEvents(world);
    const execution_id = await aRun(world);
    const start = await world.store.reads.events.head();
    const live = await aListener({ events }, world.owner);

    await Promise.all([aStep(world, execution_id), emitUnreadable(world), aStep(world, execution_id)]);
    await live.until(() => live.changes().length === 3);
    const resumed = await aListener({ events }, world.owner, { after: String(start) });
    await resumed.until(() => resumed.changes().length === 3);

    const head = start + 2;
    for (const listener of [live, resumed]) {
      expect(kinds(listener)).toEqual(['step.created', 'reset', 'step.created']);
      expect(listener.changes()[1]).toMatchObject({ id: String(head), data: { reason: 'unreadable', head } });
      expect(listener.lastId()).toBe(String(start + 3));
      listener.stop();
    }
    expect(reports).toEqual([new UnreadableEvent(head)]);
  });

  it('notices an unreadable event also when it is the last', async () => {
    await using world = await createWorld();
    const { events } = watchedEvents(world);
    const listener = await aListener({ events }, world.owner);

    await Promise.all([aRun(world), emitUnreadable(world)]);
    await listener.until(() => listener.changes().length === 2);

    expect(kinds(listener)).toEqual(['execution.created', 'reset']);
    listener.stop();
  });

  it('writes nothing to a follower that does not read, however many events cannot be read', async () => {
    await using world = await createWorld();
    const { events } = watchedEvents(world);
    const [slow, other] = [await aListener({ events }, world.owner), await aListener({ events }, world.owner)];

    const goOn = slow.hold();
    for (let i = 0; i < 3; i++) await emitUnreadable(world);
    await other.until(() => other.changes().length === 3);
    const whileHeld = slow.changes().length;
    goOn();
    await slow.until(() => slow.changes().length === 3);

    expect(whileHeld).toBe(0);
    slow.stop();
    other.stop();
  });

  it('tells a follower whose rights cannot be checked to reload, and sends the event to all others', async () => {
    await using world = await createWorld();
    const { events, reports } = watchedEvents(world);
    const failure = new Error('no such right');
    const [broken, other] = [await aListener({ events }, world.owner), await aListener({ events }, world.owner)];
    broken.hearAs({
      ...world.owner,
      get workspace_id(): never {
        throw failure;
      },
    });

    await aRun(world);
    await other.until(() => other.changes().length === 1);
    broken.hearAs(world.owner);
    await aRun(world);
    await other.until(() => other.changes().length === 2);
    await broken.until(() => broken.changes().length === 2);

    expect(kinds(other)).toEqual(['execution.created', 'execution.created']);
    expect(kinds(broken)).toEqual(['reset', 'execution.created']);
    expect(reports).toEqual([failure]);
    broken.stop();
    other.stop();
  });

  it('continues with all followers, with the events that they missed, after a write to one of them failed', async () => {
    await using world = await createWorld();
    const { events, reports } = watchedEvents(world);
    const failure = new Error('no such stream');
    let isBroken = false;
    const broken = await events.listen(world.owner, readQuestion(new URLSearchParams()));
    broken.start({
      write: () => {
        if (isBroken) throw failure;
      },
      isFull: () => false,
      drained: async () => {},
    });
    const other = await aListener({ events }, world.owner);

    isBroken = true;
    await aRun(world);
    await vi.waitFor(() => expect(reports).toContain(failure));
    broken.stop();
    await aRun(world);
    await other.until(() => other.changes().length === 2);

    expect(kinds(other)).toEqual(['execution.created', 'execution.created']);
    other.stop();
  });

  it('sends an event of another version without its data', async () => {
    await using world = await createWorld();
    const listener = await aListener(world.gateway, world.owner);
    const { workspace_id, user_id } = world.owner;

    await world.store.transaction(async (tx) =>
      tx.emit({
        workspace_id,
        kind: 'step.created',
        entity_id: null,
        execution_id: null,
        audience: { scope: 'execution:report', project_id: null, user_id, agent_id: null, service_id: null },
        actor: null,
        data: { nothing: 'known' },
      }),
    );
    await aRun(world);
    await listener.until(() => listener.changes().length === 2);

    expect(listener.changes()[0]?.data.data).toBeNull();
    listener.stop();
  });
});
