import { expect, it } from 'vitest';
import type { AttemptId, ProjectId, WorkItemId } from '#domain/ids';
import { anApproval, anAttempt, anItem, DATABASES, EVERYTHING, WORKSPACE } from './testing/before-keys.ts';

it.each(DATABASES)('gives keys to projects, and numbers to tasks and attempts, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { projects, workItems, attempts } = upgraded.store.reads;
  const keyOf = async (id: string) => (await projects.find(WORKSPACE, id as ProjectId))?.key;
  const numberOf = async (id: string) => (await workItems.find(EVERYTHING, id as WorkItemId))?.number;
  const attempt = async (id: string) => (await attempts.find(EVERYTHING, id as AttemptId))?.number;

  expect(await Promise.all(['p1', 'p2', 'p3', 'p4'].map(keyOf))).toEqual(['GAR', 'GAR2', 'ANN', null]);
  expect(await Promise.all(['i1', 'i2', 'i3'].map(numberOf))).toEqual([1, 2, 1]);
  expect(await Promise.all(['a1', 'a0'].map(attempt))).toEqual([1, 2]);
  expect(await projects.ofKey(WORKSPACE, 'GAR2')).toMatchObject({
    id: 'p2',
    require_green: false,
    merge_mode: 'merge',
  });
});

it.each(DATABASES)('goes on counting after what was numbered, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store } = upgraded;
  const item = await store.reads.workItems.find(EVERYTHING, 'i2' as WorkItemId);
  const attempt = await store.reads.attempts.find(EVERYTHING, 'a1' as AttemptId);
  if (item === null || attempt === null) throw new Error('The rows of the release before are gone.');

  await store.transaction(async (tx) => {
    await tx.workItems.insert({ ...item, id: 'i9' as WorkItemId });
    await tx.attempts.insert({ ...attempt, id: 'a9' as AttemptId }, []);
  });

  expect(await store.reads.workItems.find(EVERYTHING, 'i9' as WorkItemId)).toMatchObject({ number: 3 });
  expect(await store.reads.attempts.find(EVERYTHING, 'a9' as AttemptId)).toMatchObject({ number: 3 });
});

it.each(DATABASES)('lets the release before go on, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();

  await upgraded.write(`${anItem('i4', 'p1')} ${anAttempt('a4', 'i4', 9)} ${anApproval('q2')}`);
  const [items, approvals] = await upgraded.askAgain();

  expect(items).toHaveLength(4);
  expect(approvals).toEqual([
    { id: 'q1', execution_id: 'e1', attempt_id: 'a1', status: 'pending' },
    { id: 'q2', execution_id: 'e1', attempt_id: 'a1', status: 'pending' },
  ]);
  expect(await upgraded.store.reads.workItems.find(EVERYTHING, 'i4' as WorkItemId)).toMatchObject({ number: null });
  expect(
    await upgraded.store.reads.approvals.pending({ id: 'a1' as AttemptId, workspace_id: WORKSPACE }),
  ).toMatchObject([
    { id: 'q1', project_id: 'p1', origin: 'protocol' },
    { id: 'q2', project_id: null, origin: 'protocol' },
  ]);
});
