import type { TokenId, UserId, WorkspaceId } from '#domain/ids';
import type { BrowserSession, Password, SessionRow } from '#domain/sign-in';
import type { SessionReads, SessionWrites } from '#store/session-store';
import { type Clocked, clocked } from '#store/sql/clocked';
import { LIMIT } from '#store/sql/page';
import { insertion, named, replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';

const PASSWORD_COLUMNS = [
  'user_id',
  'workspace_id',
  'hash',
  'changed_at',
] as const satisfies readonly (keyof Password)[];
const SESSION_COLUMNS = [
  'token_id',
  'workspace_id',
  'user_id',
  'device',
  'address',
  'created_at',
  'seen_at',
] as const satisfies readonly (keyof BrowserSession)[];

const PASSWORDS = `select ${named(PASSWORD_COLUMNS, 'passwords')} from passwords`;

const findPassword = statement<{ readonly workspace_id: WorkspaceId; readonly user_id: UserId }, Password>(`
  ${PASSWORDS} where workspace_id = :workspace_id and user_id = :user_id`);

const ofName = statement<{ readonly workspace_id: WorkspaceId; readonly name: string }, Password>(`
  ${PASSWORDS} join users on users.id = passwords.user_id
  where users.workspace_id = :workspace_id and lower(users.name) = lower(:name) and users.status = 'active'
  order by users.id limit 1`);

const somePassword = statement<{ readonly workspace_id: WorkspaceId }, { readonly user_id: UserId }>(`
  select user_id from passwords where workspace_id = :workspace_id limit 1`);

const putPassword = replacement('passwords', {
  key: ['user_id'],
  columns: PASSWORD_COLUMNS,
  written: ['hash', 'changed_at'],
});

const SESSIONS = `
  select ${named(SESSION_COLUMNS, 'browser_sessions')}, users.name as user_name, tokens.expires_at
  from browser_sessions
    join tokens on tokens.id = browser_sessions.token_id
    join users on users.id = browser_sessions.user_id`;

const isLive = (now: string): string =>
  `tokens.revoked_at is null and (tokens.expires_at is null or tokens.expires_at > ${now})`;

const findSession = clocked<{ readonly workspace_id: WorkspaceId; readonly token_id: TokenId }, SessionRow>(
  (now) => `
  ${SESSIONS} where browser_sessions.workspace_id = :workspace_id and browser_sessions.token_id = :token_id and ${isLive(now)}`,
);

const NEWEST = `order by browser_sessions.seen_at desc, browser_sessions.token_id ${LIMIT}`;

const ofUser = clocked<
  { readonly workspace_id: WorkspaceId; readonly user_id: UserId; readonly limit: number },
  SessionRow
>(
  (now) => `
  ${SESSIONS} where browser_sessions.workspace_id = :workspace_id and browser_sessions.user_id = :user_id and ${isLive(now)}
  ${NEWEST}`,
);

const ofAll = clocked<{ readonly workspace_id: WorkspaceId; readonly limit: number }, SessionRow>(
  (now) => `
  ${SESSIONS} where browser_sessions.workspace_id = :workspace_id and ${isLive(now)} ${NEWEST}`,
);

const insertSession = insertion('browser_sessions', SESSION_COLUMNS);

const touch = statement<Pick<BrowserSession, 'workspace_id' | 'token_id' | 'address' | 'seen_at'>, never>(`
  update browser_sessions set seen_at = :seen_at, address = :address
  where workspace_id = :workspace_id and token_id = :token_id and seen_at < :seen_at`);

const endedBefore = (time: string): string => `
  select browser_sessions.token_id from browser_sessions join tokens on tokens.id = browser_sessions.token_id
  where tokens.revoked_at < ${time} or tokens.expires_at < ${time} ${LIMIT}`;

const ended = clocked<{ readonly ago_ms: number; readonly limit: number }, Pick<BrowserSession, 'token_id'>>((now) =>
  endedBefore(`${now} - :ago_ms`),
);

const sweep = statement<{ readonly before: number; readonly limit: number }, never>(
  `delete from browser_sessions where token_id in (${endedBefore(':before')})`,
);

function readsOf(session: Session, clock: () => number, when: keyof Clocked<object, never>): SessionReads {
  return {
    passwords: {
      find: (workspace_id, user_id) => session.get(findPassword, { workspace_id, user_id }),
      ofName: (workspace_id, name) => session.get(ofName, { workspace_id, name }),
      exist: async (workspace_id) => (await session.get(somePassword, { workspace_id })) !== null,
    },
    browserSessions: {
      find: (workspace_id, token_id) => session.get(findSession[when], { workspace_id, token_id, now: clock() }),
      live: (workspace_id, user_id, limit) =>
        user_id === null
          ? session.all(ofAll[when], { workspace_id, limit, now: clock() })
          : session.all(ofUser[when], { workspace_id, user_id, limit, now: clock() }),
      hasEnded: async (ago_ms) => (await session.get(ended[when], { ago_ms, limit: 1, now: clock() })) !== null,
    },
  };
}

export const sessionReads = (session: Session, clock: () => number): SessionReads => readsOf(session, clock, 'current');

export function sessionWrites(session: WriteSession): SessionWrites {
  const reads = readsOf(session, () => session.now, 'at');
  return {
    passwords: { ...reads.passwords, put: (password) => session.write(putPassword, password) },
    browserSessions: {
      ...reads.browserSessions,
      insert: (row) => session.write(insertSession, row),
      touch: (row) => session.write(touch, row),
      sweep: (before, limit) => session.run(sweep, { before, limit }),
    },
  };
}
