import type { GitJobResult } from '#domain/git-job';
import type { AgentId, ApprovalId, AttemptId, ProjectId, RunId } from '#domain/ids';
import { INBOX_KINDS, type InboxKind, type InboxRow, MAX_INBOX_COUNTED } from '#domain/inbox';
import { attemptKey, taskKey } from '#domain/key';
import type { Words } from '#store/sql/dialect';
import { AFTER_ALL, LIMIT } from '#store/sql/page';
import type { Session } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads } from '#store/store';

interface Wanted extends WithinParams {
  readonly project_id: ProjectId | null;
  readonly attempt_id: AttemptId | null;
}

interface Listed extends Wanted {
  readonly before_at: number;
  readonly before_id: string;
  readonly limit: number;
}

interface Row {
  readonly id: string;
  readonly kind: InboxKind;
  readonly since: number;
  readonly project_key: string | null;
  readonly task_number: number | null;
  readonly attempt_id: AttemptId | null;
  readonly attempt_number: number | null;
  readonly approval_id: ApprovalId | null;
  readonly execution_id: RunId | null;
  readonly title: string | null;
  readonly text: string | null;
  readonly details: string | null;
  readonly options: string | null;
  readonly agent_id: AgentId | null;
  readonly agent_name: string | null;
  readonly executor: string | null;
  readonly layout: string | null;
  readonly lease_until: number | null;
}

/** One kind of what waits: what it is called in the query, and the rows. Each has an index in the order of `since` and `id`. */
interface Source {
  readonly kind: string;
  readonly id: string;
  readonly workspace: string;
  readonly project: string;
  readonly since: string;
  readonly approval: string;
  readonly run: string;
  readonly text: string;
  readonly details: string;
  readonly options: string;
  readonly agent: string;
  readonly layout: string;
  readonly lease: string;
  readonly from: string;
  readonly where: string;
}

const ITEM = 'left join work_items on work_items.id = coalesce(attempts.work_item_id, ';

const REASON = `(
  select executions.reason from executions where executions.attempt_id = attempts.id order by executions.id desc limit 1)`;

/** The attempt may still be merged, and its task is not over. */
const OPEN = `attempts.archived_at is null and attempts.merged_at is null and exists (
    select 1 from states where states.id = work_items.state_id and states.state_group = 'started')
  and not exists (select 1 from approvals where approvals.attempt_id = attempts.id and approvals.status = 'pending')`;

/** The columns that only some kinds of rows have. */
const NONE = {
  approval: 'null',
  run: 'null',
  details: 'null',
  options: 'null',
  agent: 'null',
  layout: 'null',
  lease: 'null',
} as const;

const EXECUTOR = `(
  select sessions.executor from sessions where sessions.attempt_id = attempts.id
  order by sessions.created_at desc, sessions.id limit 1)`;

const ATTEMPTS: Omit<Source, 'kind' | 'text' | 'where'> = {
  ...NONE,
  id: 'attempts.id',
  workspace: 'attempts.workspace_id',
  project: 'attempts.project_id',
  since: 'attempts.updated_at',
  agent: 'attempts.created_by_agent_id',
  from: `attempts ${ITEM}null)`,
};

/** A later attempt shows that somebody has dealt with the failure of this one. */
const LATEST = `not exists (
  select 1 from attempts as later where later.work_item_id = attempts.work_item_id
    and later.archived_at is null and later.number > attempts.number)`;

const SOURCES: readonly Source[] = [
  {
    ...NONE,
    kind: 'approvals.kind',
    id: 'approvals.id',
    // Those of an older server name their attempt alone.
    workspace: 'coalesce(approvals.workspace_id, attempts.workspace_id)',
    project: 'coalesce(approvals.project_id, attempts.project_id)',
    since: 'approvals.created_at',
    approval: 'approvals.id',
    run: 'approvals.execution_id',
    text: 'approvals.question',
    details: 'approvals.details',
    options: 'approvals.options',
    agent: 'approvals.asked_by_agent_id',
    from: `approvals left join attempts on attempts.id = approvals.attempt_id ${ITEM}approvals.work_item_id)`,
    where: "approvals.status = 'pending'",
  },
  {
    ...ATTEMPTS,
    kind: "'review'",
    text: 'null',
    layout: 'work_items.detail_layout',
    where: `attempts.run_status = 'completed' and ${OPEN}`,
  },
  ...['failed', 'interrupted'].map((status) => ({
    ...ATTEMPTS,
    kind: "'failed'",
    text: REASON,
    where: `attempts.run_status = '${status}' and ${OPEN} and ${LATEST}`,
  })),
  {
    ...NONE,
    kind: "'stalled'",
    id: 'executions.id',
    workspace: 'executions.workspace_id',
    project: 'coalesce(executions.project_id, attempts.project_id)',
    since: 'coalesce(executions.seen_at, executions.started_at)',
    run: 'executions.id',
    text: 'executions.name',
    agent: 'executions.agent_id',
    lease: `(
      select claims.lease_until from claims
      where claims.work_item_id = work_items.id and claims.principal_id is not null)`,
    from: `executions left join attempts on attempts.id = executions.attempt_id ${ITEM}executions.work_item_id)`,
    where: "executions.status = 'running' and executions.liveness = 'stalled'",
  },
  {
    ...NONE,
    kind: "'job'",
    id: 'git_jobs.id',
    workspace: 'git_jobs.workspace_id',
    project: 'git_jobs.project_id',
    since: 'git_jobs.ended_at',
    text: 'git_jobs.result',
    from: `git_jobs join attempts on attempts.id = git_jobs.attempt_id ${ITEM}null)`,
    where: `git_jobs.status = 'failed' and attempts.archived_at is null and attempts.merged_at is null and not exists (
      select 1 from git_jobs as later where later.attempt_id = git_jobs.attempt_id and later.created_at > git_jobs.created_at)`,
  },
];

