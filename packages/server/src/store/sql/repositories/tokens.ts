import type { AgentId, TokenId, UserId, WorkspaceId } from '#domain/ids';
import type { KnownToken, PresentedToken, Token } from '#domain/token';
import type { UserRole, UserStatus } from '#domain/user';
import type { Dialect } from '#store/sql/dialect';
import { fromStart, LIMIT, type Position } from '#store/sql/page';
import { toGrant } from '#store/sql/repositories/agents';
import { insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { GrantRow, TokenRow } from '#store/sql/tables';
import type { Reads, Transaction } from '#store/store';

const MAX_KEPT = 10_000;

type PresentedRow = TokenRow & {
  readonly owner_status: UserStatus;
  readonly owner_role: UserRole;
  /** Lists as JSON. */
  readonly grants: string;
  readonly memberships: string;
  readonly now: number | null;
};

interface Spelling {
  readonly now: string;
  readonly object: string;
  readonly array: (value: string, order: string) => string;
}

// On Postgres the server's clock counts, because several machines share it. On SQLite the machine's clock counts.
const SPELLING: Readonly<Record<Dialect, Spelling>> = {
  sqlite: {
    now: 'null',
    object: 'json_object',
    array: (value, order) => `json_group_array(${value} order by ${order})`,
  },
  postgres: {
    now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
    object: 'json_build_object',
    array: (value, order) => `coalesce(json_agg(${value} order by ${order}), '[]')::text`,
  },
};

const GRANT = ['agent_id', 'project_id', 'scopes', 'can_complete', 'can_cancel']
  .map((name) => `'${name}', grants.${name}`)
  .join(', ');

const MEMBERSHIP = `'project_id', project_members.project_id, 'role', project_members.role`;

const STORED = [
  'id',
  'workspace_id',
  'kind',
  'name',
  'hash',
  'user_id',
  'agent_id',
  'scopes',
  'acts_for',
  'created_at',
  'expires_at',
  'revoked_at',
] as const satisfies readonly (keyof Token)[];

// Columns are named: Postgres refuses a prepared `*` once a later release has added a column.
const COLUMNS = `
  ${named(STORED, 'tokens')}, attempt_tokens.attempt_id, attempt_tokens.project_id,
  token_apps.app, token_apps.user_ids as app_user_ids`;

const TOKENS = `
  tokens left join attempt_tokens on attempt_tokens.token_id = tokens.id
  left join token_apps on token_apps.token_id = tokens.id`;

const present = ({ now, object, array }: Spelling): string => `
  select ${COLUMNS}, users.status as owner_status, users.role as owner_role, ${now} as now,
    (
      select ${array(`${object}(${GRANT})`, 'grants.project_id')}
      from grants join projects on projects.id = grants.project_id
      where grants.agent_id = tokens.agent_id and projects.workspace_id = tokens.workspace_id
    ) as grants,
    (
      select ${array(`${object}(${MEMBERSHIP})`, 'project_members.project_id')}
      from project_members join projects on projects.id = project_members.project_id
      where tokens.kind = 'user' and project_members.user_id = tokens.user_id
        and projects.workspace_id = tokens.workspace_id
    ) as memberships
  from ${TOKENS} join users on users.id = tokens.user_id
  where tokens.hash = :hash`;

const byHash = statement<{ readonly hash: string }, PresentedRow>(({ dialect }) => present(SPELLING[dialect]));

interface OneToken {
  readonly workspace_id: WorkspaceId;
  readonly id: TokenId;
}

const tokensWhere = <Params extends object>(condition: string): Statement<Params, TokenRow> =>
  statement(`select ${COLUMNS} from ${TOKENS} where tokens.workspace_id = :workspace_id and ${condition}`);

const find = tokensWhere<OneToken>('tokens.id = :id');

const list = tokensWhere<Pick<OneToken, 'workspace_id'> & Position<TokenId>>(
  `tokens.id > :after order by tokens.id ${LIMIT}`,
);

const ofAgent = tokensWhere<{ readonly workspace_id: WorkspaceId; readonly agent_id: AgentId }>(
  'tokens.agent_id = :agent_id order by tokens.id',
);

const insert = insertion('tokens', STORED);

const bind = insertion('attempt_tokens', ['token_id', 'attempt_id', 'project_id']);

const bindApp = insertion('token_apps', ['token_id', 'app', 'user_ids']);

const revoke = statement<OneToken & { readonly at: number }, never>(`
  update tokens set revoked_at = coalesce(revoked_at, :at) where workspace_id = :workspace_id and id = :id`);

interface HeldBy {
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly held: string;
  readonly at: number;
}

// A list of scopes is kept as JSON, and no scope is the beginning of another one with its quotes.
const revokeWith = statement<HeldBy, never>(`
  update tokens set revoked_at = :at
  where workspace_id = :workspace_id and user_id = :user_id and revoked_at is null and scopes like :held`);

const expireBy = statement<OneToken & { readonly at: number }, never>(`
  update tokens set expires_at = :at
  where workspace_id = :workspace_id and id = :id and (expires_at is null or expires_at > :at)`);

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
  app: row.app === null ? null : { name: row.app, user_ids: JSON.parse(row.app_user_ids ?? '[]') },
  attempt_id: row.attempt_id,
  project_id: row.project_id,
  created_at: row.created_at,
  expires_at: row.expires_at,
  revoked_at: row.revoked_at,
});

