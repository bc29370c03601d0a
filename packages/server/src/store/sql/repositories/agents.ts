import type { Agent, Grant } from '#domain/agent';
import type { AgentId, WorkspaceId } from '#domain/ids';
import { fromStart, LIMIT, type Position } from '#store/sql/page';
import { insertion, named, replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { GrantRow } from '#store/sql/tables';
import type { Reads, Transaction } from '#store/store';

interface OneAgent {
  readonly workspace_id: WorkspaceId;
  readonly id: AgentId;
}

const COLUMNS = ['id', 'workspace_id', 'owner_id', 'name', 'created_at'] as const satisfies readonly (keyof Agent)[];

const GRANT_COLUMNS = [
  'agent_id',
  'project_id',
  'scopes',
  'can_complete',
  'can_cancel',
] as const satisfies readonly (keyof Grant)[];

const SELECT = `select ${named(COLUMNS)} from agents where workspace_id = :workspace_id`;

const find = statement<OneAgent, Agent>(`${SELECT} and id = :id`);

const list = statement<Pick<OneAgent, 'workspace_id'> & Position<AgentId>, Agent>(
  `${SELECT} and id > :after order by id ${LIMIT}`,
);

const grants = statement<{ readonly workspace_id: WorkspaceId; readonly agent_id: AgentId }, GrantRow>(`
  select ${named(GRANT_COLUMNS, 'grants')} from grants join agents on agents.id = grants.agent_id
  where agents.workspace_id = :workspace_id and grants.agent_id = :agent_id
  order by grants.project_id`);

const insert = insertion('agents', COLUMNS);

const putGrant = replacement('grants', {
  key: ['agent_id', 'project_id'],
  columns: GRANT_COLUMNS,
  written: ['scopes', 'can_complete', 'can_cancel'],
});

const removeGrant = statement<Pick<Grant, 'agent_id' | 'project_id'> & Pick<Agent, 'workspace_id'>, never>(`
  delete from grants
  where agent_id = (select id from agents where id = :agent_id and workspace_id = :workspace_id)
    and project_id = :project_id`);

export const toGrant = (row: GrantRow): Grant => ({
  ...row,
  scopes: JSON.parse(row.scopes),
  can_complete: row.can_complete === 1,
  can_cancel: row.can_cancel === 1,
});

const toGrantRow = (grant: Grant): GrantRow => ({
  ...grant,
  scopes: JSON.stringify(grant.scopes),
  can_complete: grant.can_complete ? 1 : 0,
  can_cancel: grant.can_cancel ? 1 : 0,
});

export const agentReads = (session: Session): Reads['agents'] => ({
  find: (workspace_id, id) => session.get(find, { workspace_id, id }),
  list: (workspace_id, page) => session.all(list, { workspace_id, ...fromStart<AgentId>(page) }),
  grants: async (workspace_id, agent_id) => (await session.all(grants, { workspace_id, agent_id })).map(toGrant),
});

export const agentWrites = (session: WriteSession): Transaction['agents'] => ({
  ...agentReads(session),
  insert: (agent) => session.write(insert, agent),
  putGrant: (grant) => {
    session.accessChanged();
    return session.write(putGrant, toGrantRow(grant));
  },
  removeGrant: async (workspace_id, agent_id, project_id) => {
    session.accessChanged();
    return (await session.run(removeGrant, { workspace_id, agent_id, project_id })) > 0;
  },
});
