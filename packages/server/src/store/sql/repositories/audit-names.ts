import type { NamedEntity } from '#domain/audit';
import type { WorkspaceId } from '#domain/ids';
import { attemptKey, taskKey } from '#domain/key';
import type { Words } from '#store/sql/dialect';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';

interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly project_key: string | null;
  readonly task_number: number | null;
  readonly attempt_number: number | null;
  readonly title: string | null;
}

const TASK = 'projects.key as project_key, work_items.number as task_number';

/** Things that have a name of their own. */
const byName = (table: string, { listed }: Words): string => `
  select id, name, null, null, null, null from ${table}
  where id in ${listed('ids')} and workspace_id = :workspace_id`;

/** Things that belong to an attempt, and are called after it. */
const byAttempt = (table: string, { listed }: Words): string => `
  select ${table}.id, null as name, ${TASK}, attempts.number as attempt_number, work_items.title
  from ${table === 'attempts' ? table : `${table} join attempts on attempts.id = ${table}.attempt_id`}
    join work_items on work_items.id = attempts.work_item_id join projects on projects.id = work_items.project_id
  where ${table}.id in ${listed('ids')} and attempts.workspace_id = :workspace_id`;

const named = statement<{ readonly workspace_id: WorkspaceId; readonly ids: string }, Row>(
  // Attempts come first: PostgreSQL takes the types of columns from the first two selects.
  (words) => `
    ${byAttempt('attempts', words)}
    union all ${byName('agents', words)}
    union all ${byName('projects', words)}
    union all select work_items.id, null, ${TASK}, null, work_items.title
      from work_items join projects on projects.id = work_items.project_id
      where work_items.id in ${words.listed('ids')} and work_items.workspace_id = :workspace_id
    union all select executions.id, executions.name, ${TASK}, attempts.number, work_items.title
      from executions left join attempts on attempts.id = executions.attempt_id
        left join work_items on work_items.id = executions.work_item_id
        left join projects on projects.id = work_items.project_id
      where executions.id in ${words.listed('ids')} and executions.workspace_id = :workspace_id
    union all select steps.id, executions.name, ${TASK}, attempts.number, steps.name
      from steps join executions on executions.id = steps.execution_id
        left join attempts on attempts.id = executions.attempt_id
        left join work_items on work_items.id = executions.work_item_id
        left join projects on projects.id = work_items.project_id
      where steps.id in ${words.listed('ids')} and executions.workspace_id = :workspace_id
    union all ${byAttempt('approvals', words)}
    union all ${byAttempt('agent_messages', words)}
    union all ${byAttempt('review_comments', words)}`,
);

/** The names of things in one query: each kind of thing has a key on its id. */
export async function namesOf(
  session: Session,
  workspace_id: WorkspaceId,
  ids: readonly string[],
): Promise<readonly NamedEntity[]> {
  const rows = ids.length === 0 ? [] : await session.all(named, { workspace_id, ids: JSON.stringify(ids) });
  return rows.flatMap(({ id, name, project_key, task_number, attempt_number, title }) => {
    const task = taskKey(project_key, task_number);
    const found = (attempt_number === null ? task : attemptKey(task, attempt_number)) ?? name;
    return found === null ? [] : [{ id, name: found, title }];
  });
}
