import type { Agent, Grant } from '#domain/agent';
import type { AgentId, WorkspaceId } from '#domain/ids';
import { atMost, fromStart, type Position } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { GrantRow } from '#store/sql/tables';
import type { Reads, Transaction } from '#store/store';

interface OneAgent {
  readonly workspace_id: WorkspaceId;
  readonly id: AgentId;
}

const find = statement<OneAgent>()((tables, place) =>
  tables
    .selectFrom('agents')
    .selectAll()
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '=', place('id')),
);

const list = statement<Pick<OneAgent, 'workspace_id'> & Position<AgentId>>()((tables, place) =>
  tables
    .selectFrom('agents')
    .selectAll()
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '>', place('after'))
    .orderBy('id')
    .limit(atMost(place('limit'))),
);

const grants = statement<{ readonly workspace_id: WorkspaceId; readonly agent_id: AgentId }>()((tables, place) =>
  tables
    .selectFrom('grants')
    .innerJoin('agents', 'agents.id', 'grants.agent_id')
    .selectAll('grants')
    .where('agents.workspace_id', '=', place('workspace_id'))
    .where('grants.agent_id', '=', place('agent_id'))
    .orderBy('grants.project_id'),
);

const insert = statement<Agent>()((tables, place) =>
  tables.insertInto('agents').values({
    id: place('id'),
    workspace_id: place('workspace_id'),
    owner_id: place('owner_id'),
    name: place('name'),
    created_at: place('created_at'),
  }),
);

const putGrant = statement<GrantRow>()((tables, place) =>
  tables
    .insertInto('grants')
    .values({
      agent_id: place('agent_id'),
      project_id: place('project_id'),
      scopes: place('scopes'),
      can_complete: place('can_complete'),
      can_cancel: place('can_cancel'),
    })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'project_id']).doUpdateSet((row) => ({
        scopes: row.ref('excluded.scopes'),
        can_complete: row.ref('excluded.can_complete'),
        can_cancel: row.ref('excluded.can_cancel'),
      })),
    ),
);

const removeGrant = statement<Pick<Grant, 'agent_id' | 'project_id'>>()((tables, place) =>
  tables.deleteFrom('grants').where('agent_id', '=', place('agent_id')).where('project_id', '=', place('project_id')),
);

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
  removeGrant: async (agent_id, project_id) => {
    session.accessChanged();
    return (await session.run(removeGrant, { agent_id, project_id })) > 0;
  },
});
