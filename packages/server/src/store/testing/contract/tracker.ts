import { expect, it } from 'vitest';
import type { LabelId, UserId, WorkItemId } from '#domain/ids';
import { anId, EVERYTHING, type OpenFixture } from './fixture.ts';
import { aComment, aLabel, anAgent, aRun, settleTeams } from './tracker-fixture.ts';

/** What belongs to a work item, seen from the right project and from all others; runs. */
export function describeTracker(open: OpenFixture): void {
  it('[2.2] finds an item in a visible project only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, only, everything, elsewhere } = await settleTeams(store);
    const item = garden.anItem({ description_html: '<p>Soon</p>', detail_layout: '{}', description: 'Soon' });
    const other = garden.anItem();
    await store.transaction(async (tx) => {
      for (const made of [item, other]) await tx.workItems.insert(made);
    });
    const { find } = store.reads.workItems;

    expect(await find(only(garden.project), item.id)).toEqual(item);
    expect(await find(only(kitchen.project, garden.project), item.id)).toEqual(item);
    expect(await find(everything, item.id)).toEqual(item);
    expect(await find(everything, other.id)).toEqual(other);
    for (const within of elsewhere) expect(await find(within, item.id)).toBeNull();
  });

  it('[5.7] returns an item and its ancestors, itself first, as far as they are visible', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, foreign, only, everything, elsewhere } = await settleTeams(store);
    const outside = foreign.aTodo();
    const root = kitchen.anItem({ parent_id: outside.id });
    const top = garden.anItem({ parent_id: root.id });
    const middle = garden.anItem({ parent_id: top.id });
    const leaf = garden.anItem({ parent_id: middle.id });
    await store.transaction(async (tx) => {
      for (const made of [outside, root, top, middle, leaf, garden.anItem({ parent_id: top.id })])
        await tx.workItems.insert(made);
    });
    const { lineage } = store.reads.workItems;

    expect(await lineage(everything, leaf.id, 10)).toEqual([leaf.id, middle.id, top.id, root.id]);
    expect(await lineage(only(garden.project, kitchen.project, foreign.project), leaf.id, 10)).toHaveLength(4);
    expect(await lineage(only(garden.project), leaf.id, 10)).toEqual([leaf.id, middle.id, top.id]);
    expect(await lineage(everything, leaf.id, 2)).toEqual([leaf.id, middle.id]);
    expect(await lineage(everything, anId<WorkItemId>(), 10)).toEqual([]);
    for (const within of elsewhere) expect(await lineage(within, leaf.id, 10)).toEqual([]);
  });

  it('[5.7] returns no more ancestors than asked for, even in a circle', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, everything } = await settleTeams(store);
    const [top, leaf] = [garden.anItem(), garden.anItem()];
    await store.transaction(async (tx) => {
      for (const made of [top, leaf]) await tx.workItems.insert(made);
      await tx.workItems.update({ ...leaf, parent_id: top.id, version: 2 });
      await tx.workItems.update({ ...top, parent_id: leaf.id, version: 2 });
    });

    expect(await store.reads.workItems.lineage(everything, leaf.id, 3)).toEqual([leaf.id, top.id, leaf.id]);
  });

  it('[5.5] replaces the labels of an item, and shows them by name where the item is visible', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, only, everything, elsewhere } = await settleTeams(store);
    const [item, other] = [garden.anItem(), garden.anItem()];
    const [first, second, third] = ['zebra', 'Apple', 'bug'].map((name) => aLabel(garden.project, name)) as [
      ReturnType<typeof aLabel>,
      ReturnType<typeof aLabel>,
      ReturnType<typeof aLabel>,
    ];
    await store.transaction(async (tx) => {
      for (const label of [first, second, third]) await tx.projects.insertLabel(label);
      for (const made of [item, other]) await tx.workItems.insert(made);
      await tx.workItems.setLabels(item, [third.id]);
      await tx.workItems.setLabels(item, [first.id, second.id, first.id]);
      await tx.workItems.setLabels(other, [third.id]);
    });
    const { labels } = store.reads.workItems;

    expect(await labels(only(garden.project), item.id)).toEqual([second, first]);
    expect(await labels(everything, other.id)).toEqual([third]);
    for (const within of elsewhere) expect(await labels(within, item.id)).toEqual([]);

    await store.transaction((tx) => tx.workItems.setLabels(item, []));
    expect(await labels(everything, item.id)).toEqual([]);
    expect(await labels(everything, other.id)).toEqual([third]);
  });

  it('[5.5] refuses labels and assignees that are not of the project of the item', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, second, everything, user } = await settleTeams(store);
    const [item, label] = [garden.anItem(), aLabel(kitchen.project, 'bug')];
    await store.transaction(async (tx) => {
      await tx.workItems.insert(item);
      await tx.projects.insertLabel(label);
      await tx.workItems.setAssignees(item, [user.id]);
    });

    const attempts = [
      store.transaction((tx) => tx.workItems.setLabels(item, [label.id])),
      store.transaction((tx) => tx.workItems.setLabels(item, [anId<LabelId>()])),
      store.transaction((tx) => tx.workItems.setAssignees(item, [user.id, second.id])),
    ];

    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.reads.workItems.labels(everything, item.id)).toEqual([]);
    expect(await store.reads.workItems.assignees(everything, item.id)).toHaveLength(1);
  });

  it('[5.5] replaces the assignees of an item, and shows them by name where the item is visible', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, only, everything, elsewhere, user, second } = await settleTeams(store);
    const [item, other] = [garden.anItem(), garden.anItem()];
    await store.transaction(async (tx) => {
      await tx.projects.putMember({ project_id: garden.project.id, user_id: second.id, role: 'guest', added_at: 2 });
      for (const made of [item, other]) await tx.workItems.insert(made);
      await tx.workItems.setAssignees(item, [second.id, user.id]);
      await tx.workItems.setAssignees(other, [user.id]);
      await tx.workItems.setAssignees(other, [second.id]);
    });
    const { assignees } = store.reads.workItems;
    const both = [
      { user_id: user.id, name: 'Ada' },
      { user_id: second.id, name: 'Zoë' },
    ];

    expect(await assignees(only(garden.project), item.id)).toEqual(both);
    expect(await assignees(everything, other.id)).toEqual(both.slice(1));
    for (const within of elsewhere) expect(await assignees(within, item.id)).toEqual([]);
  });

  it('[5.6] pages through the comments of an item newest first, with the names of their authors', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, only, everything, elsewhere, user, second } = await settleTeams(store);
    const [item, other, agent] = [garden.anItem(), garden.anItem(), anAgent(user)];
    const [one, two, three] = [
      aComment(item, user),
      aComment(item, user, { author_agent_id: agent.id }),
      aComment(item, second),
    ];
    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      for (const made of [item, other]) await tx.workItems.insert(made);
      for (const comment of [one, two, three, aComment(other, user)]) await tx.workItems.insertComment(comment);
    });
    const { comments, countComments } = store.reads.workItems;

    expect(await comments(only(garden.project), item.id, { after: null, limit: 2 })).toEqual([
      { ...three, author_name: 'Zoë', agent_name: null },
      { ...two, author_name: 'Ada', agent_name: 'claude' },
    ]);
    expect(await comments(everything, item.id, { after: two.id, limit: 2 })).toEqual([
      { ...one, author_name: 'Ada', agent_name: null },
    ]);
    expect(await countComments(only(garden.project), item.id)).toBe(3);
    expect(await countComments(everything, other.id)).toBe(1);
    for (const within of elsewhere) {
      expect(await comments(within, item.id, EVERYTHING)).toEqual([]);
      expect(await countComments(within, item.id)).toBe(0);
    }
  });

  it('[5.4] deletes an item with its labels, assignees and comments', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, workspace_id, user, everything } = await settleTeams(store);
    const [item, label] = [garden.anItem(), aLabel(garden.project, 'bug')];
    await store.transaction(async (tx) => {
      await tx.projects.insertLabel(label);
      await tx.workItems.insert(item);
      await tx.workItems.setLabels(item, [label.id]);
      await tx.workItems.setAssignees(item, [user.id]);
      await tx.workItems.insertComment(aComment(item, user));
    });

    await store.transaction((tx) => tx.workItems.delete(workspace_id, item.id));

    expect(await store.reads.workItems.find(everything, item.id)).toBeNull();
    const words = { terms: ['water'], after: null, limit: 10 };
    expect(await store.reads.workItems.search(everything, words)).toEqual([]);
  });

  it('[2.2] finds a run only in a visible project', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, only, everything, elsewhere, user } = await settleTeams(store);
    const running = aRun(garden.project, user, { work_item_id: 'of another tracker' });
    await store.transaction((tx) => tx.runs.insert(running));
    const { find } = store.reads.runs;

    expect(await find(only(garden.project), running.id)).toEqual(running);
    expect(await find(everything, running.id)).toEqual(running);
    for (const within of elsewhere) expect(await find(within, running.id)).toBeNull();
  });

  it('[5.8] refuses an unknown assignee', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden } = await settleTeams(store);
    const item = garden.anItem();
    await store.transaction((tx) => tx.workItems.insert(item));

    const attempt = store.transaction((tx) => tx.workItems.setAssignees(item, [anId<UserId>()]));

    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
  });
}
