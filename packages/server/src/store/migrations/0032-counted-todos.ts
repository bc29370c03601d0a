import type { Dialect } from '#store/sql/dialect';
import type { ColumnTypes, Migration } from './migration.ts';

// Released migrations do not change: the size of a block is spelled out.
const BLOCK = 256;

const counted = (condition: string): string => `coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;

const BLOCKS = ({ text, bigint }: ColumnTypes): string => `
create table todo_blocks (
  project_id ${text} not null references projects (id) on delete cascade,
  block ${bigint} not null,
  oldest ${text} not null,
  newest ${text} not null,
  pending ${bigint} not null,
  completed ${bigint} not null,
  primary key (project_id, block)
);
insert into todo_blocks (project_id, block, oldest, newest, pending, completed)
select work_items.project_id, work_items.number / ${BLOCK}, min(work_items.id), max(work_items.id),
  ${counted('work_items.completed_at is null')}, ${counted('work_items.completed_at is not null')}
from work_items join item_numbers on item_numbers.project_id = work_items.project_id
where work_items.owner_id is not null and work_items.number is not null
  and work_items.number < item_numbers.last / ${BLOCK} * ${BLOCK}
group by work_items.project_id, work_items.number / ${BLOCK};
`;

/** Adds a todo, as it was or as it is, to the counts of its block, or takes it away. */
const count = (row: 'old' | 'new', sign: '+' | '-'): string => `
  update todo_blocks set
    pending = pending ${sign} case when ${row}.completed_at is null then 1 else 0 end,
    completed = completed ${sign} case when ${row}.completed_at is null then 0 else 1 end
  where project_id = ${row}.project_id and block = ${row}.number / ${BLOCK} and ${row}.owner_id is not null;`;

const isOther = (dialect: Dialect): string => (dialect === 'sqlite' ? 'is not' : 'is distinct from');

const changed = (dialect: Dialect): string => `
  (old.owner_id is not null or new.owner_id is not null) and (
    (old.completed_at is null) <> (new.completed_at is null) or old.project_id <> new.project_id
    or old.number ${isOther(dialect)} new.number or old.owner_id ${isOther(dialect)} new.owner_id)`;

// No trigger for new todos: on SQLite, the search index would be put on the disk once for each.
const TRIGGERS: Readonly<Record<Dialect, string>> = {
  sqlite: `
create trigger todo_changed after update of completed_at, project_id, number, owner_id on work_items
when ${changed('sqlite')} begin
  ${count('old', '-')}
  ${count('new', '+')}
end;
create trigger todo_deleted after delete on work_items when old.owner_id is not null begin
  ${count('old', '-')}
end;
`,
  postgres: `
create function todo_changed() returns trigger language plpgsql as $$
begin
  ${count('old', '-')}
  ${count('new', '+')}
  return null;
end $$;
create trigger todo_changed after update of completed_at, project_id, number, owner_id on work_items
for each row when (${changed('postgres')}) execute function todo_changed();

create function todo_deleted() returns trigger language plpgsql as $$
begin
  ${count('old', '-')}
  return null;
end $$;
create trigger todo_deleted after delete on work_items
for each row when (old.owner_id is not null) execute function todo_deleted();
`,
};

// A function, so that Postgres plans it alone: of a whole count it would think that it is long, and compile it for longer
// than it runs.
const POSTGRES_COUNT = `
create function count_todos(list text, kind text, first bigint, last bigint, after text, most bigint) returns bigint
language plpgsql stable as $$
begin
  return (
    select count(*) from (
      select 1 from work_items
      where project_id = list and number is not null and number >= first and number <= last
        and owner_id is not null and coalesce(id, '') > after
        and case kind when 'pending' then completed_at is null when 'completed' then completed_at is not null else true end
      limit most
    ) as counted);
end $$;
`;

/** Keeps how many todos each 256 numbers of a list have: a page of a list says how many follow it. */
export const countedTodos: Migration = {
  name: '0032-counted-todos',
  text: (types) =>
    [BLOCKS(types), TRIGGERS[types.dialect], types.dialect === 'postgres' ? POSTGRES_COUNT : ''].join(''),
};
