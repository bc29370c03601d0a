import {
  type CardBlocker,
  type CardClaim,
  type CardFacts,
  type CardLabel,
  type CardParts,
  type CardPerson,
  type CardPlace,
  type CardQuestion,
  type CardRepo,
  type CardRun,
  type CardStep,
  type ColumnCount,
  MAX_BAR_STEPS,
  type OfTask,
  type StepCount,
} from '#domain/card';
import type { ProjectId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { ColumnQuery } from '#store/card-store';
import type { Dialect, Words } from '#store/sql/dialect';
import { LIMIT } from '#store/sql/page';
import type { Session } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import { byTail } from '#store/sql/tail';
import { inProjectsOfFew, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads } from '#store/store';
import { cardRows } from './board.ts';

interface OfProject {
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
}

const OWN = 'work_items.project_id = :project_id and work_items.workspace_id = :workspace_id';

// Few tasks are counted here: those whose number is higher than the last counted one, or not given yet. No number is
// higher than the last given one: without that end, Postgres would take a third of all tasks for many, and read all.
const counts = statement<OfProject, ColumnCount>(`
  select state_id, sum(count) as count from (
    select state_id, count from state_counts where project_id = :project_id
    union all
    select state_id, change as count from state_moves where project_id = :project_id
    union all
    select state_id, 1 as count from work_items where ${OWN} and number is not null
      and number > (select last from counted_items where project_id = :project_id)
      and number <= (select last from item_numbers where project_id = :project_id)
    union all
    select state_id, 1 as count from work_items where ${OWN} and number is null
  ) as counted
  where exists (select 1 from projects where id = :project_id and workspace_id = :workspace_id)
  group by state_id having sum(count) > 0`);

interface ColumnParams extends OfProject {
  readonly state_id: string;
  readonly place: number;
  readonly id: string;
  readonly limit: number;
}

// The state is looked up, and the tasks are found by it alone: with the project beside it, both databases would take
// another index, and sort the whole column.
const OWN_STATE = `(
  select states.id from states join projects on projects.id = states.project_id
  where states.id = :state_id and projects.id = :project_id and projects.workspace_id = :workspace_id)`;

// The first comparison is for SQLite, which does not find a pair in an index of expressions.
const columnBy = (place: string, order: 'asc' | 'desc'): Statement<ColumnParams, CardPlace> => {
  const sign = order === 'asc' ? '>' : '<';
  return statement(`
    select work_items.id, ${place} as place from work_items
    where ${byTail('work_items.state_id', OWN_STATE)}
      and ${place} ${sign}= :place and (${place}, work_items.id) ${sign} (:place, :id)
    order by ${place} ${order}, work_items.id ${order} ${LIMIT}`);
};

const open = columnBy('work_items.sort_order', 'asc');
const ended = columnBy('coalesce(work_items.completed_at, work_items.updated_at)', 'desc');

/** Before the first card of a column, and after the last. */
const ENDS = { asc: { place: Number.MIN_SAFE_INTEGER, id: '' }, desc: { place: Number.MAX_SAFE_INTEGER, id: '~' } };

const QUESTIONED = 'coalesce(approvals.work_item_id, attempts.work_item_id)';
// The order of the joins is fixed: SQLite would walk all tasks of the project, to have them in order.
const ASKED = 'from approvals left join attempts on attempts.id = approvals.attempt_id cross join work_items';
const PENDING = `approvals.status = 'pending' and work_items.id = ${QUESTIONED}`;

const needing = statement<OfProject & { readonly limit: number }, { readonly id: WorkItemId }>(`
  select distinct work_items.id ${ASKED} where ${PENDING} and ${OWN} order by work_items.id ${LIMIT}`);

interface ChildrenParams {
  readonly workspace_id: WorkspaceId;
  readonly parent_id: WorkItemId;
  readonly limit: number;
}

const children = statement<ChildrenParams, { readonly id: WorkItemId }>(`
  select work_items.id from work_items
  where work_items.parent_id = :parent_id and work_items.workspace_id = :workspace_id order by work_items.id ${LIMIT}`);

interface RelatedParams {
  readonly workspace_id: WorkspaceId;
  /** A JSON list. */
  readonly ids: string;
  readonly limit: number;
}

// The first of each blocker: many tasks may wait for one, and Postgres would take that for the usual. With `=`, it would
// walk all dependencies in the order of the tasks that wait.
const WAITING = `from dependencies where blocker_id >= blockers.value and blocker_id <= blockers.value
      order by blocker_id, work_item_id ${LIMIT}`;
const FIRST_WAITING: Readonly<Record<Dialect, string>> = {
  sqlite: `cross join dependencies as waiting on waiting.rowid in (select rowid ${WAITING})`,
  postgres: `cross join lateral (select work_item_id ${WAITING}) as waiting`,
};

/** Parents count their sub-tasks, and what waits for a task shows whether it still does. */
const related = statement<RelatedParams, { readonly id: WorkItemId }>(
  ({ dialect, listed, tableOf }) => `
    select related.id from (
      select work_items.parent_id as id from work_items
      where work_items.id in ${listed('ids')} and work_items.workspace_id = :workspace_id
        and work_items.parent_id is not null
      union
      select work_items.id from ${tableOf('ids', 'blockers')} ${FIRST_WAITING[dialect]}
        join work_items on work_items.id = waiting.work_item_id
      where work_items.workspace_id = :workspace_id
    ) as related order by related.id ${LIMIT}`,
);

interface Ids extends WithinParams {
  /** A JSON list. */
  readonly ids: string;
}

/** The condition that a row of `work_items` is one of the given that the caller may see. */
const given = (words: Words): string => `
  work_items.id in ${words.listed('ids')} and work_items.workspace_id = :workspace_id
    and ${inProjectsOfFew(words, 'work_items.project_id')}`;

/** `rest`: further conditions, and the order. */
const ofGiven = <Row>(select: string | ((words: Words) => string), rest = ''): Statement<Ids, Row> =>
  statement((words) => `${typeof select === 'string' ? select : select(words)} where ${given(words)} ${rest}`);

const facts = ofGiven<CardFacts>(`
  select work_items.id, work_items.detail_layout, work_items.sort_order, work_items.completed_at,
    work_items.target_date,
    (select count(*) from work_items as children where children.parent_id = work_items.id) as children,
    (
      select count(*) from work_items as children
      where children.parent_id = work_items.id and children.completed_at is null
    ) as open_children,
    (
      select count(*) from attempts join agent_messages on agent_messages.attempt_id = attempts.id
      where attempts.work_item_id = work_items.id and agent_messages.status in ('queued', 'delivered')
    ) as unread_messages
  from work_items`);

const labels = ofGiven<OfTask<CardLabel>>(
  `select item_labels.work_item_id, labels.id, labels.name
  from work_items join item_labels on item_labels.work_item_id = work_items.id
    join labels on labels.id = item_labels.label_id`,
  'order by lower(labels.name)',
);

const people = ofGiven<OfTask<CardPerson>>(
  `select assignments.work_item_id, users.id, users.name
  from work_items join assignments on assignments.work_item_id = work_items.id
    join users on users.id = assignments.user_id`,
  'order by users.name, users.id',
);

const claims = ofGiven<OfTask<CardClaim>>(
  `
  select claims.work_item_id, claims.claimed_at, claims.lease_until, claims.agent_id, claims.user_id,
    coalesce(agents.name, users.name, '') as name
  from work_items join claims on claims.work_item_id = work_items.id
    left join agents on agents.id = claims.agent_id left join users on users.id = claims.user_id`,
  'and claims.principal_id is not null',
);

// `offset 0`: without it, Postgres reads all dependencies of all tasks.
const DEPENDENCIES: Readonly<Record<Dialect, string>> = {
  sqlite: 'join dependencies on dependencies.work_item_id = work_items.id',
  postgres: `cross join lateral (
      select * from dependencies where dependencies.work_item_id = work_items.id offset 0) as dependencies`,
};

const blockers = ofGiven<OfTask<CardBlocker>>(
  ({ dialect }) => `select dependencies.work_item_id, projects.key as project_key, blockers.number
  from work_items ${DEPENDENCIES[dialect]}
    join work_items as blockers on blockers.id = dependencies.blocker_id
    join states on states.id = blockers.state_id join projects on projects.id = blockers.project_id`,
  "and states.state_group <> 'completed' order by blockers.id",
);

const questions = ofGiven<OfTask<CardQuestion>>(
  `select work_items.id as work_item_id, approvals.id, approvals.kind, approvals.question, approvals.details,
    approvals.options, approvals.created_at ${ASKED}`,
  `and ${PENDING} order by approvals.created_at, approvals.id`,
);

const STEP_COUNT = 'coalesce((select max(seq) from steps where execution_id = executions.id), 0)';

/** Of several runs of one task only the newest counts. Ids of runs are in the order of their beginning. */
const runs = ofGiven<OfTask<CardRun>>(
  `select work_items.id as work_item_id, executions.id, executions.attempt_id, executions.status,
    executions.liveness, executions.client, executions.plan, ${STEP_COUNT} as step_count, executions.started_at, executions.seen_at,
    executions.ended_at, executions.agent_id, agents.name as agent_name
  from work_items join executions on executions.id = (
      select max(newest.id) from executions as newest
      where newest.work_item_id = work_items.id and newest.kind <> 'script')
    left join agents on agents.id = executions.agent_id`,
);

const files = ofGiven<OfTask<CardRepo>>(`
  select attempts.work_item_id, attempt_repos.files, attempt_repos.base_commit, attempt_repos.head_commit
  from work_items join attempts on attempts.id = (
      select latest.id from attempts as latest
      where latest.work_item_id = work_items.id and latest.archived_at is null
      order by latest.created_at desc, latest.id limit 1)
    join attempt_repos on attempt_repos.attempt_id = attempts.id`);

interface RunIds {
  readonly ids: string;
}

const steps = statement<RunIds, CardStep>(
  ({ listed }) => `
    select execution_id, seq, name, status from steps where execution_id in ${listed('ids')} order by execution_id, seq`,
);

/** Long runs are counted; only the name of the last step is read. */
const stepCounts = statement<RunIds, StepCount>(
  ({ listed }) => `
    select execution_id, status, count(*) as count from steps
    where execution_id in ${listed('ids')} group by execution_id, status`,
);

const lastSteps = statement<RunIds, CardStep>(
  ({ listed }) => `
    select steps.execution_id, steps.seq, steps.name, steps.status
    from executions join steps on steps.execution_id = executions.id and steps.seq = ${STEP_COUNT}
    where executions.id in ${listed('ids')}`,
);

const idsOf = (found: readonly { readonly id: string }[]): string => JSON.stringify(found.map(({ id }) => id));

async function stepsOf(session: Session, found: readonly CardRun[]): Promise<Pick<CardParts, 'steps' | 'step_counts'>> {
  const short = found.filter(({ step_count }) => step_count <= MAX_BAR_STEPS);
  const long = found.filter(({ step_count }) => step_count > MAX_BAR_STEPS);
  const [ofShort, ofLong, step_counts] = await Promise.all([
    short.length === 0 ? [] : session.all(steps, { ids: idsOf(short) }),
    long.length === 0 ? [] : session.all(lastSteps, { ids: idsOf(long) }),
    long.length === 0 ? [] : session.all(stepCounts, { ids: idsOf(long) }),
  ]);
  return { steps: [...ofShort, ...ofLong], step_counts };
}

async function partsOf(session: Session, params: Ids): Promise<CardParts> {
  const newest = session.all(runs, params).then(async (found) => ({ runs: found, ...(await stepsOf(session, found)) }));
  const [ofRuns, ...parts] = await Promise.all([
    newest,
    session.all(facts, params),
    session.all(labels, params),
    session.all(people, params),
    session.all(claims, params),
    session.all(blockers, params),
    session.all(questions, params),
    session.all(files, params),
  ]);
  const [ofTasks, ofLabels, ofPeople, ofClaims, ofBlockers, ofQuestions, ofFiles] = parts;
  return {
    ...ofRuns,
    facts: ofTasks,
    labels: ofLabels,
    people: ofPeople,
    claims: ofClaims,
    blockers: ofBlockers,
    questions: ofQuestions,
    files: ofFiles,
  };
}

export const cardReads = (session: Session): Reads['cards'] => ({
  counts: (workspace_id, project_id) => session.all(counts, { workspace_id, project_id }),
  column: ({ is_ended, after, ...query }: ColumnQuery) =>
    session.all(is_ended ? ended : open, { ...query, ...(after ?? ENDS[is_ended ? 'desc' : 'asc']) }),
  needing: async (workspace_id, project_id, limit) =>
    (await session.all(needing, { workspace_id, project_id, limit })).map(({ id }) => id),
  children: async (workspace_id, parent_id, limit) =>
    (await session.all(children, { workspace_id, parent_id, limit })).map(({ id }) => id),
  related: async (workspace_id, ids, limit) =>
    (await session.all(related, { workspace_id, ids: JSON.stringify(ids), limit })).map(({ id }) => id),
  rows: (within, ids) => cardRows(session, within, JSON.stringify(ids)),
  parts: (within, ids) => partsOf(session, { ...withinParams(within), ids: JSON.stringify(ids) }),
});
