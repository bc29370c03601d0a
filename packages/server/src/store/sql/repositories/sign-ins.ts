import type { UserId, WorkspaceId } from '#domain/ids';
import type { ServerRow, SignInKey } from '#domain/sign-in';
import type { SignInReads, SignInWrites } from '#store/sign-in-store';
import { clocked } from '#store/sql/clocked';
import { insertion, named, replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';

const KEY_COLUMNS = ['hash', 'workspace_id', 'user_id', 'created_at', 'expires_at'] as const;
const SERVER_COLUMNS = ['id', 'host_name', 'url', 'lease_until'] as const;

const insert = insertion('sign_in_keys', KEY_COLUMNS);

const has = clocked<Pick<SignInKey, 'workspace_id' | 'hash'>, Pick<SignInKey, 'hash'>>(
  (now) => `select hash from sign_in_keys where workspace_id = :workspace_id and hash = :hash and expires_at > ${now}`,
);

const take = statement<Pick<SignInKey, 'workspace_id' | 'hash'> & { readonly now: number }, SignInKey>(`
  delete from sign_in_keys where workspace_id = :workspace_id and hash = :hash and expires_at > :now
  returning ${named(KEY_COLUMNS)}`);

const removeExpired = statement<{ readonly now: number }, never>('delete from sign_in_keys where expires_at <= :now');

const removeOldest = statement<
  { readonly workspace_id: WorkspaceId; readonly user_id: UserId; readonly kept: number },
  never
>(`
  delete from sign_in_keys where hash in (
    select hash from sign_in_keys where workspace_id = :workspace_id and user_id = :user_id
    order by created_at desc, hash limit 1000 offset :kept)`);

const live = clocked<object, ServerRow>(
  (now) => `select ${named(SERVER_COLUMNS)} from servers where lease_until > ${now} order by lease_until desc, id`,
);
const put = replacement('servers', { key: ['id'], columns: SERVER_COLUMNS });
const remove = statement<Pick<ServerRow, 'id'>, never>('delete from servers where id = :id');
const sweep = statement<{ readonly before: number }, never>('delete from servers where lease_until < :before');

export const signInReads = (session: Session, clock: () => number): SignInReads => ({
  servers: { live: () => session.all(live.current, { now: clock() }) },
  signInKeys: {
    has: async (workspace_id, hash) => (await session.get(has.current, { workspace_id, hash, now: clock() })) !== null,
  },
});

export const signInWrites = (session: WriteSession): SignInWrites => ({
  servers: {
    live: () => session.all(live.at, { now: session.now }),
    put: (server) => session.write(put, server),
    remove: (id) => session.write(remove, { id }),
    sweep: (before) => session.run(sweep, { before }),
  },
  signInKeys: {
    has: async (workspace_id, hash) => (await session.get(has.at, { workspace_id, hash, now: session.now })) !== null,
    insert: (key) => session.write(insert, key),
    take: (workspace_id, hash) => session.returning(take, { workspace_id, hash, now: session.now }),
    trim: async (workspace_id, user_id, kept) => {
      await session.run(removeExpired, { now: session.now });
      await session.run(removeOldest, { workspace_id, user_id, kept });
    },
  },
});
