import { expect, it } from 'vitest';
import type { AttemptId, ProjectId, WorkItemId } from '#domain/ids';
import { anAttempt, anItem, aProject, DATABASES, EVERYTHING, WORKSPACE } from '#store/migrations/testing/before-keys';
import type { Store } from '#store/store';
import { numberChores } from './number-chores.ts';

const anAppUser = (id: string) => `
insert into users (id, workspace_id, name, role, status, created_at) values ('${id}', 'w1', 'x', 'member', 'active', 1);
insert into app_users (user_id, workspace_id, app, external_id) values ('${id}', 'w1', 'shop', '${id}');
`;

/** One round of every chore; answers how many transactions it took. */
async function round(store: Store, chores: ReturnType<typeof numberChores>): Promise<number> {
  let made = 0;
  for (const { isDue, part } of chores) {
    if (!(await isDue(store.reads))) continue;
    do made++;
    while (await store.transaction(part));
  }
  return made;
}

it.each(DATABASES)(
  '[L-KEY] numbers what a server of the release before has added beside this one, on %s',
  async (_, upgrade) => {
    await using upgraded = await upgrade();
    const { store } = upgraded;
    const chores = numberChores({ batch: 2 });
    const idle = await round(store, chores);

    await upgraded.write(['i4', 'i5', 'i6'].map((id) => anItem(id, 'p1')).join(''));
    await upgraded.write(`${anAttempt('a4', 'i4', 9)} ${anAttempt('a5', 'i1', 9)} ${anAttempt('a6', 'i1', 9)}`);
    await round(store, chores);

    const { workItems, attempts } = store.reads;
    const items = ['i4', 'i5', 'i6'].map(async (id) => (await workItems.find(EVERYTHING, id as WorkItemId))?.number);
    const keys = ['a4', 'a5', 'a6'].map(async (id) => (await attempts.find(EVERYTHING, id as AttemptId))?.key);
    expect(idle).toBe(0);
    expect(await Promise.all(items)).toEqual([3, 4, 5]);
    expect(await Promise.all(keys)).toEqual(['GAR-3.1', 'GAR-1.3', 'GAR-1.4']);
    expect(await round(store, chores)).toBe(0);
  },
);

it.each(DATABASES)('[L-KEY] gives keys to projects, and not to the todo lists of apps, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store } = upgraded;
  const chores = numberChores({ batch: 2 });
  const keyOf = async (id: string) => (await store.reads.projects.find(WORKSPACE, id as ProjectId))?.key;
  await round(store, chores);

  await upgraded.write(
    ['p5', 'p6'].map((id, at) => `${anAppUser(`u-${id}`)} ${aProject(id, 5 + at, 'Inbox', `'u-${id}'`)}`).join(''),
  );
  await round(store, chores);
  await upgraded.write(['p7', 'p8', 'p9'].map((id, at) => aProject(id, 7 + at, 'Garden')).join(''));
  await round(store, chores);

  expect(await Promise.all(['p4', 'p5', 'p6'].map(keyOf))).toEqual([null, null, null]);
  expect(await Promise.all(['p7', 'p8', 'p9'].map(keyOf))).toEqual(['GAR3', 'GAR4', 'GAR5']);
  expect(await store.reads.projects.ofKey(WORKSPACE, 'GAR4')).toMatchObject({ id: 'p8' });
  expect(await round(store, chores)).toBe(0);
});
