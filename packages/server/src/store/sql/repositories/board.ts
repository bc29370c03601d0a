import { ACTIVE, type BoardRow, hasFailed } from '#domain/attempt';
import type { WorkItemId } from '#domain/ids';
import type { Within } from '#domain/reach';
import { BY_URGENCY } from '#domain/work-item';
import type { Dialect, Words } from '#store/sql/dialect';
import { AFTER_ALL, inSizes, LIMIT, type Most, pageById } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import { byTail } from '#store/sql/tail';
import { inProjects, inProjectsOfFew, itemWithin, type WithinParams, withinParams } from '#store/sql/within';
import type { BoardQuery, CandidateQuery, Reads, Transaction } from '#store/store';
import { type AttemptFacts, attemptFacts, fromFacts } from './attempt-facts.ts';
import { claimReads, claimWrites } from './claims.ts';
import { dependencyReads, dependencyWrites } from './dependencies.ts';
import { newest } from './newest.ts';

type Computed =
  | 'key'
  | 'latest_attempt_key'
  | 'attempt_state'
  | 'last_failure_line'
  | 'has_in_progress_attempt'
  | 'last_attempt_failed';

type StoredRow = Omit<BoardRow, Computed> & {
  readonly has_in_progress_attempt: number;
} & AttemptFacts;

const listed = (words: readonly string[]): string => `(${words.map((word) => `'${word}'`).join(', ')})`;

const LAST = BY_URGENCY.length - 1;

/** Must be identical to the expression of the index `ready`: otherwise the index is not used. */
const PRIORITY_RANK = `case priority ${BY_URGENCY.slice(0, LAST)
  .map((priority, rank) => `when '${priority}' then ${rank}`)
  .join(' ')} else ${LAST} end`;

// A value, not `exists`: Postgres would read all attempts for a few tasks.
const IS_IN_PROGRESS = `coalesce((
    select 1 from attempts
    where attempts.work_item_id = work_items.id and attempts.run_status in ${listed(ACTIVE)} limit 1
  ), 0)`;

const rowIn = (project_id: string): string => `
  work_items.id, work_items.project_id, work_items.title, states.slug as state_slug, states.state_group,
  work_items.priority, work_items.created_at, work_items.updated_at,
  work_items.open_blockers,
  (
    select lease_until from claims where claims.work_item_id = work_items.id and claims.principal_id is not null
  ) as claimed_until,
  latest.id as latest_attempt_id, latest.branch as latest_branch, latest.verdict as verdict,
  ${attemptFacts({ attempt: 'latest', item: 'work_items', project_id })},
  latest_session.id as latest_session_id, latest_session.executor as latest_session_executor,
  ${IS_IN_PROGRESS} as has_in_progress_attempt`;
const ROW = rowIn('work_items.project_id');

const latest = (words: Words): string => `
  ${newest(words, 'attempts', { as: 'latest', where: 'work_item_id = work_items.id and archived_at is null' })}
  ${newest(words, 'sessions', { as: 'latest_session', where: 'attempt_id = latest.id' })}`;

interface TasksParams extends WithinParams {
  readonly project_id: string;
  readonly status: string | null;
  readonly task_id: string | null;
  readonly before: string;
  readonly limit: number;
}

// Unused filters are left out of the SQL: a condition that a parameter switches off would prevent the use of an index.
// The order of the joins is fixed, so that the tasks come in that of the index.
const tasksWhere = (...conditions: readonly string[]): ((rows: number) => Statement<TasksParams, StoredRow>) =>
  inSizes((words, most) =>
    pageById(
      `
      select ${rowIn(':project_id')}
      from work_items cross join states ${latest(words)}
      where ${conditions.join(' and ')} and work_items.id < :before
        and states.id = work_items.state_id
        and work_items.workspace_id = :workspace_id and ${inProjects(words, 'work_items.project_id')}`,
      { id: 'work_items.id', order: 'desc', most },
    ),
  );

const OF_PROJECT = 'work_items.project_id = :project_id';
// The state is a value, not a join: a rare state is found without scanning the whole project.
const OF_STATE = `${OF_PROJECT}
        and work_items.state_id = (select id from states where states.project_id = :project_id and states.slug = :status)`;
const ONE = 'work_items.id = :task_id';

const every = tasksWhere(OF_PROJECT);
const ofStatus = tasksWhere(OF_STATE);
const one = tasksWhere(OF_PROJECT, ONE);
const oneOfStatus = tasksWhere(OF_STATE, ONE);

const task = statement<WithinParams & { readonly id: WorkItemId }, StoredRow>(
  (words) => `
    select ${ROW}
    from work_items join states on states.id = work_items.state_id ${latest(words)}
    where ${itemWithin(words)}`,
);

