import type { Dialect } from '#store/sql/dialect';
import { BLOCKER_TRIGGERS } from './flat-reads/blocker-triggers.ts';
import { COUNT_TRIGGERS } from './flat-reads/count-triggers.ts';
import type { ColumnTypes, Migration } from './migration.ts';

// Released migrations do not change: the order of priorities is spelled out, as in the index that this one replaces.
const PRIORITY_RANK = `case priority when 'urgent' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end`;

const BLOCKERS = ({ bigint }: ColumnTypes): string => `
alter table dependencies add column is_open ${bigint} not null default 0;
alter table work_items add column open_blockers ${bigint} not null default 0;
update dependencies set is_open = 1 where blocker_id in (
  select work_items.id from work_items join states on states.id = work_items.state_id
  where states.state_group <> 'completed');
update work_items set open_blockers = counted.count
from (select work_item_id, count(*) as count from dependencies where is_open = 1 group by work_item_id) as counted
where counted.work_item_id = work_items.id;
drop index candidates;
create index ready on work_items (state_id, (${PRIORITY_RANK}), sort_order, id)
where completed_at is null and open_blockers = 0;
`;

const COUNTS = ({ dialect, text, bigint }: ColumnTypes): string => `
create table counted_items (
  project_id ${text} primary key references projects (id) on delete cascade,
  last ${bigint} not null
);
create table state_counts (
  project_id ${text} not null references projects (id) on delete cascade,
  state_id ${text} not null,
  count ${bigint} not null,
  primary key (project_id, state_id)
);
create table state_moves (
  id ${dialect === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key'},
  project_id ${text} not null references projects (id) on delete cascade,
  state_id ${text} not null,
  change ${bigint} not null
);
create index moves_of_project on state_moves (project_id);
create index unnumbered_of_project on work_items (project_id) where number is null;
insert into counted_items (project_id, last)
select projects.id, coalesce(item_numbers.last, 0)
from projects left join item_numbers on item_numbers.project_id = projects.id;
insert into state_counts (project_id, state_id, count)
select project_id, state_id, count(*) from work_items where number is not null group by project_id, state_id;
`;

const COLUMNS = `
create index open_columns on work_items (state_id, sort_order, id);
create index ended_columns on work_items (state_id, (coalesce(completed_at, updated_at)), id);
`;

/** A position in the results of a search: each database sorts them by what its index walks. */
const POSITION: Readonly<Record<Dialect, string>> = { sqlite: 'integer', postgres: 'text collate "C"' };

const SEGMENTS = ({ dialect, text, bigint }: ColumnTypes): string => `
create table search_segments (
  project_id ${text} not null references projects (id) on delete cascade,
  segment ${bigint} not null,
  oldest ${POSITION[dialect]} not null,
  newest ${POSITION[dialect]} not null,
  filed ${bigint} not null,
  made_at ${bigint} not null,
  primary key (project_id, segment)
);
`;

// Functions, so that Postgres plans for each project and place alone. Of a whole search it would think that it is long,
// and compile it for longer than it runs. A plan for any project would walk the tasks of all, for one that has many old
// tasks. `offset 0`: without it the planner may walk all items for a match that it takes to be frequent.
const POSTGRES_SEARCH = `
create function search_place(words tsquery, after text, most bigint) returns setof text
language plpgsql stable rows 20 as $$
begin
  return query select matched.item_id from (
    select item_id from search_entries where terms @@ words and item_id < after offset 0
  ) as matched order by matched.item_id desc limit most;
end $$;
create function newest_items(project text, after text, most bigint) returns table (id text, number bigint)
language plpgsql stable rows 20 set plan_cache_mode = force_custom_plan as $$
begin
  return query select work_items.id, work_items.number from work_items
  where work_items.project_id = project and work_items.id < after order by work_items.id desc limit most;
end $$;
`;

/**
 * What reads of many tasks would compute is kept: how many open blockers a task has, how many tasks a state has, and
 * on which segment of the search index a task is. Triggers keep the first two, also for programs of the release before;
 * those put every task where the search looks first.
 */
export const flatReads: Migration = {
  name: '0028-flat-reads',
  text: (types) =>
    [
      BLOCKERS(types),
      BLOCKER_TRIGGERS[types.dialect],
      COUNTS(types),
      COUNT_TRIGGERS[types.dialect],
      COLUMNS,
      SEGMENTS(types),
      types.dialect === 'postgres' ? POSTGRES_SEARCH : '',
    ].join(''),
};
