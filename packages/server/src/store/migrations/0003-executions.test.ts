import { expect, it } from 'vitest';
import type { ProjectId, RunId, StepId, UserId, WorkspaceId } from '#domain/ids';
import type { Run } from '#domain/run';
import { foundation } from './0001-foundation.ts';
import { tracker } from './0002-tracker.ts';
import { type Upgraded, upgradesFrom } from './testing/upgrades-from.ts';

const WORKSPACE = 'w1' as WorkspaceId;
const EVERYTHING = { workspace_id: WORKSPACE, project_ids: 'all', sees: () => true } as const;

/** As the release before writes a work session. */
const anOldSession = (id: string, status: string, started_at: number, ended_at: number | null): string => `
insert into executions (
  id, workspace_id, kind, status, reason, project_id, work_item_id, user_id, agent_id, summary, started_at, ended_at)
values (
  '${id}', 'w1', 'external', '${status}', null, 'p1', 'i1', 'ann', null, 'So far.', ${started_at}, ${ended_at});
`;

/** A database as the release before left it. */
const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
insert into users (id, workspace_id, name, role, status, created_at)
values ('ann', 'w1', 'Ann', 'admin', 'active', 1);
insert into projects (id, workspace_id, kind, owner_id, name, card_guide, created_at, number)
values ('p1', 'w1', 'team', null, 'Garden', null, 1, 1);
${anOldSession('e1', 'running', 10, null)}
${anOldSession('e2', 'completed', 10, 30)}
`;

const DATABASES = upgradesFrom([foundation, tracker], OLD_ROWS);

const seen = ({ store }: Upgraded, id: string) => store.reads.runs.seen(EVERYTHING, id as RunId);

const OLD: Run = {
  id: 'e1' as RunId,
  workspace_id: WORKSPACE,
  kind: 'external',
  name: null,
  status: 'running',
  reason: null,
  project_id: 'p1' as ProjectId,
  work_item_id: 'i1',
  attempt_id: null,
  session_id: null,
  user_id: 'ann' as UserId,
  agent_id: null,
  agent_session_id: null,
  worktree_path: null,
  branch: null,
  client: null,
  usage: null,
  summary: 'So far.',
  plan: null,
  budget_warned_at: null,
  started_at: 10,
  seen_at: 10,
  liveness: 'live',
  ended_at: null,
  step_count: 0,
  service_id: null,
};

it.each(DATABASES)('keeps the work sessions of the release before, and lets them go on, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store } = upgraded;

  expect(await seen(upgraded, 'e1')).toEqual(OLD);
  expect(await seen(upgraded, 'e2')).toMatchObject({ status: 'completed', seen_at: 30, liveness: 'live' });
  const finished = { ...OLD, status: 'completed', ended_at: 40 } as const;
  await store.transaction((tx) => tx.runs.update(finished));

  expect(await store.reads.runs.find(EVERYTHING, OLD.id)).toEqual(finished);
});

it.each(DATABASES)('lets the release before go on writing on the new schema, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const silent = async (seen_before: number) => {
    const query = { seen_before, liveness: 'quiet', limit: 9 } as const;
    const found = await upgraded.store.transaction((tx) => tx.runs.silent(query));
    return found.map(({ id }) => id).toSorted();
  };

  await upgraded.write(anOldSession('e3', 'running', 20, null));

  expect(await seen(upgraded, 'e3')).toEqual({ ...OLD, id: 'e3', started_at: 20, seen_at: 20 });
  expect(await silent(20)).toEqual(['e1']);
  expect(await silent(21)).toEqual(['e1', 'e3']);
});

it.each(DATABASES)(
  'takes the steps and the feed of an execution with it when it is deleted, on %s',
  async (_, upgrade) => {
    await using upgraded = await upgrade();
    const { store, write } = upgraded;
    const step = { id: 's1' as StepId, execution_id: OLD.id, name: 'Dig', status: 'running', message: null } as const;
    await store.transaction(async (tx) => {
      await tx.runs.insertStep({
        ...step,
        seq: 1,
        source: 'agent',
        started_at: 1,
        updated_at: 1,
        ended_at: null,
      });
      await tx.runs.insertEntry({ execution_id: OLD.id, kind: 'message', text: 'Digging.', at: 1 });
    });

    await write(`delete from executions where id = 'e1'`);

    expect(await store.reads.runs.steps(OLD, { after: 0, limit: 9 })).toEqual([]);
    expect(await store.reads.runs.feed(OLD, { after: 0, limit: 9 })).toEqual([]);
  },
);
