import { expect, it } from 'vitest';
import { foundation } from './0001-foundation.ts';
import { tracker } from './0002-tracker.ts';
import { executions } from './0003-executions.ts';
import { board } from './0004-board.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

const OLD_ROWS = `insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);`;

const DATABASES = upgradesFrom([foundation, tracker, executions, board], OLD_ROWS);

it.each(DATABASES)('keeps client sessions on a database of the release before, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store, write } = upgraded;
  const session = { id: 's1', owner: 'anna', facts: '{}', tasks_made: 0, created_at: 1, seen_at: 1 };

  await store.transaction(async (tx) => {
    await tx.clientSessions.insert({ ...session, seen_at: tx.now });
    await tx.clientSessions.ofServer.claimQuestion({
      session_id: 's1',
      question_id: 'q',
      holder: 'a',
      held_until: tx.now,
    });
  });
  await write(`update workspaces set name = 'Garden' where id = 'w1'`);

  expect(await store.reads.clientSessions.find('anna', 's1', 60_000)).toMatchObject({ id: 's1', facts: '{}' });
  expect(await store.reads.workspaces.first()).toMatchObject({ name: 'Garden' });
});
