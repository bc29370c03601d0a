import type { WorkItemId, WorkspaceId } from '#domain/ids';
import type { ItemRow, WorkItem } from '#domain/work-item';
import { referenceMissing } from '#store/sql/database-error';
import type { Dialect } from '#store/sql/dialect';
import { ITEM_ROW } from '#store/sql/repositories/item-row';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { inProjectsOfFew, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';

interface OneItem {
  readonly id: WorkItemId;
}

type Side = 'work_item_id' | 'blocker_id';

// The links of one task. A comparison with `=` would be planned for the mean of all tasks on Postgres: where many wait for
// one, that is as many for each, and no plan suits both that one and the others. A range is taken for few rows.
const LINKS: Readonly<Record<Dialect, (from: Side, to: Side) => string>> = {
  sqlite: (from, to) => `
    cross join dependencies on dependencies.${from} = item.id
    cross join work_items on work_items.id = dependencies.${to}`,
  postgres: (from, to) => `
    cross join lateral (
      select ${to} from dependencies where ${from} >= item.id and ${from} <= item.id offset 0) as links
    join work_items on work_items.id = links.${to}`,
};

// Both items must be visible: one may have moved to another project.
const linked = (from: Side, to: Side) =>
  statement<OneItem & WithinParams, ItemRow>(
    (words) => `
      select ${ITEM_ROW}
      from work_items as item ${LINKS[words.dialect](from, to)}
        join states on states.id = work_items.state_id
      where item.id = :id
        and item.workspace_id = :workspace_id and ${inProjectsOfFew(words, 'item.project_id')}
        and work_items.workspace_id = :workspace_id and ${inProjectsOfFew(words, 'work_items.project_id')}
      order by work_items.id`,
  );

const blockers = linked('work_item_id', 'blocker_id');
const blocked = linked('blocker_id', 'work_item_id');

interface Chain extends OneItem {
  readonly workspace_id: WorkspaceId;
  readonly other: WorkItemId;
}

// `union` drops rows that were found before, so the recursion ends even if there is a cycle.
const waitsFor = statement<Chain, OneItem>(`
  with recursive awaited (id) as (
    select dependencies.blocker_id from dependencies join work_items on work_items.id = dependencies.work_item_id
    where work_items.id = :id and work_items.workspace_id = :workspace_id
    union
    select dependencies.blocker_id from awaited join dependencies on dependencies.work_item_id = awaited.id)
  select id from awaited where id = :other`);

type Blocked = Pick<WorkItem, 'id' | 'workspace_id'>;

const clear = statement<Blocked, never>(`
  delete from dependencies
  where work_item_id = (select id from work_items where id = :id and workspace_id = :workspace_id)`);

// From the workspace of the item only: a task of another one is as good as none.
const add = statement<Blocked & { readonly blockers: string }, never>(
  ({ listed }) => `
    insert into dependencies (work_item_id, blocker_id)
    select item.id, blockers.id from work_items as item join work_items as blockers
      on blockers.workspace_id = item.workspace_id
    where item.id = :id and item.workspace_id = :workspace_id and blockers.id in ${listed('blockers')}`,
);

type Links = 'blockers' | 'blocked' | 'waitsFor';

export const dependencyReads = (session: Session): Pick<Reads['board'], Links> => ({
  blockers: (within, id) => session.all(blockers, { ...withinParams(within), id }),
  blocked: (within, id) => session.all(blocked, { ...withinParams(within), id }),
  waitsFor: async (workspace_id, id, other) => (await session.get(waitsFor, { workspace_id, id, other })) !== null,
});

export const dependencyWrites = (session: WriteSession): Pick<Transaction['board'], 'setBlockers'> => ({
  setBlockers: async ({ id, workspace_id }, given) => {
    const blockers = [...new Set(given)];
    await session.write(clear, { id, workspace_id });
    if (blockers.length === 0) return;
    await session.write(add, { id, workspace_id, blockers: JSON.stringify(blockers) }, (changes) => {
      if (changes !== blockers.length) throw referenceMissing(new Error('Not of the workspace of the item.'));
    });
  },
});
