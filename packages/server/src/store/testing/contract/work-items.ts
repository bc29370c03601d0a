import { expect, it } from 'vitest';
import type { UserId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { Store } from '#store/store';
import { aProject, type OpenFixture, settle, someStates } from './fixture.ts';

const TRICKY = [
  'emoji 👩‍👩‍👧‍👦 🇺🇦 é',
  'مرحبا بالعالم שלום',
  `"double" 'single' \`back\` \\ %_`,
  "'; drop table work_items; --",
  'line\nbreak\ttab',
  '中文字符',
];

async function pages(
  store: Store,
  owner: UserId,
  completed: boolean | null,
  limit: number,
): Promise<readonly string[]> {
  const titles: string[] = [];
  let after: WorkItemId | null = null;
  for (;;) {
    const page = await store.reads.workItems.todos(owner, { completed, after, limit });
    titles.push(...page.map(({ title }) => title));
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return titles;
    after = last.id;
  }
}

export function describeWorkItems(open: OpenFixture): void {
  it('[5.1] returns every text as it was given', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, workspace_id, aTodo } = await settle(store);
    const todos = TRICKY.map((text) => aTodo({ title: text, description: text, sort_order: 1.5 }));

    await store.transaction(async (tx) => {
      for (const todo of todos) await tx.workItems.insert(todo);
    });

    for (const todo of todos) expect(await store.reads.workItems.findTodo(workspace_id, todo.id)).toEqual(todo);
    expect(await pages(store, user.id, null, 2)).toEqual(TRICKY);
  });

  it('[5.2] pages through todos in the order of creation, without gap or repeat', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [mine, theirs] = [await settle(store), await settle(store)];
    const titles = Array.from({ length: 23 }, (_, i) => `todo ${i}`);
    const done = mine.states.find(({ state_group }) => state_group === 'completed');
    await store.transaction(async (tx) => {
      for (const [i, title] of titles.entries()) {
        const completed = i % 3 === 0 && done !== undefined && { state_id: done.id, completed_at: 7 };
        await tx.workItems.insert(mine.aTodo({ title, ...completed }));
        await tx.workItems.insert(theirs.aTodo({ title: `not ${title}` }));
      }
    });

    expect(await pages(store, mine.user.id, null, 5)).toEqual(titles);
    expect(await pages(store, mine.user.id, true, 5)).toEqual(titles.filter((_, i) => i % 3 === 0));
    expect(await pages(store, mine.user.id, false, 5)).toEqual(titles.filter((_, i) => i % 3 !== 0));
    const [first] = await store.reads.workItems.todos(mine.user.id, { completed: null, after: null, limit: 1 });
    expect(first).toMatchObject({ title: 'todo 0', description: null, completed: true });
  });

  it('[2.1] finds a todo in its workspace only, and no item of a team', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, aTodo } = await settle(store);
    const other = await settle(store);
    const team = aProject(workspace_id);
    const [todo, item] = [aTodo(), aTodo({ project_id: team.id, owner_id: null })];
    await store.transaction(async (tx) => {
      await tx.projects.insert(team, someStates(team.id));
      await tx.workItems.insert(todo);
      await tx.workItems.insert(item);
    });

    expect(await store.reads.workItems.findTodo(workspace_id, todo.id)).toEqual(todo);
    expect(await store.reads.workItems.findTodo(other.workspace_id, todo.id)).toBeNull();
    expect(await store.reads.workItems.findTodo(workspace_id, item.id)).toBeNull();
  });

  it('[5.3] changes an item only from the version that was read', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, states, aTodo } = await settle(store);
    const [todo, other] = [aTodo(), aTodo()];
    await store.transaction(async (tx) => {
      for (const item of [todo, other]) await tx.workItems.insert(item);
    });
    const done = { ...todo, state_id: states[2]?.id ?? todo.state_id, title: 'Done', completed_at: 9, version: 2 };

    await store.transaction((tx) => tx.workItems.update(done));
    const stale = store.transaction((tx) => tx.workItems.update({ ...todo, title: 'Stale', version: 2 }));
    const foreign = store.transaction((tx) =>
      tx.workItems.update({ ...done, workspace_id: 'elsewhere' as WorkspaceId, version: 3 }),
    );

    await expect(stale).rejects.toMatchObject({ code: 'conflict' });
    await expect(foreign).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.reads.workItems.findTodo(workspace_id, todo.id)).toEqual(done);
    expect(await store.reads.workItems.findTodo(workspace_id, other.id)).toEqual(other);
  });

  it('[5.4] deletes an item in its workspace only, and leaves its children behind', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, aTodo } = await settle(store);
    const other = await settle(store);
    const parent = aTodo();
    const child = aTodo({ parent_id: parent.id });
    await store.transaction(async (tx) => {
      await tx.workItems.insert(parent);
      await tx.workItems.insert(child);
    });

    await store.transaction((tx) => tx.workItems.delete(other.workspace_id, parent.id));
    expect(await store.reads.workItems.findTodo(workspace_id, parent.id)).toEqual(parent);

    await store.transaction((tx) => tx.workItems.delete(workspace_id, parent.id));
    expect(await store.reads.workItems.findTodo(workspace_id, parent.id)).toBeNull();
    expect(await store.reads.workItems.findTodo(workspace_id, child.id)).toEqual({ ...child, parent_id: null });
  });

  it('[5.8] refuses an item of a project that does not exist', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, aTodo } = await settle(store);
    const todo = aTodo({ project_id: 'nowhere' as ReturnType<typeof aTodo>['project_id'] });

    const insert = store.transaction((tx) => tx.workItems.insert(todo));

    await expect(insert).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.reads.workItems.findTodo(workspace_id, todo.id)).toBeNull();
  });
}
