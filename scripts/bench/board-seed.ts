import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Place } from '../../test/e2e/program.ts';

export interface Board {
  readonly project_id: string;
  readonly tasks: number;
  readonly attempts: number;
  /** How many of the oldest tasks are cancelled. */
  readonly cancelled: number;
}

const numbers = (name: string, most: number): string =>
  `${name} (i) as (select 1 union all select i + 1 from ${name} where i < ${most})`;

/** SQL that inserts the rows of a large board, for both databases: through the product it would take minutes. */
function statements({ project_id, tasks, attempts, cancelled }: Board): readonly string[] {
  const project = `(select p.id, p.workspace_id, u.id as user_id from projects p cross join users u where p.id = '${project_id}' order by u.id limit 1)`;
  return [
    `insert into work_items (id, workspace_id, project_id, state_id, title, priority, sort_order, version, created_at, updated_at)
     with recursive ${numbers('n', tasks)}
     select '00000000-0000-7000-8000-' || (100000000000 + n.i), p.workspace_id, p.id, s.id, 'Task ' || n.i, 'none', n.i, 1, n.i, n.i
     from n cross join ${project} p join states s on s.project_id = p.id and s.slug = case
       when n.i <= ${cancelled} then 'cancelled' when n.i % 4 = 0 then 'todo' when n.i % 4 = 1 then 'inprogress'
       when n.i % 4 = 2 then 'inreview' else 'done' end`,
    `insert into attempts (id, workspace_id, project_id, work_item_id, branch, run_status, created_by_user_id, created_at, updated_at)
     with recursive ${numbers('n', tasks)}, ${numbers('k', attempts)}
     select '00000000-0000-7000-800' || k.i || '-' || (100000000000 + n.i), p.workspace_id, p.id,
       '00000000-0000-7000-8000-' || (100000000000 + n.i), 'errand/task-' || n.i || '-' || k.i,
       case (n.i + k.i) % 3 when 0 then 'failed' when 1 then 'running' else 'completed' end, p.user_id, n.i + k.i, n.i + k.i
     from n cross join k cross join ${project} p`,
    `insert into sessions (id, attempt_id, executor, created_at, updated_at)
     select id, id, 'scripted', created_at, updated_at from attempts`,
  ];
}

/** Numbers the rows, for a release that has numbers: without them its housekeeping would do that beside the measured calls. */
const numbering = (project_id: string): readonly string[] => [
  `update work_items set number = n.number from (
     select id, row_number() over (order by id) as number from work_items where project_id = '${project_id}') as n
   where n.id = work_items.id`,
  `insert into item_numbers (project_id, last)
   select project_id, max(number) from work_items where project_id = '${project_id}' group by project_id
   on conflict (project_id) do update set last = excluded.last`,
  `update attempts set number = n.number from (
     select id, row_number() over (partition by work_item_id order by created_at, id) as number from attempts) as n
   where n.id = attempts.id`,
];

/** Fills an existing project while the server runs. */
export async function seedBoard({ data, database_url }: Place, board: Board): Promise<void> {
  if (database_url === undefined) {
    const file = new DatabaseSync(join(data, 'errand.db'), { timeout: 60_000 });
    for (const statement of statements(board)) file.exec(statement);
    const hasNumbers = file.prepare("select 1 from sqlite_master where name = 'item_numbers'").get() !== undefined;
    for (const statement of hasNumbers ? numbering(board.project_id) : []) file.exec(statement);
    return file.close();
  }
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  // Always this release: comparisons with an earlier one are made on SQLite.
  for (const statement of [...statements(board), ...numbering(board.project_id)]) await client.query(statement);
  await client.end();
}
