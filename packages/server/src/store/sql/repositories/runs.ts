import type { RunId, WorkspaceId } from '#domain/ids';
import type { Run } from '#domain/run';
import { AFTER_ALL, LIMIT } from '#store/sql/page';
import { change, insertion } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';
import { feedReads, feedWrites } from './feed-entries.ts';
import { listRuns, RUN_COLUMNS, STORED_RUN } from './run-lists.ts';
import { silentReads, silentWrites } from './silent-runs.ts';
import { stepReads, stepWrites } from './steps.ts';

interface OneRun {
  readonly id: RunId;
  readonly workspace_id: WorkspaceId;
}

const find = statement<OneRun & WithinParams, Run>(
  (words) => `
    select ${RUN_COLUMNS} from executions
    where id = :id and workspace_id = :workspace_id and ${inProjects(words, 'project_id')}`,
);

const seen = statement<OneRun, Run>(
  `select ${RUN_COLUMNS} from executions where id = :id and workspace_id = :workspace_id`,
);

const reports = statement<WithinParams & { readonly before: string; readonly limit: number }, Run>(
  (words) => `
    select ${RUN_COLUMNS} from executions
    where workspace_id = :workspace_id and ${inProjects(words, 'project_id')} and id < :before
      and kind = 'external' and status = 'completed' and summary is not null
    order by id desc ${LIMIT}`,
);

const insert = insertion('executions', [...STORED_RUN, 'seen_at']);

const update = change(
  'executions',
  ['id', 'workspace_id'],
  [
    'name',
    'status',
    'reason',
    'agent_id',
    'agent_session_id',
    'worktree_path',
    'branch',
    'client',
    'usage',
    'summary',
    'plan',
    'budget_warned_at',
    'seen_at',
    'liveness',
    'ended_at',
  ],
);

const runsOf = (session: Session): Omit<Reads['runs'], 'hasSilent'> => ({
  find: (within, id) => session.get(find, { ...withinParams(within), id }),
  seen: async ({ workspace_id, sees }, id) => {
    const run = await session.get(seen, { id, workspace_id });
    return run !== null && sees(run) ? run : null;
  },
  list: (visibility, query) => listRuns(session, visibility, query),
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
