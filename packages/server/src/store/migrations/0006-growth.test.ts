import { expect, it } from 'vitest';
import { verifyChain } from '#services/verify-chain';
import { anEvent, aUser } from '#store/testing/contract/fixture';
import { foundation } from './0001-foundation.ts';
import { tracker } from './0002-tracker.ts';
import { executions } from './0003-executions.ts';
import { board } from './0004-board.ts';
import { appUsers } from './0005-app-users.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

/** An entry and its head as the release before wrote them. */
const HASH = '6d9f2fc4a4a8a6c4f1f2f8f55a6ad6a0f1a2a1f8b7a0fd8f5b6f0d3c3f5b1a11';
const aRefusal = (seq: number): string => `
insert into audit_events (
  seq, at, workspace_id, actor_kind, user_id, action, outcome, correlation_id, prev_hash, hash)
values (${seq}, 1, 'w1', 'user', 'ann', 'add_task', 'denied', 'c-1', '${'0'.repeat(64)}', '${HASH}');
`;

const OLD_ROWS = `insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);`;

const DATABASES = upgradesFrom([foundation, tracker, executions, board, appUsers], OLD_ROWS, [
  'select seq, outcome, hash from audit_events order by seq',
]);

it.each(DATABASES)('chains counted refusals to the entries of the release before, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store } = upgraded;
  const user = aUser('w1' as never);

  await store.transaction(async (tx) => tx.record(anEvent(user)));
  await store.transaction(async (tx) =>
    tx.record(anEvent(user, { outcome: 'denied', reason: 'unauthorized', repeats: 9 })),
  );

  expect(await store.reads.audit.page(0, 10)).toMatchObject([
    { reason: null, repeats: null },
    { reason: 'unauthorized', repeats: 9 },
  ]);
  expect(await verifyChain(store.reads.audit, null)).toMatchObject({ entries: 2, problem: null });
});

it.each(DATABASES)('lets the release before go on writing the trail, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store, write, askAgain } = upgraded;

  await write(aRefusal(1));

  expect(await askAgain()).toMatchObject([[{ outcome: 'denied', hash: HASH }]]);
  expect(await store.reads.audit.page(0, 10)).toMatchObject([{ reason: null, repeats: null }]);
});
