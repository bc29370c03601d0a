import { expect, it } from 'vitest';
import type { AuditEvent } from '#domain/audit';
import type { UserId, WorkspaceId } from '#domain/ids';
import type { User } from '#domain/user';
import { verifyChain } from '#services/verify-chain';
import { aHash, anEvent, anExchange, anId, aRecord, aUser, conversationsOf } from '#store/testing/contract/fixture';
import { aChange } from '#store/testing/contract/tracker-fixture';
import { rechained, wholeRow } from '#testing/open-trail';
import { MIGRATIONS } from './migrations.ts';
import { type Upgraded, upgradesFrom } from './testing/upgrades-from.ts';

const BEFORE = MIGRATIONS.filter(({ name }) => name < '0031');
const ANN: User = aUser('w1' as WorkspaceId, { id: 'ann' as UserId });
const CALL = [
  { role: 'user', content: 'add_task {}' },
  { role: 'assistant', content: '{}' },
] as const;

/** An id from before those of this test. */
const anOldId = (...parts: readonly number[]): string => `00000000-0000-1000-8000-${parts.join('').padStart(12, '0')}`;

/** The rows of a call as the release before writes them, and its place in the trail. */
const aCall = (seq: number, entry: AuditEvent, conversation: string): string => `
insert into messages (id, conversation_id, role, content, created_at) values ('${anOldId(seq, 1)}', '${conversation}', 'user', 'asked ${seq}', 1);
insert into messages (id, conversation_id, role, content, created_at) values ('${anOldId(seq, 2)}', '${conversation}', 'assistant', 'answered ${seq}', 1);
insert into events (seq, at, body) values (${seq}, 1, '${JSON.stringify(aChange(ANN, { kind: `old.${seq}` }))}');
update event_head set seq = ${seq};
${wholeRow(entry)};
update audit_head set seq = ${seq}, hash = '${entry.hash}';
`;

const aConversation = (id: string): string => `
insert into conversations (id, workspace_id, user_id, started_at, last_activity_at) values ('${id}', 'w1', 'ann', 1, 9007199254740991);
`;

const anAnswer = (key: string, expires_at: number): string => `
insert into idempotency (principal_id, key, tool, args_hash, result, project_id, created_at, expires_at)
values ('ann', '${key}', 'add_task', '${aHash(1)}${aHash(2)}', '"old"', null, 1, ${expires_at})
on conflict (principal_id, key) do nothing;
`;

const LATER = Number.MAX_SAFE_INTEGER;
const [FIRST, SECOND] = rechained(
  [1, 2].map((seq) => ({ ...anEvent(ANN), correlation_id: `old-${seq}`, seq, at: 1, prev_hash: '', hash: '' })),
).events as [AuditEvent, AuditEvent];

const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
insert into users (id, workspace_id, name, role, status, created_at) values ('ann', 'w1', 'Ann', 'admin', 'active', 1);
${aConversation('c1')}
${aCall(1, FIRST, 'c1')}
${anAnswer('kept', LATER)}
`;

const DATABASES = upgradesFrom(BEFORE, OLD_ROWS);

const callAgain = ({ store }: Upgraded, key: string) =>
  store.transaction(async (tx) => {
    await tx.idempotency.put(aRecord(tx.now, { principal_id: 'ann', key }));
    tx.say({ ...anExchange(ANN), messages: CALL });
    tx.emit(aChange(ANN, { kind: 'new' }));
    tx.record(anEvent(ANN, { entity_id: anId(), correlation_id: anId() }));
  });

async function readAll({ store }: Upgraded) {
  const { reads } = store;
  const events = await reads.events.page({ after: 0, limit: 10 });
  return {
    said: await conversationsOf(store, ANN),
    events: events.map(({ seq, kind }) => `${seq} ${kind}`),
    trail: await verifyChain(reads.audit, FIRST),
    answers: [
      (await reads.idempotency.find('ann', 'kept'))?.result,
      (await reads.idempotency.find('ann', 'new'))?.result,
    ],
  };
}

const SAID = CALL.map(({ content }) => content);

it.each(DATABASES)('reads the rows of the release before together with its own, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();

  await callAgain(upgraded, 'new');

  expect(await readAll(upgraded)).toMatchObject({
    said: [['asked 1', 'answered 1', ...SAID]],
    events: ['1 old.1', '2 new'],
    trail: { entries: 2, problem: null },
    answers: ['"old"', '{"ok":true}'],
  });
});

it.each(DATABASES)('lets the release before go on writing beside it, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();

  await upgraded.write(`${aConversation('c2')} ${aCall(2, SECOND, 'c2')}`);
  await callAgain(upgraded, 'new');

  expect(await readAll(upgraded)).toMatchObject({
    said: [
      ['asked 1', 'answered 1'],
      ['asked 2', 'answered 2', ...SAID],
    ],
    events: ['1 old.1', '2 old.2', '3 new'],
    trail: { entries: 3, problem: null },
  });
});

it.each(DATABASES)(
  'refuses the row of a call when the release before cannot see its answer, on %s',
  async (_, upgrade) => {
    await using upgraded = await upgrade();
    await callAgain(upgraded, 'new');

    await upgraded.write(`${anAnswer('new', LATER)} ${anAnswer('other', LATER)}`);

    const { find } = upgraded.store.reads.idempotency;
    expect((await find('ann', 'new'))?.result).toBe('{"ok":true}');
    expect((await find('ann', 'other'))?.result).toBe('"old"');
  },
);

it.each(DATABASES)('counts and removes messages of both forms, the oldest first, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store } = upgraded;
  await callAgain(upgraded, 'new');
  await callAgain(upgraded, 'newer');
  const crowded = () => store.reads.conversations.crowded({ active_within_ms: LATER, most: 1, limit: 10 });

  expect(await crowded()).toEqual([{ user_id: ANN.id, count: 6 }]);
  expect(await store.transaction((tx) => tx.conversations.trim(ANN.id, 3))).toBe(4);
  expect(await crowded()).toEqual([{ user_id: ANN.id, count: 2 }]);
});
