import type { Workspace } from '#domain/user';
import { change, insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

const COLUMNS = ['id', 'name', 'created_at'] as const satisfies readonly (keyof Workspace)[];

const first = statement<object, Workspace>(`select ${named(COLUMNS)} from workspaces order by created_at, id limit 1`);

const insert = insertion('workspaces', COLUMNS);
const rename: Statement<Pick<Workspace, 'id' | 'name'>, never> = change('workspaces', ['id'], ['name']);

export const workspaceReads = (session: Session): Reads['workspaces'] => ({
  first: () => session.get(first, {}),
});

export const workspaceWrites = (session: WriteSession): Transaction['workspaces'] => ({
  ...workspaceReads(session),
  insert: (workspace) => session.write(insert, workspace),
  rename: (id, name) => session.write(rename, { id, name }),
});
