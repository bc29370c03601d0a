import type { TokenId, WorkspaceId } from '#domain/ids';
import type { Token } from '#domain/token';
import type { UserStatus } from '#domain/user';
import { atMost, fromStart, type Position } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import type { TokenRow } from '#store/sql/tables';
import type { Reads, Transaction } from '#store/store';

/** A token and its owner's standing, as far as they can be remembered: without the time. */
export interface KnownToken {
  readonly token: Token;
  readonly owner_status: UserStatus;
}

type PresentedRow = TokenRow & { readonly owner_status: UserStatus; readonly now: number | null };

const present = (now: string): string => `
  select tokens.*, users.status as owner_status, ${now} as now
  from tokens join users on users.id = tokens.user_id
  where tokens.hash = :hash`;

// Only a server has a clock that several machines share; a file is as old as the machine says.
const byHash = plainStatement<{ readonly hash: string }, PresentedRow>({
  sqlite: present('null'),
  postgres: present('(extract(epoch from clock_timestamp()) * 1000)::bigint'),
});

const list = statement<Pick<Token, 'workspace_id'> & Position<TokenId>>()((tables, place) =>
  tables
    .selectFrom('tokens')
    .selectAll()
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '>', place('after'))
    .orderBy('id')
    .limit(atMost(place('limit'))),
);

const insert = statement<TokenRow>()((tables, place) =>
  tables.insertInto('tokens').values({
    id: place('id'),
    workspace_id: place('workspace_id'),
    kind: place('kind'),
    name: place('name'),
    hash: place('hash'),
    user_id: place('user_id'),
    agent_id: place('agent_id'),
    scopes: place('scopes'),
    acts_for: place('acts_for'),
    created_at: place('created_at'),
    expires_at: place('expires_at'),
    revoked_at: place('revoked_at'),
  }),
);

const revoke = statement<{ readonly workspace_id: WorkspaceId; readonly id: TokenId; readonly at: number }>()(
  (tables, place) =>
    tables
      .updateTable('tokens')
      .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', place('at')) }))
      .where('workspace_id', '=', place('workspace_id'))
      .where('id', '=', place('id')),
);

const toToken = (row: TokenRow): Token => ({
  id: row.id,
  workspace_id: row.workspace_id,
  kind: row.kind,
  name: row.name,
  hash: row.hash,
  user_id: row.user_id,
  agent_id: row.agent_id,
  scopes: JSON.parse(row.scopes),
  acts_for: JSON.parse(row.acts_for),
  created_at: row.created_at,
  expires_at: row.expires_at,
  revoked_at: row.revoked_at,
});

const toTokenRow = (token: Token): TokenRow => ({
  ...token,
  scopes: JSON.stringify(token.scopes),
  acts_for: JSON.stringify(token.acts_for),
});

/** Looks a token up. `now` is the database's own time, where it has one. */
export async function findToken(
  session: Session,
  hash: string,
): Promise<(KnownToken & { readonly now: number | null }) | null> {
  const row = await session.get(byHash, { hash });
  return row && { token: toToken(row), owner_status: row.owner_status, now: row.now };
}

export const tokenReads = (session: Session, clock: () => number): Reads['tokens'] => ({
  present: async (hash) => {
    const known = await findToken(session, hash);
    return known && { ...known, now: known.now ?? clock() };
  },
  list: async (workspace_id, page) =>
    (await session.all(list, { workspace_id, ...fromStart<TokenId>(page) })).map(toToken),
});

export const tokenWrites = (session: WriteSession): Transaction['tokens'] => ({
  ...tokenReads(session, () => session.now),
  insert: (token) => {
    session.accessChanged();
    return session.write(insert, toTokenRow(token));
  },
  revoke: async (workspace_id, id, at) => {
    session.accessChanged();
    return (await session.run(revoke, { workspace_id, id, at })) > 0;
  },
});
