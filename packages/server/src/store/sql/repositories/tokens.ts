import type { AgentId, TokenId, WorkspaceId } from '#domain/ids';
import type { KnownToken, PresentedToken, Token } from '#domain/token';
import type { UserRole, UserStatus } from '#domain/user';
import { atMost, fromStart, type Position } from '#store/sql/page';
import { toGrant } from '#store/sql/repositories/agents';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import type { GrantRow, TokenRow } from '#store/sql/tables';
import type { Reads, Transaction } from '#store/store';

const MOST_KEPT = 10_000;

type PresentedRow = TokenRow & {
  readonly owner_status: UserStatus;
  readonly owner_role: UserRole;
  /** Lists as JSON. */
  readonly grants: string;
  readonly memberships: string;
  readonly now: number | null;
};

interface Words {
  readonly now: string;
  readonly object: string;
  readonly array: (value: string, order: string) => string;
}

const GRANT = ['agent_id', 'project_id', 'scopes', 'can_complete', 'can_cancel']
  .map((name) => `'${name}', grants.${name}`)
  .join(', ');

const MEMBERSHIP = `'project_id', project_members.project_id, 'role', project_members.role`;

const present = ({ now, object, array }: Words): string => `
  select tokens.*, users.status as owner_status, users.role as owner_role, ${now} as now,
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
  from tokens join users on users.id = tokens.user_id
  where tokens.hash = :hash`;

// Only a server has a clock that several machines share; a file is as old as the machine says.
const byHash = plainStatement<{ readonly hash: string }, PresentedRow>({
  sqlite: present({
    now: 'null',
    object: 'json_object',
    array: (value, order) => `json_group_array(${value} order by ${order})`,
  }),
  postgres: present({
    now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
    object: 'json_build_object',
    array: (value, order) => `coalesce(json_agg(${value} order by ${order}), '[]')::text`,
  }),
});

interface OneToken {
  readonly workspace_id: WorkspaceId;
  readonly id: TokenId;
}

const find = statement<OneToken>()((tables, place) =>
  tables
    .selectFrom('tokens')
    .selectAll()
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '=', place('id')),
);

const list = statement<Pick<OneToken, 'workspace_id'> & Position<TokenId>>()((tables, place) =>
  tables
    .selectFrom('tokens')
    .selectAll()
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '>', place('after'))
    .orderBy('id')
    .limit(atMost(place('limit'))),
);

const ofAgent = statement<{ readonly workspace_id: WorkspaceId; readonly agent_id: AgentId }>()((tables, place) =>
  tables
    .selectFrom('tokens')
    .selectAll()
    .where('workspace_id', '=', place('workspace_id'))
    .where('agent_id', '=', place('agent_id'))
    .orderBy('id'),
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

const revoke = statement<OneToken & { readonly at: number }>()((tables, place) =>
  tables
    .updateTable('tokens')
    .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', place('at')) }))
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '=', place('id')),
);

const expireBy = plainStatement<OneToken & { readonly at: number }, never>(`
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
  created_at: row.created_at,
  expires_at: row.expires_at,
  revoked_at: row.revoked_at,
});

const toKnown = (row: PresentedRow): KnownToken => ({
  token: toToken(row),
  owner_status: row.owner_status,
  owner_role: row.owner_role,
  grants: (JSON.parse(row.grants) as readonly GrantRow[]).map(toGrant),
  memberships: JSON.parse(row.memberships),
});

const toTokenRow = (token: Token): TokenRow => ({
  ...token,
  scopes: JSON.stringify(token.scopes),
  acts_for: JSON.stringify(token.acts_for),
});

type Lookup = (hash: string) => Promise<{
  readonly known: KnownToken /** The database's own time, where it has one. */;
  readonly now: number | null;
} | null>;

/** Looks tokens up, and gives the same object for as long as the same is known: what is derived from it can be kept. */
export function createTokenLookup(session: Session): Lookup {
  const kept = new Map<string, { readonly text: string; readonly known: KnownToken }>();

  return async (hash) => {
    const row = await session.get(byHash, { hash });
    if (row === null) return null;
    const { now, ...rest } = row;
    const text = JSON.stringify(rest);
    const last = kept.get(hash);
    if (last?.text === text) return { known: last.known, now };
    if (kept.size >= MOST_KEPT) kept.clear();
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
  insert: (token) => {
    session.accessChanged();
    return session.write(insert, toTokenRow(token));
  },
  revoke: async (workspace_id, id, at) => {
    session.accessChanged();
    return (await session.run(revoke, { workspace_id, id, at })) > 0;
  },
  expireBy: (workspace_id, id, at) => {
    session.accessChanged();
    return session.write(expireBy, { workspace_id, id, at });
  },
});
