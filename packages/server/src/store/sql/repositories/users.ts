import type { UserId, WorkspaceId } from '#domain/ids';
import type { User, UserStatus } from '#domain/user';
import { atMost, fromStart, type Position } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

interface OneUser {
  readonly workspace_id: WorkspaceId;
  readonly id: UserId;
}

const find = statement<OneUser>()((tables, place) =>
  tables
    .selectFrom('users')
    .leftJoin('app_users', 'app_users.user_id', 'users.id')
    .selectAll('users')
    .select('app_users.app')
    .where('users.workspace_id', '=', place('workspace_id'))
    .where('users.id', '=', place('id')),
);

const list = statement<Pick<OneUser, 'workspace_id'> & Position<UserId>>()((tables, place) =>
  tables
    .selectFrom('users')
    .leftJoin('app_users', 'app_users.user_id', 'users.id')
    .selectAll('users')
    .select('app_users.app')
    .where('users.workspace_id', '=', place('workspace_id'))
    .where('users.id', '>', place('after'))
    .where('app_users.app', 'is', null)
    .orderBy('users.id')
    .limit(atMost(place('limit'))),
);

const named = statement<Pick<User, 'workspace_id' | 'name'> & { readonly limit: number }>()((tables, place) =>
  tables
    .selectFrom('users')
    .leftJoin('app_users', 'app_users.user_id', 'users.id')
    .selectAll('users')
    .select('app_users.app')
    .where('users.workspace_id', '=', place('workspace_id'))
    .where('users.name', '=', place('name'))
    .where('app_users.app', 'is', null)
    .orderBy('users.id')
    .limit(atMost(place('limit'))),
);

const insert = statement<User>()((tables, place) =>
  tables.insertInto('users').values({
    id: place('id'),
    workspace_id: place('workspace_id'),
    name: place('name'),
    role: place('role'),
    status: place('status'),
    created_at: place('created_at'),
  }),
);

const setStatus = statement<OneUser & { readonly status: UserStatus }>()((tables, place) =>
  tables
    .updateTable('users')
    .set({ status: place('status') })
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '=', place('id')),
);

export const userReads = (session: Session): Reads['users'] => ({
  find: (workspace_id, id) => session.get(find, { workspace_id, id }),
  list: (workspace_id, page) => session.all(list, { workspace_id, ...fromStart<UserId>(page) }),
  named: (workspace_id, name, limit) => session.all(named, { workspace_id, name, limit }),
});

export const userWrites = (session: WriteSession): Transaction['users'] => ({
  ...userReads(session),
  insert: (user) => {
    session.accessChanged();
    return session.write(insert, user);
  },
  setStatus: async (workspace_id, id, status) => {
    session.accessChanged();
    return (await session.run(setStatus, { workspace_id, id, status })) > 0;
  },
});
