import type { Dialect } from '#store/sql/dialect';

/** Notes the change of a count, if the task is among the counted ones of its project. */
const note = (row: 'old' | 'new', change: 1 | -1): string => `
  insert into state_moves (project_id, state_id, change)
  select ${row}.project_id, ${row}.state_id, ${change} from counted_items
  where counted_items.project_id = ${row}.project_id and ${row}.number <= counted_items.last`;

const MOVED = 'old.state_id <> new.state_id or old.project_id <> new.project_id';

const BEGUN = 'insert into counted_items (project_id, last) values (new.id, 0)';

// No trigger for new tasks: on SQLite, the search index would be put on the disk once for each.
const SQLITE = `
create trigger project_added after insert on projects begin
  ${BEGUN};
end;
create trigger item_moved after update of state_id, project_id on work_items when ${MOVED} begin
  ${note('old', -1)};
  ${note('new', 1)};
end;
create trigger item_uncounted after delete on work_items begin
  ${note('old', -1)};
end;
`;

// The row of the project is held: while more of its tasks are counted, none of them may change its state unseen.
const HOLD = 'perform 1 from counted_items where project_id = old.project_id for share';

const POSTGRES = `
create function project_added() returns trigger language plpgsql as $$
begin
  ${BEGUN};
  return null;
end $$;
create trigger project_added after insert on projects for each row execute function project_added();

create function item_moved() returns trigger language plpgsql as $$
begin
  ${HOLD};
  ${note('old', -1)};
  ${note('new', 1)};
  return null;
end $$;
create trigger item_moved after update of state_id, project_id on work_items
for each row when (${MOVED}) execute function item_moved();

create function item_uncounted() returns trigger language plpgsql as $$
begin
  ${HOLD};
  ${note('old', -1)};
  return null;
end $$;
create trigger item_uncounted after delete on work_items for each row execute function item_uncounted();
`;

/**
 * Note in `state_moves` what changes the counts of states. A task counts in `state_counts` once its number is at most
 * that in `counted_items`; the tasks after it, and those without a number, are few, and counted when they are read.
 */
export const COUNT_TRIGGERS: Readonly<Record<Dialect, string>> = { sqlite: SQLITE, postgres: POSTGRES };
