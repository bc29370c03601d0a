import type { AttemptId, ProjectId, UserId, WorkspaceId } from '#domain/ids';
import type { KeyParts, NamedKind } from '#domain/reference';
import type { RunOwner } from '#domain/run';
import type { Words } from '#store/sql/dialect';
import { LIMIT } from '#store/sql/page';
import { type Statement, statement } from '#store/sql/statement';
import { inProjects, type WithinParams } from '#store/sql/within';

export interface NameParams extends WithinParams {
  readonly key: string;
  readonly task_number: number;
  readonly attempt_number: number;
  readonly comment_number: number;
  /** A name, or the start of an id. */
  readonly text: string;
  /** Comes after every id that begins with the text. */
  readonly upper: string;
  readonly is_admin: number;
  readonly subject: UserId;
  readonly near_project: string | null;
  readonly near_run: string | null;
  readonly own_attempt?: string | null;
  readonly most: number;
  readonly limit: number;
}

/** A candidate, with the columns that its key and its visibility are computed from. */
export interface NameRow extends RunOwner {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly project_id: ProjectId | null;
  readonly attempt_id: AttemptId | null;
  readonly project_key: string | null;
  readonly task_number: number | null;
  readonly attempt_number: number | null;
  readonly comment_number: number | null;
  readonly is_project: number;
  readonly is_open: number;
  readonly own_item: number;
  readonly in_range: number;
}

export type NameStatement = Statement<NameParams, NameRow>;

/** The columns of a row that a kind has; the others are the same in every statement. */
const NOTHING = {
  name: "''",
  workspace_id: ':workspace_id',
  user_id: "''",
  agent_id: 'null',
  service_id: 'null',
  project_id: 'null',
  attempt_id: 'null',
  project_key: 'null',
  task_number: 'null',
  attempt_number: 'null',
  comment_number: 'null',
  is_project: '0',
  is_open: '0',
  own_item: '0',
} as const;

type Columns = { readonly id: string } & Partial<Record<keyof typeof NOTHING, string>>;

interface Kind {
  readonly table: string;
  /** Tables that the kind's own is joined with; each row has one of them. */
  readonly joins: string;
  readonly columns: Columns;
  readonly visible: (words: Words) => string;
}

const OF_TASK = { project_key: 'projects.key', task_number: 'work_items.number' } as const;
const OF_RUN = {
  workspace_id: 'executions.workspace_id',
  user_id: 'executions.user_id',
  agent_id: 'executions.agent_id',
  service_id: 'executions.service_id',
  project_id: 'executions.project_id',
  attempt_id: 'executions.attempt_id',
} as const;
const OF_ATTEMPT = { ...OF_TASK, attempt_number: 'attempts.number' } as const;
const TASK_OF_ATTEMPT = `
  join work_items on work_items.id = attempts.work_item_id join projects on projects.id = work_items.project_id`;

const inWorkspace = (table: string) => (words: Words) =>
  `${table}.workspace_id = :workspace_id and ${inProjects(words, `${table}.project_id`)}`;

const ofAttempt = inWorkspace('attempts');

