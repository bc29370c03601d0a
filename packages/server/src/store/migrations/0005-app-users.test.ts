import { expect, it } from 'vitest';
import type { UserId, WorkspaceId } from '#domain/ids';
import { foundation } from './0001-foundation.ts';
import { tracker } from './0002-tracker.ts';
import { executions } from './0003-executions.ts';
import { board } from './0004-board.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

const WORKSPACE = 'w1' as WorkspaceId;

/** As the release before writes them. */
const aToken = (id: string, acts_for: string): string => `
insert into tokens (id, workspace_id, kind, name, hash, user_id, agent_id, scopes, acts_for, created_at)
values ('${id}', 'w1', 'service', 'assistant', 'hash-${id}', 'ann', null, '["todo:act_as"]', '${acts_for}', 1);
`;
const aUser = (id: string): string => `
insert into users (id, workspace_id, name, role, status, created_at) values ('${id}', 'w1', '${id}', 'member', 'active', 1);
`;

/** A database as the release before left it. */
const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
${aUser('ann')} ${aToken('t1', '"*"')} ${aToken('t2', '["ann"]')}
`;

/** As the release before asks for them. */
const OLD_QUESTIONS = ['select * from users order by id', 'select tokens.* from tokens order by id'];

const DATABASES = upgradesFrom([foundation, tracker, executions, board], OLD_ROWS, OLD_QUESTIONS);

it.each(DATABASES)(
  'leaves the service tokens of the release before the people that they name, on %s',
  async (_, upgrade) => {
    await using upgraded = await upgrade();
    const { reads } = upgraded.store;

    expect((await reads.tokens.present('hash-t1'))?.known.token).toMatchObject({ acts_for: '*', app: null });
    expect((await reads.tokens.present('hash-t2'))?.known.token).toMatchObject({ acts_for: ['ann'], app: null });
    expect(await reads.users.find(WORKSPACE, 'ann' as UserId)).toMatchObject({ name: 'ann', app: null });
  },
);

it.each(DATABASES)('lets the release before go on reading and writing on the new schema, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store, write, askAgain } = upgraded;

  await write(`${aUser('bob')} ${aToken('t3', '"*"')}`);

  expect(await askAgain()).toMatchObject([
    [{ id: 'ann' }, { id: 'bob' }],
    [{ id: 't1' }, { id: 't2' }, { id: 't3' }],
  ]);
  expect(await store.reads.users.list(WORKSPACE, { after: null, limit: 10 })).toHaveLength(2);
  expect((await store.reads.tokens.present('hash-t3'))?.known.token).toMatchObject({ app: null });
});
