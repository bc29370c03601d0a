import type { ExecutionId, WorkspaceId } from '#domain/ids';
import type { Execution } from '#domain/run';
import { AFTER_ALL } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import { withinParams, withinStatement } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';
import { feedReads, feedWrites } from './feed-entries.ts';
import { EXECUTION_COLUMNS, listExecutions } from './run-lists.ts';
import { silentReads, silentWrites } from './silent-runs.ts';
import { stepReads, stepWrites } from './steps.ts';

interface OneExecution {
  readonly id: ExecutionId;
  readonly workspace_id: WorkspaceId;
}

const find = withinStatement<OneExecution, Execution>(
  (inProjects) => `
    select ${EXECUTION_COLUMNS} from executions
    where id = :id and workspace_id = :workspace_id and ${inProjects('project_id')}`,
);

const seen = plainStatement<OneExecution, Execution>(
  `select ${EXECUTION_COLUMNS} from executions where id = :id and workspace_id = :workspace_id`,
);

const reports = withinStatement<
  Omit<OneExecution, 'id'> & { readonly before: string; readonly limit: number },
  Execution
>(
  (inProjects) => `
    select ${EXECUTION_COLUMNS} from executions
    where workspace_id = :workspace_id and ${inProjects('project_id')} and id < :before
      and kind = 'external' and status = 'completed' and summary is not null
    order by id desc limit :limit + 0`,
);

const insert = statement<Execution>()((tables, place) =>
  tables.insertInto('executions').values({
    id: place('id'),
    workspace_id: place('workspace_id'),
    kind: place('kind'),
    name: place('name'),
    status: place('status'),
    reason: place('reason'),
    project_id: place('project_id'),
    work_item_id: place('work_item_id'),
    attempt_id: place('attempt_id'),
    session_id: place('session_id'),
    user_id: place('user_id'),
    agent_id: place('agent_id'),
    service_id: place('service_id'),
    agent_session_id: place('agent_session_id'),
    worktree_path: place('worktree_path'),
    branch: place('branch'),
    client: place('client'),
    usage: place('usage'),
    summary: place('summary'),
    started_at: place('started_at'),
    seen_at: place('seen_at'),
    liveness: place('liveness'),
    ended_at: place('ended_at'),
  }),
);

const update = statement<Execution>()((tables, place) =>
  tables
    .updateTable('executions')
    .set({
      name: place('name'),
      status: place('status'),
      reason: place('reason'),
      agent_id: place('agent_id'),
      agent_session_id: place('agent_session_id'),
      worktree_path: place('worktree_path'),
      branch: place('branch'),
      client: place('client'),
      usage: place('usage'),
      summary: place('summary'),
      seen_at: place('seen_at'),
      liveness: place('liveness'),
      ended_at: place('ended_at'),
    })
    .where('id', '=', place('id'))
    .where('workspace_id', '=', place('workspace_id')),
);

const executionsOf = (session: Session): Omit<Reads['executions'], 'hasSilent'> => ({
  find: (within, id) => session.get(find, { ...withinParams(within), id }),
  seen: async ({ workspace_id, sees }, id) => {
    const execution = await session.get(seen, { id, workspace_id });
    return execution !== null && sees(execution) ? execution : null;
  },
  list: (sight, query) => listExecutions(session, sight, query),
  reports: (within, { before, limit }) =>
    session.all(reports, { ...withinParams(within), before: before ?? AFTER_ALL, limit }),
  ...stepReads(session),
  ...feedReads(session),
});

export const executionReads = (session: Session, clock: () => number): Reads['executions'] => ({
  ...executionsOf(session),
  ...silentReads(session, clock),
});

export const executionWrites = (session: WriteSession): Transaction['executions'] => ({
  ...executionsOf(session),
  ...silentWrites(session),
  ...stepWrites(session),
  ...feedWrites(session),
  insert: (execution) => session.write(insert, execution),
  update: (execution) => session.write(update, execution),
});