/** Each kind with what is read of it, and the condition that the caller may see it. */
const KINDS = {
  project: {
    table: 'projects',
    joins: '',
    columns: {
      id: 'projects.id',
      name: 'projects.name',
      project_id: 'projects.id',
      project_key: 'projects.key',
      is_project: '1',
    },
    visible: (words) => `projects.workspace_id = :workspace_id and ${inProjects(words, 'projects.id')}`,
  },
  work_item: {
    table: 'work_items',
    joins: 'join projects on projects.id = work_items.project_id',
    columns: {
      id: 'work_items.id',
      name: 'work_items.title',
      project_id: 'work_items.project_id',
      own_item:
        'case when work_items.id = (select work_item_id from attempts where id = :own_attempt) then 1 else 0 end',
      ...OF_TASK,
    },
    visible: inWorkspace('work_items'),
  },
  attempt: {
    table: 'attempts',
    joins: TASK_OF_ATTEMPT,
    columns: {
      id: 'attempts.id',
      name: 'work_items.title',
      project_id: 'attempts.project_id',
      attempt_id: 'attempts.id',
      ...OF_ATTEMPT,
    },
    visible: ofAttempt,
  },
  review_comment: {
    table: 'review_comments',
    joins: `join attempts on attempts.id = review_comments.attempt_id ${TASK_OF_ATTEMPT}`,
    columns: {
      id: 'review_comments.id',
      name: 'review_comments.path',
      attempt_id: 'attempts.id',
      comment_number: 'review_comments.number',
      ...OF_ATTEMPT,
    },
    visible: inWorkspace('review_comments'),
  },
  approval: {
    table: 'approvals',
    joins: `
      left join attempts on attempts.id = approvals.attempt_id
      join work_items on work_items.id = coalesce(attempts.work_item_id, approvals.work_item_id)
      join projects on projects.id = work_items.project_id`,
    columns: {
      id: 'approvals.id',
      name: 'approvals.question',
      attempt_id: 'approvals.attempt_id',
      is_open: "case when approvals.status = 'pending' then 1 else 0 end",
    },
    visible: inWorkspace('work_items'),
  },
  repo: {
    table: 'repos',
    joins: 'join projects on projects.id = repos.project_id',
    columns: { id: 'repos.id', name: 'repos.name', project_id: 'repos.project_id' },
    visible: (words) =>
      `projects.workspace_id = :workspace_id and ${inProjects(words, 'projects.id')} and repos.id not in (select repo_id from removed_repos)`,
  },
  user: {
    table: 'users',
    joins: '',
    columns: { id: 'users.id', name: 'users.name' },
    visible: (words) => `
      users.workspace_id = :workspace_id and not exists (select 1 from app_users where app_users.user_id = users.id)
      and (${words.bigint('is_admin')} = 1 or exists (
        select 1 from project_members
        where project_members.user_id = users.id and ${inProjects(words, 'project_members.project_id')}))`,
  },
  agent: {
    table: 'agents',
    joins: '',
    columns: { id: 'agents.id', name: 'agents.name' },
    visible: ({ bigint }) => `agents.workspace_id = :workspace_id and ${bigint('is_admin')} = 1`,
  },
  token: {
    table: 'tokens',
    joins: '',
    columns: { id: 'tokens.id', name: 'tokens.name' },
    visible: ({ bigint }) => `tokens.workspace_id = :workspace_id and ${bigint('is_admin')} = 1`,
  },
  session: {
    table: 'sessions',
    joins: 'join attempts on attempts.id = sessions.attempt_id',
    columns: { id: 'sessions.id', name: 'sessions.executor', attempt_id: 'sessions.attempt_id' },
    visible: ofAttempt,
  },
  queued_prompt: {
    table: 'queued_prompts',
    joins:
      'join sessions on sessions.id = queued_prompts.session_id join attempts on attempts.id = sessions.attempt_id',
    columns: { id: 'queued_prompts.id', name: 'queued_prompts.prompt', attempt_id: 'sessions.attempt_id' },
    visible: ofAttempt,
  },
  execution: {
    table: 'executions',
    joins: '',
    columns: {
      id: 'executions.id',
      name: "coalesce(executions.name, '')",
      ...OF_RUN,
    },
    visible: () => 'executions.workspace_id = :workspace_id',
  },
  step: {
    table: 'steps',
    joins: 'join executions on executions.id = steps.execution_id',
    columns: {
      id: 'steps.id',
      name: 'steps.name',
      ...OF_RUN,
    },
    visible: () => 'executions.workspace_id = :workspace_id and steps.execution_id = :near_run',
  },
  conversation: {
    table: 'conversations',
    joins: '',
    columns: { id: 'conversations.id' },
    visible: () => 'conversations.workspace_id = :workspace_id and conversations.user_id = :subject',
  },
} as const satisfies Readonly<Record<NamedKind, Kind>>;

const selected = (columns: Columns): string =>
  Object.entries({ ...NOTHING, ...columns })
    .map(([name, column]) => `${column} as ${name}`)
    .join(', ');

// The ids that begin with the text are counted before what the caller may see is chosen: the range stays small.
const byPrefix = ({ table, joins, columns, visible }: Kind): NameStatement =>
  statement(
    (words) => `
      with in_range (id) as (
        select id from ${table} where id >= :text and id < :upper order by id limit :most + 0)
      select ${selected(columns)}, (select count(*) from in_range) as in_range
      from in_range join ${table} on ${table}.id = in_range.id ${joins}
      where ${visible(words)}
      order by in_range.id ${LIMIT}`,
  );

const byName = (kind: Kind, from = `${kind.table} ${kind.joins}`, first = ''): NameStatement =>
  statement(
    (words) => `
      select ${selected(kind.columns)}, 0 as in_range
      from ${from}
      where ${kind.visible(words)} and lower(${kind.table}.name) = lower(:text)
      order by ${first} ${kind.table}.id ${LIMIT}`,
  );

