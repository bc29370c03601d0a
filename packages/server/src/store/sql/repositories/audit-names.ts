import { z } from 'zod';
import { ApprovalOption } from '#domain/approval';
import type { AuditReader, NamedEntity } from '#domain/audit';
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
  readonly words: string | null;
  readonly answer: string | null;
  readonly option: string | null;
  readonly options: string | null;
}

/** As many as a row of a list shows: a message may have thousands. */
const MAX_WORDS = 200;

const TASK = 'projects.key as project_key, work_items.number as task_number';
const NO_WORDS = 'null, null, null, null';
/** What is in the todo list of another person, their list alone shows, also to an admin. */
const SEEN = (column: string): string =>
  `case when projects.owner_id is null or projects.owner_id = :user_id then ${column} end`;
const CUT = (column: string): string => SEEN(`substr(${column}, 1, ${MAX_WORDS})`);
const TITLE = `${SEEN('work_items.title')} as title`;

/** Things of the workspace that have a name of their own. */
const byName = (table: string, { listed }: Words): string => `
  select id, name, null, null, null, null, ${NO_WORDS} from ${table}
  where id in ${listed('ids')} and workspace_id = :workspace_id`;

/** Parts of a project that have a name of their own. */
const byProject = (table: string, { listed }: Words): string => `
  select ${table}.id, ${table}.name, projects.key, null, null, null, ${NO_WORDS}
  from ${table} join projects on projects.id = ${table}.project_id
  where ${table}.id in ${listed('ids')} and projects.workspace_id = :workspace_id`;

/** Things that belong to an attempt, and are called after it. */
const byAttempt = (table: string, { listed }: Words, said = NO_WORDS): string => `
  select ${table}.id, null as name, ${TASK}, attempts.number as attempt_number, ${TITLE}, ${said}
  from ${table === 'attempts' ? table : `${table} join attempts on attempts.id = ${table}.attempt_id`}
    join work_items on work_items.id = attempts.work_item_id join projects on projects.id = work_items.project_id
  where ${table}.id in ${listed('ids')} and attempts.workspace_id = :workspace_id`;

/** Questions, also those about a task alone. */
const questions = ({ listed }: Words): string => `
  select approvals.id, null as name, ${TASK}, attempts.number as attempt_number, ${TITLE},
    ${CUT('approvals.question')} as words, ${CUT('approvals.answer')} as answer, ${SEEN('approvals.option')} as option,
    ${SEEN('approvals.options')} as options
  from approvals left join attempts on attempts.id = approvals.attempt_id
    join work_items on work_items.id = coalesce(approvals.work_item_id, attempts.work_item_id)
    join projects on projects.id = work_items.project_id
  where approvals.id in ${listed('ids')} and work_items.workspace_id = :workspace_id`;

const named = statement<AuditReader & { readonly ids: string }, Row>(
  // Questions come first: PostgreSQL takes the types of columns from the first two selects.
  (words) => `
    ${questions(words)}
    union all ${byAttempt('attempts', words)}
    union all ${byName('agents', words)}
    union all ${byName('users', words)}
    union all ${byName('tokens', words)}
    union all select id, name, key, null, null, null, ${NO_WORDS} from projects
      where id in ${words.listed('ids')} and workspace_id = :workspace_id
    union all select id, name, null, null, null, null, ${NO_WORDS} from workspaces
      where id in ${words.listed('ids')} and id = :workspace_id
    union all ${byProject('states', words)}
    union all ${byProject('labels', words)}
    union all ${byProject('repos', words)}
    union all select work_items.id, null, ${TASK}, null, ${TITLE}, ${NO_WORDS}
      from work_items join projects on projects.id = work_items.project_id
      where work_items.id in ${words.listed('ids')} and work_items.workspace_id = :workspace_id
    union all select executions.id, executions.name, ${TASK}, attempts.number, ${TITLE}, ${NO_WORDS}
      from executions left join attempts on attempts.id = executions.attempt_id
        left join work_items on work_items.id = executions.work_item_id
        left join projects on projects.id = work_items.project_id
      where executions.id in ${words.listed('ids')} and executions.workspace_id = :workspace_id
    union all select steps.id, executions.name, ${TASK}, attempts.number, ${SEEN('steps.name')}, ${NO_WORDS}
      from steps join executions on executions.id = steps.execution_id
        left join attempts on attempts.id = executions.attempt_id
        left join work_items on work_items.id = executions.work_item_id
        left join projects on projects.id = work_items.project_id
      where steps.id in ${words.listed('ids')} and executions.workspace_id = :workspace_id
    union all ${byAttempt('agent_messages', words, `${CUT('agent_messages.text')}, null, null, null`)}
    union all ${byAttempt('review_comments', words, `${CUT('review_comments.text')}, null, null, null`)}`,
);

const Options = z.array(ApprovalOption);

/** What was answered to a question: words, or the name of the option that was chosen; null for none. */
function answerOf({ answer, option, options }: Row): string | null {
  if (answer !== null && answer !== '') return answer;
  if (option === null || options === null) return null;
  const known = Options.safeParse(JSON.parse(options)).data ?? [];
  return known.find((offered) => offered.option === option)?.name ?? option;
}

/** The names of things in one query: each kind of thing has a key on its id. */
export async function namesOf(
  session: Session,
  { workspace_id, user_id }: AuditReader,
  ids: readonly string[],
): Promise<readonly NamedEntity[]> {
  const rows = ids.length === 0 ? [] : await session.all(named, { workspace_id, user_id, ids: JSON.stringify(ids) });
  return rows.flatMap((row) => {
    const task = taskKey(row.project_key, row.task_number);
    const found = (row.attempt_number === null ? task : attemptKey(task, row.attempt_number)) ?? row.name;
    if (found === null) return [];
    const { id, project_key: project, title, words } = row;
    return [{ id, name: found, project, title, words, answer: answerOf(row) }];
  });
}
