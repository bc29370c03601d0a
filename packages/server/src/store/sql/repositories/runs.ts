import type { RunId, WorkspaceId } from '#domain/ids';
import type { Run } from '#domain/run';
import { AFTER_ALL } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import { withinParams, withinStatement } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';
import { feedReads, feedWrites } from './feed-entries.ts';
import { listExecutions, RUN_COLUMNS } from './run-lists.ts';
import { silentReads, silentWrites } from './silent-runs.ts';
import { stepReads, stepWrites } from './steps.ts';

interface OneExecution {
  readonly id: RunId;
  readonly workspace_id: WorkspaceId;
}

const find = withinStatement<OneExecution, Run>(
  (inProjects) => `
    select ${RUN_COLUMNS} from executions
    where id = :id and workspace_id = :workspace_id and ${inProjects('project_id')}`,
);

const seen = plainStatement<OneExecution, Run>(
  `select ${RUN_COLUMNS} from executions where id = :id and workspace_id = :workspace_id`,
);

const reports = withinStatement<Omit<OneExecution, 'id'> & { readonly before: string; readonly limit: number }, Run>(
  (inProjects) => `
    select ${RUN_COLUMNS} from executions
    where workspace_id = :workspace_id and ${inProjects('project_id')} and id < :before
      and kind = 'external' and status = 'completed' and summary is not null
    order by id desc limit :limit + 0`,
);

const insert = statement<Run>()((tables, place) =>
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

const update = statement<Run>()((tables, place) =>
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

const runsOf = (session: Session): Omit<Reads['runs'], 'hasSilent'> => ({
  find: (within, id) => session.get(find, { ...withinParams(within), id }),
  seen: async ({ workspace_id, sees }, id) => {
    const run = await session.get(seen, { id, workspace_id });
    return run !== null && sees(run) ? run : null;
  },
  list: (sight, query) => listExecutions(session, sight, query),
  reports: (within, { before, limit }) =>
    session.all(reports, { ...withinParams(within), before: before ?? AFTER_ALL, limit }),
  ...stepReads(session),
  ...feedReads(session),
});

export const runReads = (session: Session, clock: () => number): Reads['runs'] => ({
  ...runsOf(session),
  ...silentReads(session, clock),
});

export const runWrites = (session: WriteSession): Transaction['runs'] => ({
  ...runsOf(session),
  ...silentWrites(session),
  ...stepWrites(session),
  ...feedWrites(session),
  insert: (run) => session.write(insert, run),
  update: (run) => session.write(update, run),
});
