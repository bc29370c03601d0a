import type { WorkItemId } from '#domain/ids';
import type { ItemRow } from '#domain/work-item';
import { ITEM_ROW } from '#store/sql/repositories/search';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';

interface OneItem {
  readonly id: WorkItemId;
}

// Both ends have to be within reach: an item may have moved to another project since.
const linked = (from: 'work_item_id' | 'blocker_id', to: 'work_item_id' | 'blocker_id') =>
  statement<OneItem & WithinParams, ItemRow>(
    (words) => `
      select ${ITEM_ROW}
      from dependencies
        join work_items as item on item.id = dependencies.${from}
        join work_items on work_items.id = dependencies.${to}
        join states on states.id = work_items.state_id
      where dependencies.${from} = :id
        and item.workspace_id = :workspace_id and ${inProjects(words, 'item.project_id')}
        and work_items.workspace_id = :workspace_id and ${inProjects(words, 'work_items.project_id')}
      order by work_items.id`,
  );

const blockers = linked('work_item_id', 'blocker_id');
const blocked = linked('blocker_id', 'work_item_id');

// `union` drops what was met before, which ends it even where items wait for each other in a circle.
const waitsFor = statement<OneItem & { readonly other: WorkItemId }, OneItem>(`
  with recursive awaited (id) as (
    select blocker_id from dependencies where work_item_id = :id
    union
    select dependencies.blocker_id from awaited join dependencies on dependencies.work_item_id = awaited.id)
  select id from awaited where id = :other`);

const clear = statement<OneItem, never>('delete from dependencies where work_item_id = :id');

const add = statement<OneItem & { readonly blockers: string }, never>(
  ({ tableOf }) => `
    insert into dependencies (work_item_id, blocker_id)
    select distinct :id, listed.value from ${tableOf('blockers', 'listed')}`,
);

type Links = 'blockers' | 'blocked' | 'waitsFor';

export const dependencyReads = (session: Session): Pick<Reads['board'], Links> => ({
  blockers: (within, id) => session.all(blockers, { ...withinParams(within), id }),
  blocked: (within, id) => session.all(blocked, { ...withinParams(within), id }),
  waitsFor: async (id, other) => (await session.get(waitsFor, { id, other })) !== null,
});

export const dependencyWrites = (session: WriteSession): Pick<Transaction['board'], 'setBlockers'> => ({
  setBlockers: async (id, given) => {
    await session.write(clear, { id });
    if (given.length > 0) await session.write(add, { id, blockers: JSON.stringify(given) });
  },
});
