import type { Execution } from '#domain/execution';
import type { ExecutionId } from '#domain/ids';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { withinParams, withinStatement } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';

const find = withinStatement<{ readonly id: ExecutionId }, Execution>(
  (inProjects) => `
    select * from executions
    where id = :id and workspace_id = :workspace_id and ${inProjects('project_id')}`,
);

const insert = statement<Execution>()((tables, place) =>
  tables.insertInto('executions').values({
    id: place('id'),
    workspace_id: place('workspace_id'),
    kind: place('kind'),
    status: place('status'),
    reason: place('reason'),
    project_id: place('project_id'),
    work_item_id: place('work_item_id'),
    user_id: place('user_id'),
    agent_id: place('agent_id'),
    summary: place('summary'),
    started_at: place('started_at'),
    ended_at: place('ended_at'),
  }),
);

const finish = statement<Execution>()((tables, place) =>
  tables
    .updateTable('executions')
    .set({
      status: place('status'),
      reason: place('reason'),
      summary: place('summary'),
      ended_at: place('ended_at'),
    })
    .where('id', '=', place('id'))
    .where('workspace_id', '=', place('workspace_id'))
    .where('ended_at', 'is', null),
);

export const executionReads = (session: Session): Reads['executions'] => ({
  find: (within, id) => session.get(find, { ...withinParams(within), id }),
});

export const executionWrites = (session: WriteSession): Transaction['executions'] => ({
  ...executionReads(session),
  insert: (execution) => session.write(insert, execution),
  finish: async (execution) => (await session.run(finish, execution)) > 0,
});
