import type { ProjectId } from '#domain/ids';
import type { Dialect } from '#store/sql/dialect';
import { fileEntry, type Indexed, SHELF_SIZE } from '#store/sql/repositories/search-entries';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { UpkeepReads, UpkeepWrites } from '#store/upkeep-store';

/** So long a new shelf stays empty: a search that began before it was made does not look there. */
const EMPTY_MS = 60_000;

interface Shelf {
  readonly project_id: ProjectId;
  readonly shelf: number;
}

const POSITION: Readonly<Record<Dialect, string>> = { sqlite: 'seq', postgres: 'id' };
/** Before all positions. */
const BEFORE_ALL: Readonly<Record<Dialect, string>> = { sqlite: '0', postgres: "''" };

const MADE = '(select count(*) from search_shelves where search_shelves.project_id = item_numbers.project_id)';

// Every number below the last one is committed: the transaction that takes a number holds the row of its project.
const missing = statement<object, Shelf>(
  ({ dialect }) => `
    select project_id, ${MADE} as shelf from item_numbers
    where last >= ${SHELF_SIZE[dialect]} and last / ${SHELF_SIZE[dialect]} > ${MADE} limit 1`,
);

const make = statement<Shelf & { readonly now: number }, never>(({ dialect, bigint, text }) => {
  const [size, position] = [SHELF_SIZE[dialect], POSITION[dialect]];
  const shelf = bigint('shelf');
  return `
    insert into search_shelves (project_id, shelf, oldest, newest, filed, made_at)
    select ${text('project_id')}, ${shelf}, coalesce(min(${position}), ${BEFORE_ALL[dialect]}),
      coalesce(max(${position}), ${BEFORE_ALL[dialect]}), ${shelf} * ${size} - 1, ${bigint('now')}
    from work_items
    where project_id = :project_id and number is not null
      and number >= ${shelf} * ${size} and number < (${shelf} + 1) * ${size}
    on conflict do nothing`;
});

interface Filing extends Shelf {
  readonly number: number;
  readonly filed: number;
  readonly last: number;
}

const unfilled = statement<{ readonly before: number }, Filing>(({ dialect }) => {
  const last = `(shelf + 1) * ${SHELF_SIZE[dialect]} - 1`;
  return `
    select search_shelves.project_id, shelf, filed, ${last} as last, projects.number
    from search_shelves join projects on projects.id = search_shelves.project_id
    where filed < ${last} and made_at <= :before
    order by search_shelves.project_id, shelf limit 1`;
});

const waits = statement<object, { readonly found: number }>(
  ({ dialect }) =>
    `select 1 as found from search_shelves where filed < (shelf + 1) * ${SHELF_SIZE[dialect]} - 1 limit 1`,
);

interface Part extends Filing {
  readonly upto: number;
}

const advance = statement<Part, never>(`
  update search_shelves set filed = :upto where project_id = :project_id and shelf = :shelf and filed = :filed`);

const NUMBERED = `
  work_items.project_id = :project_id and work_items.number is not null
    and work_items.number > :filed and work_items.number <= :upto`;

// Asked before the texts are read: on Postgres, another transaction that changes one of them has written its entry
// already, or waits here. SQLite has one writer.
const hold = statement<Part, { readonly item_id: string }>(({ dialect }) =>
  dialect === 'sqlite'
    ? 'select null as item_id limit 0'
    : `select search_entries.item_id from work_items join search_entries on search_entries.item_id = work_items.id
      where ${NUMBERED} order by search_entries.item_id for update of search_entries`,
);

const items = statement<Part, Indexed>(`
  select id, project_id, title, description, detail_layout from work_items where ${NUMBERED} order by number`);

export const shelfReads = (session: Session): Pick<UpkeepReads['upkeep'], 'hasUnfiled'> => ({
  hasUnfiled: async () => (await session.get(missing, {})) !== null || (await session.get(waits, {})) !== null,
});

export const shelfWrites = (session: WriteSession): Pick<UpkeepWrites['upkeep'], 'file'> => ({
  file: async (limit) => {
    const absent = await session.get(missing, {});
    if (absent !== null) {
      await session.write(make, { ...absent, now: session.now });
      return true;
    }
    const filing = await session.get(unfilled, { before: session.now - EMPTY_MS });
    if (filing === null) return false;
    const part = { ...filing, upto: Math.min(filing.filed + limit, filing.last) };
    if ((await session.run(advance, part)) !== 1) return true;
    await session.all(hold, part);
    for (const item of await session.all(items, part)) await fileEntry(session, item, part);
    return true;
  },
});
