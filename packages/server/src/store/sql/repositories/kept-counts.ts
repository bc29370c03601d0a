import type { ProjectId } from '#domain/ids';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { UpkeepReads, UpkeepWrites } from '#store/upkeep-store';

/** At most this many tasks of a project are uncounted, because every reader of its board counts them. */
const MAX_UNCOUNTED = 1_000;

interface Waiting {
  readonly project_id: ProjectId;
  readonly counted: number;
  readonly last: number;
}

const waiting = statement<object, Waiting>(`
  select counted_items.project_id, counted_items.last as counted, coalesce(item_numbers.last, 0) as last
  from counted_items left join item_numbers on item_numbers.project_id = counted_items.project_id
  where counted_items.project_id = coalesce(
    (select project_id from state_moves limit 1),
    (
      select numbers.project_id from item_numbers as numbers
        join counted_items as counted on counted.project_id = numbers.project_id
      where numbers.last >= ${MAX_UNCOUNTED} and numbers.last >= counted.last + ${MAX_UNCOUNTED} limit 1
    ))`);

// The first statement: it holds the row of the project until the commit, so that no state changes while it is counted.
const hold = statement<Waiting, never>('update counted_items set last = :last where project_id = :project_id');

const ADD = 'on conflict (project_id, state_id) do update set count = state_counts.count + excluded.count';

const addItems = statement<Waiting, never>(`
  insert into state_counts (project_id, state_id, count)
  select project_id, state_id, count(*) from work_items
  where project_id = :project_id and number is not null and number > :counted and number <= :last
  group by project_id, state_id ${ADD}`);

const addMoves = statement<Waiting, never>(`
  insert into state_counts (project_id, state_id, count)
  select project_id, state_id, sum(change) from state_moves where project_id = :project_id
  group by project_id, state_id ${ADD}`);

const dropMoves = statement<Waiting, never>('delete from state_moves where project_id = :project_id');

export const countReads = (session: Session): Pick<UpkeepReads['upkeep'], 'hasUncounted'> => ({
  hasUncounted: async () => (await session.get(waiting, {})) !== null,
});

export const countWrites = (session: WriteSession): Pick<UpkeepWrites['upkeep'], 'count'> => ({
  count: async () => {
    const project = await session.get(waiting, {});
    if (project === null) return false;
    for (const step of [hold, addItems, addMoves, dropMoves]) await session.write(step, project);
    return true;
  },
});
