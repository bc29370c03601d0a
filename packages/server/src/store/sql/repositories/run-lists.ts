import type { Run } from '#domain/run';
import type { RunVisibility } from '#domain/run-visibility';
import type { Dialect, Words } from '#store/sql/dialect';
import { AFTER_ALL, LIMIT } from '#store/sql/page';
import type { Session } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { RunQuery } from '#store/store';

/** The previous release inserts runs without it. */
export const SEEN_AT = 'coalesce(seen_at, started_at)';

export const STORED_RUN = [
  'id',
  'workspace_id',
  'kind',
  'name',
  'status',
  'reason',
  'project_id',
  'work_item_id',
  'attempt_id',
  'session_id',
  'user_id',
  'agent_id',
  'service_id',
  'agent_session_id',
  'worktree_path',
  'branch',
  'client',
  'usage',
  'summary',
  'plan',
  'budget_warned_at',
  'started_at',
  'liveness',
  'ended_at',
] as const satisfies readonly (keyof Run)[];

/** Of a query about `executions`, alone or with other tables. */
export const RUN_COLUMNS = `
  ${STORED_RUN.map((name) => `executions.${name} as ${name}`).join(', ')}, ${SEEN_AT} as seen_at,
  (select coalesce(max(seq), 0) from steps where steps.execution_id = executions.id) as step_count`;

const FILTERS = ['status', 'liveness', 'project_id', 'work_item_id'] as const;
type Filter = (typeof FILTERS)[number];

/** The owners of the runs in a list: everyone, or the caller; and the runs of projects. */
interface Shape {
  readonly whose: 'everyone' | RunVisibility['whose'];
  readonly withProjects: boolean;
  readonly filters: readonly Filter[];
}

interface ListParams extends Pick<RunQuery, Filter | 'limit'> {
  readonly workspace_id: string;
  readonly user_id: string;
  readonly agent_id: string;
  readonly service_id: string;
  readonly attempt_id: string;
  readonly own_project_ids: string;
  readonly project_ids: string;
  readonly before: string;
}

const own = (whose: Shape['whose'], { listed }: Words): string => {
  const reached = `(project_id is null or project_id in ${listed('own_project_ids')})`;
  return {
    everyone: 'true',
    person: 'user_id = :user_id',
    agent: `user_id = :user_id and (agent_id is null or agent_id = :agent_id) and ${reached}`,
    service: `user_id = :user_id and service_id = :service_id and ${reached}`,
    attempt: 'attempt_id = :attempt_id',
  }[whose];
};

/** Runs of projects within reach, where the caller's own runs are within reach too. */
const NOT_OWN: Readonly<Record<Shape['whose'], string>> = {
  everyone: 'false',
  person: 'user_id <> :user_id',
  agent: '(user_id <> :user_id or agent_id <> :agent_id)',
  service: '(user_id <> :user_id or service_id is null or service_id <> :service_id)',
  attempt: 'false',
};

const newest = (columns: string, condition: string, filters: readonly Filter[]): string => `
  select ${columns} from executions
  where workspace_id = :workspace_id and id < :before and ${condition}
    ${filters.map((name) => `and ${name} = :${name}${name === 'liveness' ? ' and ended_at is null' : ''}`).join(' ')}
  order by id desc ${LIMIT}`;

// Takes the newest of each project: one order over all projects would read all their runs.
const OF_PROJECTS: Readonly<Record<Dialect, (shape: Shape, projects: string) => string>> = {
  sqlite: ({ whose, filters }, projects) => `
    select ${RUN_COLUMNS} from (select value from ${projects}) as projects cross join executions
    where id in (${newest('id', `project_id = projects.value and ${NOT_OWN[whose]}`, filters)})`,
  postgres: ({ whose, filters }, projects) => `
    select runs.* from ${projects} cross join lateral (
      ${newest(RUN_COLUMNS, `project_id = projects.value and ${NOT_OWN[whose]}`, filters)}) as runs`,
};

function textOf(shape: Shape, words: Words): string {
  const mine = newest(RUN_COLUMNS, own(shape.whose, words), shape.filters);
  if (!shape.withProjects) return mine;
  const others = OF_PROJECTS[words.dialect](shape, words.tableOf('project_ids', 'projects'));
  return `
    select * from (${mine}) as own union all select * from (${others}) as others
    order by id desc ${LIMIT}`;
}

const lists = new Map<string, Statement<ListParams, Run>>();

// Unused filters are left out of the SQL: a condition that a parameter switches off would prevent the use of an index.
function listOf(shape: Shape): Statement<ListParams, Run> {
  const key = [shape.whose, shape.withProjects, ...shape.filters].join();
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made = statement<ListParams, Run>((words) => textOf(shape, words));
  lists.set(key, made);
  return made;
}

function shapeOf({ whose, project_ids }: RunVisibility, query: RunQuery): Shape {
  const filters = FILTERS.filter((name) => query[name] !== undefined);
  const { project_id } = query;
  if (whose === 'attempt') return { whose, withProjects: false, filters };
  if (project_ids === 'all') return { whose: 'everyone', withProjects: false, filters };
  // A caller who may see a project sees all its runs; of any other project only its own runs.
  if (project_id !== undefined && project_ids.includes(project_id)) {
    return { whose: 'everyone', withProjects: false, filters };
  }
  return { whose, withProjects: project_id === undefined && project_ids.length > 0, filters };
}

export function listRuns(
  session: Pick<Session, 'all'>,
  visibility: RunVisibility,
  { before, ...query }: RunQuery,
): Promise<readonly Run[]> {
  const { workspace_id, user_id, agent_id, service_id, attempt_id, own_project_ids, project_ids } = visibility;
  return session.all(listOf(shapeOf(visibility, { before, ...query })), {
    ...query,
    workspace_id,
    user_id,
    agent_id: agent_id ?? '',
    service_id,
    attempt_id: attempt_id ?? '',
    own_project_ids: JSON.stringify(own_project_ids),
    project_ids: JSON.stringify(project_ids),
    before: before ?? AFTER_ALL,
  });
}
