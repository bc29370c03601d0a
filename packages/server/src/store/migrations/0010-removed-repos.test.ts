import { expect, it } from 'vitest';
import type { ProjectId, RepoId, WorkspaceId } from '#domain/ids';
import { foundation } from './0001-foundation.ts';
import { tracker } from './0002-tracker.ts';
import { executions } from './0003-executions.ts';
import { board } from './0004-board.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

/** A database as the release before left it. */
const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
insert into projects (id, workspace_id, kind, owner_id, name, card_guide, created_at, number)
values ('p1', 'w1', 'team', null, 'Garden', null, 1, 1);
insert into repos (id, project_id, name, path, target_branch, created_at) values ('r1', 'p1', 'web', '/web', 'main', 1);
`;

const DATABASES = upgradesFrom([foundation, tracker, executions, board], OLD_ROWS, [
  'select id from repos order by id',
]);

it.each(DATABASES)(
  'keeps the repositories of the release before, and removes them for readers, on %s',
  async (_, upgrade) => {
    await using upgraded = await upgrade();
    const { store } = upgraded;
    const ids = async () =>
      (await store.reads.projects.repos('w1' as WorkspaceId, 'p1' as ProjectId)).map((repo) => repo.id);

    const before = await ids();
    await store.transaction((tx) => tx.projects.removeRepo('w1' as WorkspaceId, 'r1' as RepoId));
    const [rows] = await upgraded.askAgain();

    expect([before, await ids()]).toEqual([['r1'], []]);
    expect(rows).toHaveLength(1);
  },
);
