import { type AppUser, appPrincipal } from '#domain/app';
import type { UserId, WorkspaceId } from '#domain/ids';
import type { User } from '#domain/user';
import { fromStart, LIMIT, type Position } from '#store/sql/page';
import { USER } from '#store/sql/repositories/users';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

interface OneApp {
  readonly workspace_id: WorkspaceId;
  readonly app: string;
}

type OneAppUser = OneApp & AppUser;

const appUsersWhere = <Params extends object>(condition: string): Statement<Params, User> =>
  statement(`
    select ${USER} from app_users join users on users.id = app_users.user_id
    where app_users.workspace_id = :workspace_id and app_users.app = :app and ${condition}`);

const find = appUsersWhere<OneAppUser>('app_users.external_id = :external_id');

const list = appUsersWhere<OneApp & Position<UserId>>(`app_users.user_id > :after order by app_users.user_id ${LIMIT}`);

const hasApp = statement<OneApp, { readonly name: string }>(
  'select name from apps where workspace_id = :workspace_id and name = :app',
);

const open = statement<OneApp & { readonly created_at: number }, never>(`
  insert into apps (workspace_id, name, user_count, created_at) values (:workspace_id, :app, 0, :created_at)
  on conflict do nothing`);

// This also locks on Postgres: two servers that see the same new user count one after the other.
const countOneMore = statement<OneApp & { readonly most: number }, never>(`
  update apps set user_count = user_count + 1
  where workspace_id = :workspace_id and name = :app and user_count < :most`);

const countOneLess = statement<OneApp, never>(`
  update apps set user_count = user_count - 1 where workspace_id = :workspace_id and name = :app`);

const insert = statement<OneAppUser & { readonly user_id: UserId }, never>(`
  insert into app_users (user_id, workspace_id, app, external_id)
  values (:user_id, :workspace_id, :app, :external_id)
  on conflict (workspace_id, app, external_id) do nothing`);

const OWN_PROJECTS = "select id from projects where owner_id = :user_id and kind = 'personal'";

/** The tables of a user, each before those it refers to. Rows that refer to a work item are deleted with it. */
const REMOVALS = [
  `delete from work_items where project_id in (${OWN_PROJECTS})`,
  'delete from messages where conversation_id in (select id from conversations where user_id = :user_id)',
  'delete from conversations where user_id = :user_id',
  'delete from assignments where user_id = :user_id',
  'delete from project_members where user_id = :user_id',
  `delete from project_members where project_id in (${OWN_PROJECTS})`,
  `delete from labels where project_id in (${OWN_PROJECTS})`,
  `delete from states where project_id in (${OWN_PROJECTS})`,
  "delete from projects where owner_id = :user_id and kind = 'personal'",
  'delete from app_users where user_id = :user_id',
  'delete from users where id = :user_id',
].map((text) => statement<{ readonly user_id: UserId }, never>(text));

const FORGETTING = [
  'delete from answers where principal = (select id from principals where name = :principal_id)',
  'delete from principals where name = :principal_id',
  'delete from idempotency where principal_id = :principal_id',
].map((text) => statement<{ readonly principal_id: string }, never>(text));

export const appUserReads = (session: Session): Reads['appUsers'] => ({
  find: (workspace_id, { app, external_id }) => session.get(find, { workspace_id, app, external_id }),
  list: (workspace_id, app, page) => session.all(list, { workspace_id, app, ...fromStart<UserId>(page) }),
  hasApp: async (workspace_id, app) => (await session.get(hasApp, { workspace_id, app })) !== null,
});

export const appUserWrites = (session: WriteSession): Transaction['appUsers'] => ({
  ...appUserReads(session),
  openApp: (workspace_id, app) => session.write(open, { workspace_id, app, created_at: session.now }),
  claim: async ({ workspace_id, id: user_id }, { app, external_id }, most) => {
    if ((await session.run(countOneMore, { workspace_id, app, most })) === 0) return 'full';
    if ((await session.run(insert, { workspace_id, app, external_id, user_id })) > 0) return 'claimed';
    await session.write(countOneLess, { workspace_id, app });
    return 'taken';
  },
  remove: async ({ workspace_id, id: user_id, app, name }: User) => {
    if (app === null) throw new Error(`User ${user_id} belongs to no app.`);
    session.accessChanged();
    for (const removal of REMOVALS) await session.write(removal, { user_id });
    const principal = { principal_id: appPrincipal({ app, external_id: name }) };
    for (const forgetting of FORGETTING) await session.write(forgetting, principal);
    await session.write(countOneLess, { workspace_id, app });
  },
});
