import type { UserId, WorkspaceId } from '#domain/ids';
import type { User, UserStatus } from '#domain/user';
import { fromStart, LIMIT, type Position } from '#store/sql/page';
import { change, insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

interface OneUser {
  readonly workspace_id: WorkspaceId;
  readonly id: UserId;
}

const COLUMNS = [
  'id',
  'workspace_id',
  'name',
  'role',
  'status',
  'created_at',
] as const satisfies readonly (keyof User)[];

/** The columns of a user; the query joins `app_users`. */
export const USER = `${named(COLUMNS, 'users')}, app_users.app`;

const usersWhere = <Params extends object>(condition: string): Statement<Params, User> =>
  statement(`
    select ${USER} from users left join app_users on app_users.user_id = users.id
    where users.workspace_id = :workspace_id and ${condition}`);

const find = usersWhere<OneUser>('users.id = :id');

const list = usersWhere<Pick<OneUser, 'workspace_id'> & Position<UserId>>(
  `users.id > :after and app_users.app is null order by users.id ${LIMIT}`,
);

const withName = usersWhere<Pick<User, 'workspace_id' | 'name'> & { readonly limit: number }>(
  `users.name = :name and app_users.app is null order by users.id ${LIMIT}`,
);

const insert = insertion('users', COLUMNS);

const update = change('users', ['workspace_id', 'id'], ['name', 'role']);

const setStatus = statement<OneUser & { readonly status: UserStatus }, never>(
  'update users set status = :status where workspace_id = :workspace_id and id = :id',
);

export const userReads = (session: Session): Reads['users'] => ({
  find: (workspace_id, id) => session.get(find, { workspace_id, id }),
  list: (workspace_id, page) => session.all(list, { workspace_id, ...fromStart<UserId>(page) }),
  named: (workspace_id, name, limit) => session.all(withName, { workspace_id, name, limit }),
});

export const userWrites = (session: WriteSession): Transaction['users'] => ({
  ...userReads(session),
  insert: (user) => {
    session.accessChanged();
    return session.write(insert, user);
  },
  update: (user) => {
    session.accessChanged();
    return session.write(update, user);
  },
  setStatus: async (workspace_id, id, status) => {
    session.accessChanged();
    return (await session.run(setStatus, { workspace_id, id, status })) > 0;
  },
});