const rowsOf = ({ from, where, workspace, project }: Source, words: Words): string => `
  from ${from} left join projects on projects.id = ${project}
  where ${where} and ${workspace} = :workspace_id and ${inProjects(words, project)}
    and (${words.text('project_id')} is null or ${project} = ${words.text('project_id')})
    and (${words.text('attempt_id')} is null or attempts.id = ${words.text('attempt_id')})`;

const lists = SOURCES.map((source) =>
  statement<Listed, Row>(
    (words) => `
      select ${source.id} as id, ${source.kind} as kind, ${source.since} as since, projects.key as project_key,
        work_items.number as task_number, attempts.id as attempt_id, attempts.number as attempt_number,
        ${source.approval} as approval_id, ${source.run} as execution_id, work_items.title as title,
        ${source.text} as text, ${source.details} as details, ${source.options} as options,
        ${source.agent} as agent_id, (select agents.name from agents where agents.id = ${source.agent}) as agent_name,
        ${EXECUTOR} as executor, ${source.layout} as layout, ${source.lease} as lease_until
      ${rowsOf(source, words)}
        and (${source.since}, ${source.id}) < (:before_at, :before_id)
      order by 3 desc, 1 desc ${LIMIT}`,
  ),
);

const counts: readonly Statement<Wanted, Pick<Row, 'kind'> & { readonly count: number }>[] = SOURCES.map((source) =>
  statement(
    (words) => `
      select counted.kind as kind, count(*) as count
      from (select ${source.kind} as kind ${rowsOf(source, words)} limit ${MAX_INBOX_COUNTED}) as counted group by 1`,
  ),
);

/** Why a git job failed. Safe: the services write its result. */
const reasonIn = (result: string): string | null => (JSON.parse(result) as GitJobResult).reason ?? null;

interface OfAttempt {
  readonly attempt_id: AttemptId;
  readonly files: string | null;
}

const files = statement<{ readonly ids: string }, OfAttempt>(
  ({ listed }) => `select attempt_id, files from attempt_repos where attempt_id in ${listed('ids')}`,
);

/** What the attempts among these rows changed, as far as they wait for a review. */
async function filesOf(session: Session, rows: readonly Row[]): Promise<ReadonlyMap<AttemptId, readonly OfAttempt[]>> {
  const ids = rows.flatMap(({ kind, attempt_id }) => (kind === 'review' && attempt_id !== null ? [attempt_id] : []));
  return Map.groupBy(
    ids.length === 0 ? [] : await session.all(files, { ids: JSON.stringify(ids) }),
    ({ attempt_id }) => attempt_id,
  );
}

const read = ({
  project_key,
  task_number,
  attempt_number,
  agent_id,
  agent_name,
  executor,
  ...row
}: Row): Omit<InboxRow, 'files'> => {
  const task_key = taskKey(project_key, task_number);
  const text = row.kind === 'job' && row.text !== null ? reasonIn(row.text) : row.text;
  const started = executor === null ? null : { id: executor, name: executor };
  const by = agent_id === null ? started : { id: agent_id, name: agent_name ?? '' };
  return { ...row, text, by, task_key, attempt_key: attemptKey(task_key, attempt_number) };
};

const newestFirst = (a: Row, b: Row): number => b.since - a.since || (a.id < b.id ? 1 : -1);

const NEVER = Number.MAX_SAFE_INTEGER;

export const inboxReads = (session: Session): Reads['inbox'] => ({
  list: async (within, { project_id, attempt_id, before, limit }) => {
    const params: Listed = {
      ...withinParams(within),
      project_id,
      attempt_id,
      before_at: before?.since ?? NEVER,
      before_id: before?.id ?? AFTER_ALL,
      limit,
    };
    const found = await Promise.all(lists.map((list) => session.all(list, params)));
    const rows = found.flat().toSorted(newestFirst).slice(0, limit);
    const changed = await filesOf(session, rows);
    return rows.map((row) => ({
      ...read(row),
      files: (row.kind === 'review' && row.attempt_id !== null && changed.get(row.attempt_id)) || [],
    }));
  },
  counts: async (within, { project_id, attempt_id }) => {
    const params: Wanted = { ...withinParams(within), project_id, attempt_id };
    const found = await Promise.all(counts.map((count) => session.all(count, params)));
    const countOf = (wanted: InboxKind): number =>
      found.flat().reduce((sum, { kind, count }) => (kind === wanted ? sum + Number(count) : sum), 0);
    const all = INBOX_KINDS.map((kind) => [kind, Math.min(countOf(kind), MAX_INBOX_COUNTED)] as const);
    // The cast: `Object.fromEntries` loses the names.
    return Object.fromEntries(all) as Record<InboxKind, number>;
  },
});
