import { MAX_BAR_STEPS } from '#domain/card';
import type { UserId } from '#domain/ids';
import type { ListedRun, ListedRunParts } from '#domain/listed-run';
import type { ListedRunQuery } from '#store/listed-run-store';
import { AFTER_ALL, LIMIT } from '#store/sql/page';
import type { Session } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads } from '#store/store';
import { SEEN_AT } from './run-lists.ts';

const CONDITIONS = {
  status: 'executions.status = :status',
  project_id: 'executions.project_id = :project_id',
  work_item_id: 'executions.work_item_id = :work_item_id',
  attempt_id: 'executions.attempt_id = :attempt_id',
  agent_id: 'executions.agent_id = :agent_id',
  executor: 'sessions.executor = :executor',
  from: 'executions.started_at >= :from',
  to: 'executions.started_at < :to',
} as const;

type Filter = keyof typeof CONDITIONS;
// The cast: a constant has the keys of its type.
const FILTERS: readonly Filter[] = Object.keys(CONDITIONS) as Filter[];

interface Params extends WithinParams, Omit<ListedRunQuery, 'before'> {
  readonly own_id: UserId;
  readonly before: string;
}

const lists = new Map<string, Statement<Params, ListedRun>>();

// Unused filters are left out of the SQL: a condition that a parameter switches off would prevent the use of an index.
function listBy(filters: readonly Filter[]): Statement<Params, ListedRun> {
  const key = filters.join();
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made = statement<Params, ListedRun>(
    (words) => `
    select executions.id, executions.kind, executions.name, executions.status, executions.reason, executions.liveness,
      executions.client, executions.usage, executions.summary, executions.plan, executions.started_at, ${SEEN_AT} as seen_at,
      executions.ended_at, executions.project_id, projects.key as project_key, executions.work_item_id,
      work_items.number as task_number, work_items.title, states.state_group as task_group, executions.attempt_id, attempts.number as attempt_number,
      sessions.executor, executions.agent_id, agents.name as agent_name, executions.user_id, users.name as user_name,
      (select coalesce(max(seq), 0) from steps where steps.execution_id = executions.id) as step_count,
      (
        select steps.name from steps where steps.execution_id = executions.id order by steps.seq desc limit 1
      ) as step,
      (
        select count(*) from steps where steps.execution_id = executions.id and steps.status = 'failed'
      ) as steps_failed,
      (
        select count(*) from steps where steps.execution_id = executions.id and steps.status = 'running'
      ) as steps_running,
      (
        select count(*) from approvals where approvals.execution_id = executions.id and approvals.status = 'pending'
      ) as questions,
      (
        select approvals.kind from approvals
        where approvals.execution_id = executions.id and approvals.status = 'pending'
        order by approvals.created_at, approvals.id limit 1
      ) as asks,
      claims.claimed_at, claims.lease_until
    from executions
      left join projects on projects.id = executions.project_id
      left join work_items on work_items.id = executions.work_item_id
      left join states on states.id = work_items.state_id
      left join attempts on attempts.id = executions.attempt_id
      left join sessions on sessions.id = executions.session_id
      left join agents on agents.id = executions.agent_id
      left join users on users.id = executions.user_id
      left join claims on claims.work_item_id = executions.work_item_id and claims.principal_id is not null
        and executions.status = 'running' and claims.agent_id = executions.agent_id
    where executions.workspace_id = :workspace_id and executions.id < :before and executions.kind <> 'script'
      and (${inProjects(words, 'executions.project_id')}
        or (executions.project_id is null and executions.user_id = :own_id))
      ${filters.map((name) => `and ${CONDITIONS[name]}`).join(' ')}
    order by executions.id desc ${LIMIT}`,
  );
  lists.set(key, made);
  return made;
}

interface Ids {
  /** A JSON list. */
  readonly ids: string;
}

const steps = statement<Ids, ListedRunParts['steps'][number]>(
  ({ listed }) =>
    `select execution_id, status from steps where execution_id in ${listed('ids')} order by execution_id, seq`,
);

const files = statement<Ids, ListedRunParts['files'][number]>(
  ({ listed }) => `select attempt_id, files from attempt_repos where attempt_id in ${listed('ids')}`,
);

// Made when the file is loaded, so that a test prepares the longest of them on both databases.
listBy(FILTERS);

export const listedRunReads = (session: Session): Reads['listedRuns'] => ({
  list: (within, own_id, { before, ...query }) =>
    session.all(listBy(FILTERS.filter((name) => query[name] !== undefined)), {
      ...withinParams(within),
      ...query,
      own_id,
      before: before ?? AFTER_ALL,
    }),
  parts: async (runs) => {
    const short = runs.filter(({ step_count }) => Number(step_count) <= MAX_BAR_STEPS).map(({ id }) => id);
    const attempts = [...new Set(runs.flatMap(({ attempt_id }) => attempt_id ?? []))];
    return {
      steps: short.length === 0 ? [] : await session.all(steps, { ids: JSON.stringify(short) }),
      files: attempts.length === 0 ? [] : await session.all(files, { ids: JSON.stringify(attempts) }),
    };
  },
});
