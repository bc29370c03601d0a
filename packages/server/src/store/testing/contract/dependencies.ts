import { expect, it } from 'vitest';
import { settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';

/** Items that wait for others. */
export function describeDependencies(open: OpenFixture): void {
  it('[10.5] replaces the items that one waits for, and shows them from both ends in the order of their making', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, everything } = await settleBoard(store);
    const [first, second, third] = [garden.anItem({ title: 'first' }), garden.anItem(), garden.anItem()];
    await store.transaction(async (tx) => {
      for (const more of [first, second, third]) await tx.workItems.insert(more);
      await tx.board.setBlockers(item, [second.id, first.id, second.id]);
      await tx.board.setBlockers(third, [first.id]);
    });
    const { board } = store.reads;
    const blockers = async () => (await board.blockers(everything, item.id)).map(({ id }) => id);
    const blocked = async () => (await board.blocked(everything, first.id)).map(({ id }) => id);

    expect(await blockers()).toEqual([first.id, second.id]);
    expect(await blocked()).toEqual([item.id, third.id]);
    expect((await board.blockers(everything, item.id))[0]).toEqual({
      id: first.id,
      project_id: first.project_id,
      state_id: first.state_id,
      title: 'first',
      priority: 'none',
      target_date: null,
      version: 1,
      updated_at: 1,
      state_name: 'unstarted',
      state_group: 'unstarted',
      key: `${garden.project.key}-2`,
    });
    await store.transaction((tx) => tx.board.setBlockers(item, [third.id]));
    expect(await blockers()).toEqual([third.id]);
    await store.transaction((tx) => tx.board.setBlockers(item, []));

    expect(await blockers()).toEqual([]);
    expect(await blocked()).toEqual([third.id]);
  });

  it('[10.5] counts blockers that are not completed: one that was cancelled still blocks', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, everything } = await settleBoard(store);
    const cancelled = {
      id: anId<typeof item.state_id>(),
      project_id: garden.project.id,
      slug: 'cancelled',
      name: 'Cancelled',
      state_group: 'cancelled',
      position: 9,
    } as const;
    const completed = garden.states.find(({ state_group }) => state_group === 'completed')?.id ?? cancelled.id;
    const blockers = [
      garden.anItem(),
      garden.anItem({ state_id: cancelled.id }),
      garden.anItem({ state_id: completed, completed_at: 1 }),
    ];
    await store.transaction(async (tx) => {
      await tx.projects.insertState(cancelled);
      for (const blocker of blockers) await tx.workItems.insert(blocker);
      await tx.board.setBlockers(
        item,
        blockers.map(({ id }) => id),
      );
    });

    expect((await store.reads.board.task(everything, item.id))?.open_blockers).toBe(2);
  });

  it('[2.2] shows neither end of a dependency to a caller who sees one of them only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, kitchen, only, elsewhere } = await settleBoard(store);
    const [inside, outside] = [garden.anItem(), kitchen.anItem()];
    await store.transaction(async (tx) => {
      for (const more of [inside, outside]) await tx.workItems.insert(more);
      await tx.board.setBlockers(item, [inside.id, outside.id]);
      await tx.board.setBlockers(inside, [item.id]);
      await tx.board.setBlockers(outside, [item.id]);
    });
    const { blockers, blocked } = store.reads.board;
    const within = only(garden.project);

    expect((await blockers(within, item.id)).map(({ id }) => id)).toEqual([inside.id]);
    expect((await blocked(within, item.id)).map(({ id }) => id)).toEqual([inside.id]);
    for (const other of elsewhere) {
      expect(await blockers(other, item.id)).toEqual([]);
      expect(await blocked(other, item.id)).toEqual([]);
    }
  });

  it('[10.5] finds indirect dependencies, and ends in a circle', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden } = await settleBoard(store);
    const [a, b, c] = [garden.anItem(), garden.anItem(), garden.anItem()];
    await store.transaction(async (tx) => {
      for (const item of [a, b, c]) await tx.workItems.insert(item);
      await tx.board.setBlockers(a, [b.id]);
      await tx.board.setBlockers(b, [c.id]);
    });
    const { waitsFor } = store.reads.board;
    const { workspace_id } = a;

    expect([await waitsFor(workspace_id, a.id, b.id), await waitsFor(workspace_id, a.id, c.id)]).toEqual([true, true]);
    expect([await waitsFor(workspace_id, c.id, a.id), await waitsFor(workspace_id, a.id, a.id)]).toEqual([
      false,
      false,
    ]);
    await store.transaction((tx) => tx.board.setBlockers(c, [a.id]));

    expect([await waitsFor(workspace_id, c.id, b.id), await waitsFor(workspace_id, a.id, a.id)]).toEqual([true, true]);
    expect(await waitsFor(workspace_id, a.id, anId())).toBe(false);
  });

  it('[5.4] removes the dependencies and the claim of a deleted item', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, everything } = await settleBoard(store);
    const other = garden.anItem();
    await store.transaction(async (tx) => {
      await tx.workItems.insert(other);
      await tx.board.setBlockers(item, [other.id]);
      await tx.board.setBlockers(other, [item.id]);
    });

    await store.transaction((tx) => tx.workItems.delete(item.workspace_id, item.id));

    expect(await store.reads.board.blockers(everything, other.id)).toEqual([]);
    expect(await store.reads.board.blocked(everything, other.id)).toEqual([]);
    expect(await store.reads.board.task(everything, other.id)).toMatchObject({ open_blockers: 0 });
  });

  it('[5.8] refuses a dependency on an unknown item', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item } = await settleBoard(store);

    const attempt = store.transaction((tx) => tx.board.setBlockers(item, [anId()]));

    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
  });
}