const PROJECT_OF_KEY = 'project_keys.workspace_id = :workspace_id and project_keys.key = :key';
const TASK_OF_KEY = `${PROJECT_OF_KEY} and projects.id = project_keys.project_id
        and work_items.project_id = projects.id and work_items.number = :task_number`;
const ATTEMPT_OF_KEY = `${TASK_OF_KEY} and attempts.work_item_id = work_items.id`;
const TASKS = 'project_keys cross join projects cross join work_items';

// The order of the joins is that of the key: each table is entered by its own index.
const byKey = (kind: Kind, from: string, condition: string): NameStatement =>
  statement(
    (words) => `
      select ${selected(kind.columns)}, 0 as in_range
      from ${from}
      where ${condition} and ${kind.visible(words)}
      order by ${kind.table}.id ${LIMIT}`,
  );

const NUMBERED = 'attempts.number = :attempt_number';
const OPEN = "approvals.status = 'pending'";

const KEYED = {
  project: byKey(
    KINDS.project,
    'project_keys cross join projects',
    `${PROJECT_OF_KEY} and projects.id = project_keys.project_id`,
  ),
  task: byKey(KINDS.work_item, TASKS, TASK_OF_KEY),
  attempt: byKey(KINDS.attempt, `${TASKS} cross join attempts`, `${ATTEMPT_OF_KEY} and ${NUMBERED}`),
  attempts_of_task: byKey(
    KINDS.attempt,
    `${TASKS} cross join attempts`,
    `${ATTEMPT_OF_KEY} and attempts.archived_at is null`,
  ),
  comment: byKey(
    KINDS.review_comment,
    `${TASKS} cross join attempts cross join review_comments`,
    `${ATTEMPT_OF_KEY} and ${NUMBERED}
        and review_comments.attempt_id = attempts.id and review_comments.number = :comment_number`,
  ),
  question_of_attempt: byKey(
    KINDS.approval,
    `${TASKS} cross join attempts cross join approvals`,
    `${ATTEMPT_OF_KEY} and ${NUMBERED} and approvals.attempt_id = attempts.id and ${OPEN}`,
  ),
  question_of_task: byKey(
    KINDS.approval,
    `${TASKS} cross join approvals`,
    `${TASK_OF_KEY} and ${OPEN} and approvals.id in (
          select id from approvals as asked where asked.work_item_id = work_items.id
          union all
          select asked.id from attempts as tried join approvals as asked on asked.attempt_id = tried.id
          where tried.work_item_id = work_items.id)`,
  ),
} as const;

/** The statement for a key; undefined for a key that this kind does not have. */
export const BY_KEY: Partial<Readonly<Record<NamedKind, (parts: KeyParts) => NameStatement | undefined>>> = {
  project: ({ task }) => (task === null ? KEYED.project : undefined),
  work_item: ({ task, attempt }) => (task === null || attempt !== null ? undefined : KEYED.task),
  attempt: ({ task, attempt, comment }) => {
    if (task === null || comment !== null) return undefined;
    return attempt === null ? KEYED.attempts_of_task : KEYED.attempt;
  },
  review_comment: ({ comment }) => (comment === null ? undefined : KEYED.comment),
  approval: ({ task, attempt, comment }) => {
    if (task === null || comment !== null) return undefined;
    return attempt === null ? KEYED.question_of_task : KEYED.question_of_attempt;
  },
};

export const BY_NAME: Partial<Readonly<Record<NamedKind, NameStatement>>> = {
  project: byName(KINDS.project),
  // Many projects have a repository of the same name: that of the project of the call must be among those that are read.
  repo: byName(
    KINDS.repo,
    'projects join repos on repos.project_id = projects.id',
    'case when repos.project_id = :near_project then 0 else 1 end,',
  ),
  user: byName(KINDS.user),
  agent: byName(KINDS.agent),
};

const prefixed = (kind: NamedKind): NameStatement => byPrefix(KINDS[kind]);

export const BY_PREFIX: Readonly<Record<NamedKind, NameStatement>> = {
  project: prefixed('project'),
  work_item: prefixed('work_item'),
  attempt: prefixed('attempt'),
  review_comment: prefixed('review_comment'),
  approval: prefixed('approval'),
  repo: prefixed('repo'),
  user: prefixed('user'),
  agent: prefixed('agent'),
  token: prefixed('token'),
  session: prefixed('session'),
  queued_prompt: prefixed('queued_prompt'),
  execution: prefixed('execution'),
  step: prefixed('step'),
  conversation: prefixed('conversation'),
};