// The tasks of one state that can be begun, as far as the page reaches: they come in the order of the index `ready`, which
// has no blocked ones. The attempts are not compared by `= 0`: Postgres takes what equals something for rare, and would
// read and sort all tasks of the state.
const ofState = (columns: string): string => `
  select ${columns} from work_items
  where ${byTail('work_items.state_id', 'states.id')} and work_items.completed_at is null and work_items.open_blockers = 0
    and ${IS_IN_PROGRESS} <> 1
  order by ${PRIORITY_RANK}, work_items.sort_order, work_items.id`;
const REACH = 'limit :offset + 0 + :limit';

// One order over all states would read every task of them.
const OF_STATES: Readonly<Record<Dialect, (most: Most) => string>> = {
  sqlite: () => `cross join work_items where work_items.rowid in (${ofState('work_items.rowid')} ${REACH})`,
  postgres: (most) => {
    const first =
      most === null ? ofState('work_items.*') : `select * from (${ofState('work_items.*')} limit ${most}) as first`;
    return `cross join lateral (${first} ${REACH}) as work_items where true`;
  },
};

/** The first look of `next_task`, and a usual page. */
const REACHES = [1, 51];

// The summary is computed for the rows of the page only.
const candidates = inSizes<WithinParams & CandidateQuery, StoredRow>(
  (words, most) => `
    with page (id) as (
      select work_items.id
      from projects cross join states ${OF_STATES[words.dialect](most)}
        and projects.workspace_id = :workspace_id and ${inProjects(words, 'projects.id')}
        and states.project_id = projects.id and states.state_group in ('backlog', 'unstarted')
      order by ${PRIORITY_RANK}, work_items.sort_order, work_items.id ${LIMIT} offset :offset + 0)
    select ${ROW}
    from page join work_items on work_items.id = page.id join states on states.id = work_items.state_id ${latest(words)}
    order by ${PRIORITY_RANK}, work_items.sort_order, work_items.id`,
  REACHES,
);

const ofIds = statement<WithinParams & { readonly ids: string }, StoredRow>(
  (words) => `
    select ${ROW}
    from work_items join states on states.id = work_items.state_id ${latest(words)}
    where work_items.id in ${words.listed('ids')} and work_items.workspace_id = :workspace_id
      and ${inProjectsOfFew(words, 'work_items.project_id')}`,
);

// Field by field: a copy of all but some fields takes longer than the query.
const toBoardRow = (stored: StoredRow): BoardRow => {
  const { state, last_failure_line, key, task_key } = fromFacts(stored);
  return {
    id: stored.id,
    project_id: stored.project_id,
    key: task_key,
    title: stored.title,
    state_slug: stored.state_slug,
    state_group: stored.state_group,
    priority: stored.priority,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
    open_blockers: stored.open_blockers,
    claimed_until: stored.claimed_until,
    latest_attempt_id: stored.latest_attempt_id,
    latest_attempt_key: key,
    attempt_state: stored.latest_attempt_id === null ? null : state,
    verdict: stored.verdict,
    last_failure_line,
    latest_branch: stored.latest_branch,
    latest_session_id: stored.latest_session_id,
    latest_session_executor: stored.latest_session_executor,
    has_in_progress_attempt: stored.has_in_progress_attempt === 1,
    last_attempt_failed: hasFailed(stored.run_status),
  };
};

const tasksOf = ({ status, task_id, limit }: BoardQuery): Statement<TasksParams, StoredRow> => {
  if (task_id === null) return (status === null ? every : ofStatus)(limit);
  return (status === null ? one : oneOfStatus)(limit);
};

/** The rows of several tasks, whose ids are a JSON list. */
export const cardRows = async (session: Session, within: Within, ids: string): Promise<readonly BoardRow[]> =>
  (await session.all(ofIds, { ...withinParams(within), ids })).map(toBoardRow);

const taskReads = (session: Session): Pick<Reads['board'], 'tasks' | 'task' | 'candidates'> => ({
  tasks: async (within, query) => {
    const params = { ...withinParams(within), ...query, before: query.before ?? AFTER_ALL };
    return (await session.all(tasksOf(query), params)).map(toBoardRow);
  },
  task: async (within, id) => {
    const row = await session.get(task, { ...withinParams(within), id });
    return row && toBoardRow(row);
  },
  candidates: async (within, query) =>
    (await session.all(candidates(query.offset + query.limit), { ...withinParams(within), ...query })).map(toBoardRow),
});

export const boardReads = (session: Session, clock: () => number): Reads['board'] => ({
  ...taskReads(session),
  ...claimReads(session, clock),
  ...dependencyReads(session),
});

export const boardWrites = (session: WriteSession): Transaction['board'] => ({
  ...taskReads(session),
  ...claimWrites(session),
  ...dependencyReads(session),
  ...dependencyWrites(session),
});
