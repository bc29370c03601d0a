import type { Dialect } from '#store/sql/dialect';

/** SQL for 1 while the task `id` is not completed, else 0. Also 0 for an unknown task: the foreign key refuses it. */
const openness = (id: string): string => `coalesce((
    select case states.state_group when 'completed' then 0 else 1 end
    from work_items join states on states.id = work_items.state_id where work_items.id = ${id}), 0)`;

const SQLITE = `
create trigger dependency_added after insert on dependencies begin
  update dependencies set is_open = ${openness('new.blocker_id')}
  where work_item_id = new.work_item_id and blocker_id = new.blocker_id;
end;
create trigger dependency_changed after update of is_open on dependencies when old.is_open <> new.is_open begin
  update work_items set open_blockers = open_blockers + new.is_open - old.is_open where id = new.work_item_id;
end;
create trigger dependency_removed after delete on dependencies when old.is_open = 1 begin
  update work_items set open_blockers = open_blockers - 1 where id = old.work_item_id;
end;
create trigger blocker_moved after update of state_id on work_items when old.state_id <> new.state_id begin
  update dependencies set is_open = 1 - is_open where blocker_id = new.id and is_open <> ${openness('new.id')};
end;
`;

// `for share` locks the blocker: if another transaction completed it at this moment, it would stay counted as open.
const POSTGRES = `
create function dependency_added() returns trigger language plpgsql as $$
begin
  perform 1 from work_items where id = new.blocker_id for share;
  new.is_open = ${openness('new.blocker_id')};
  return new;
end $$;
create trigger dependency_added before insert on dependencies for each row execute function dependency_added();

create function dependency_counted() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.is_open = 1 then
    update work_items set open_blockers = open_blockers - 1 where id = old.work_item_id;
  end if;
  if tg_op <> 'DELETE' and new.is_open = 1 then
    update work_items set open_blockers = open_blockers + 1 where id = new.work_item_id;
  end if;
  return null;
end $$;
create trigger dependency_counted after insert or delete on dependencies
for each row execute function dependency_counted();
create trigger dependency_changed after update of is_open on dependencies
for each row when (old.is_open <> new.is_open) execute function dependency_counted();

create function blocker_moved() returns trigger language plpgsql as $$
begin
  update dependencies set is_open = 1 - is_open where blocker_id = new.id and is_open <> ${openness('new.id')};
  return null;
end $$;
create trigger blocker_moved after update of state_id on work_items
for each row when (old.state_id <> new.state_id) execute function blocker_moved();
`;

/** Keep `dependencies.is_open` and `work_items.open_blockers` as dependencies and the states of tasks change. */
export const BLOCKER_TRIGGERS: Readonly<Record<Dialect, string>> = { sqlite: SQLITE, postgres: POSTGRES };
