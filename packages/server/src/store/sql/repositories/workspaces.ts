import type { Workspace } from '#domain/user';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

const first = statement<object>()((tables) =>
  tables.selectFrom('workspaces').selectAll().orderBy('created_at').orderBy('id').limit(1),
);

const insert = statement<Workspace>()((tables, place) =>
  tables.insertInto('workspaces').values({ id: place('id'), name: place('name'), created_at: place('created_at') }),
);

const rename = statement<Pick<Workspace, 'id' | 'name'>>()((tables, place) =>
  tables
    .updateTable('workspaces')
    .set({ name: place('name') })
    .where('id', '=', place('id')),
);

export const workspaceReads = (session: Session): Reads['workspaces'] => ({
  first: () => session.get(first, {}),
});

export const workspaceWrites = (session: WriteSession): Transaction['workspaces'] => ({
  ...workspaceReads(session),
  insert: (workspace) => session.write(insert, workspace),
  rename: (id, name) => session.write(rename, { id, name }),
});
