import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { auditText, GENESIS_HASH } from '#domain/audit';
import type { ProjectId, UserId, WorkItemId, WorkspaceId } from '#domain/ids';
import { anEvent, aUser } from '#store/testing/contract/fixture';
import { foundation } from './0001-foundation.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

const WORKSPACE = 'w1' as WorkspaceId;
const OLD_ENTRY = [GENESIS_HASH, 1, 5, 'w1', 'user', 'ann', null, null, 'add_task', 'ok', null, null, null, 'c-1'];
const OLD_HASH = hash('sha256', JSON.stringify(OLD_ENTRY), 'hex');

/** A database as the first release left it. */
const OLD_ROWS = `
insert into workspaces values ('w1', 'Home', 1), ('w2', 'Away', 1);
insert into users values
  ('ann', 'w1', 'Ann', 'admin', 'active', 1), ('bob', 'w1', 'Bob', 'member', 'active', 1),
  ('eve', 'w2', 'Eve', 'admin', 'active', 1);
insert into projects values
  ('p1', 'w1', 'personal', 'bob', 'Todos', null, 3), ('p2', 'w1', 'team', null, 'Garden', 'Short.', 4);
insert into states values ('s1', 'p1', 'todo', 'Todo', 'unstarted', 0), ('s2', 'p2', 'todo', 'Todo', 'unstarted', 0);
insert into work_items values
  ('i1', 'w1', 'p1', 'bob', 's1', 'Buy milk', 'from the farm', 'none', 1, null, null, null, null, 1, 1, 1),
  ('i2', 'w1', 'p2', null, 's2', 'Milk the cow', null, 'none', 1, null, null, null, null, 1, 1, 1);
insert into idempotency values ('ann', 'key-1', 'add_task', 'hash-1', '"old"', 1, 9007199254740991);
insert into audit_events values
  (1, 5, 'w1', 'user', 'ann', null, null, 'add_task', 'ok', null, null, null, 'c-1', '${GENESIS_HASH}', '${OLD_HASH}');
update audit_head set seq = 1, hash = '${OLD_HASH}';
`;

const DATABASES = upgradesFrom([foundation], OLD_ROWS);

it.each(DATABASES)('keeps what the first release wrote, and adds what it did not know, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { reads } = upgraded.store;
  const [personal, team] = ['p1', 'p2'] as [ProjectId, ProjectId];
  const members = async (id: ProjectId) =>
    (await reads.projects.members(WORKSPACE, id)).map(({ user_id, role, added_at }) => [user_id, role, added_at]);

  expect(await members(personal)).toEqual([['bob', 'admin', 3]]);
  expect(await members(team)).toEqual([['ann', 'admin', 4]]);
  expect(await reads.projects.find(WORKSPACE, team)).toMatchObject({ card_guide: 'Short.', completion_gate: 'none' });
  expect(await reads.workItems.findTodo(WORKSPACE, 'i1' as WorkItemId)).toMatchObject({
    title: 'Buy milk',
    description_html: null,
    detail_layout: null,
    created_by_user_id: null,
    created_by_agent_id: null,
  });
  expect(await reads.idempotency.find('ann', 'key-1')).toMatchObject({ result: '"old"', project_id: null });
});

it.each(DATABASES)('finds items of the first release by their words, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const found = async (term: string, project_ids: readonly ProjectId[] | 'all') => {
    const within = { workspace_id: WORKSPACE, project_ids, user_id: 'bob' as UserId };
    const rows = await upgraded.store.reads.workItems.search(within, { terms: [term], after: null, limit: 9 });
    return rows.map(({ id, tier }) => `${id} ${tier}`);
  };

  expect(await found('milk', 'all')).toEqual(['i2 title', 'i1 title']);
  expect(await found('farm', 'all')).toEqual(['i1 text']);
  expect(await found('milk', ['p2' as ProjectId])).toEqual(['i2 title']);
});

it.each(DATABASES)('goes on with the audit chain of the first release, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store } = upgraded;

  await store.transaction(async (tx) => tx.record(anEvent(aUser(WORKSPACE, { id: 'ann' as UserId }))));

  const [old, next] = await store.reads.audit.page(0, 2);
  expect(old).toMatchObject({ before_digest: null, after_digest: null, instruction_ref: null, hash: OLD_HASH });
  if (old !== undefined) expect(hash('sha256', auditText(old), 'hex')).toBe(OLD_HASH);
  expect(next).toMatchObject({ seq: 2, prev_hash: OLD_HASH });
});