const toKnown = (row: PresentedRow): KnownToken => ({
  token: toToken(row),
  owner_status: row.owner_status,
  owner_role: row.owner_role,
  // Made by `present` of the columns of a grant.
  grants: (JSON.parse(row.grants) as readonly GrantRow[]).map(toGrant),
  memberships: JSON.parse(row.memberships),
});

const toTokenRow = (token: Token): TokenRow => ({
  ...token,
  scopes: JSON.stringify(token.scopes),
  acts_for: JSON.stringify(token.acts_for),
  app: token.app?.name ?? null,
  app_user_ids: token.app && JSON.stringify(token.app.user_ids),
});

type Lookup = (hash: string) => Promise<{
  readonly known: KnownToken /** The database's own time, where it has one. */;
  readonly now: number | null;
} | null>;

/** Looks tokens up. Returns the same object while nothing changed, so that derived data can be cached. */
export function createTokenLookup(session: Session): Lookup {
  const kept = new Map<string, { readonly text: string; readonly known: KnownToken }>();

  return async (hash) => {
    const row = await session.get(byHash, { hash });
    if (row === null) return null;
    const { now, ...rest } = row;
    const text = JSON.stringify(rest);
    const last = kept.get(hash);
    if (last?.text === text) return { known: last.known, now };
    if (kept.size >= MAX_KEPT) kept.clear();
    const known = toKnown(row);
    kept.set(hash, { text, known });
    return { known, now };
  };
}

export function tokenReads(session: Session, clock: () => number): Reads['tokens'] {
  const lookUp = createTokenLookup(session);

  return {
    present: async (hash): Promise<PresentedToken | null> => {
      const found = await lookUp(hash);
      return found && { known: found.known, now: found.now ?? clock() };
    },
    find: async (workspace_id, id) => {
      const row = await session.get(find, { workspace_id, id });
      return row && toToken(row);
    },
    list: async (workspace_id, page) =>
      (await session.all(list, { workspace_id, ...fromStart<TokenId>(page) })).map(toToken),
    ofAgent: async (workspace_id, agent_id) => (await session.all(ofAgent, { workspace_id, agent_id })).map(toToken),
  };
}

export const tokenWrites = (session: WriteSession): Transaction['tokens'] => ({
  ...tokenReads(session, () => session.now),
  insert: async (token) => {
    const { id: token_id, attempt_id, project_id, app } = token;
    session.accessChanged();
    await session.write(insert, toTokenRow(token));
    if (attempt_id !== null && project_id !== null) await session.write(bind, { token_id, attempt_id, project_id });
    if (app !== null) {
      await session.write(bindApp, { token_id, app: app.name, user_ids: JSON.stringify(app.user_ids) });
    }
  },
  revoke: async (workspace_id, id, at) => {
    session.accessChanged();
    return (await session.run(revoke, { workspace_id, id, at })) > 0;
  },
  revokeWith: ({ workspace_id, id: user_id }, scope, at) => {
    session.accessChanged();
    return session.write(revokeWith, { workspace_id, user_id, held: `%"${scope}"%`, at });
  },
  expireBy: (workspace_id, id, at) => {
    session.accessChanged();
    return session.write(expireBy, { workspace_id, id, at });
  },
});
