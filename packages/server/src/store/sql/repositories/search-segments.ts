import type { ProjectId } from '#domain/ids';
import type { Dialect } from '#store/sql/dialect';
import { fileEntry, type Indexed, SEGMENT_SIZE } from '#store/sql/repositories/search-entries';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { UpkeepReads, UpkeepWrites } from '#store/upkeep-store';

/** How long a new segment stays empty: searches that began before it do not read it. */
const EMPTY_MS = 60_000;

interface Segment {
  readonly project_id: ProjectId;
  readonly segment: number;
}

const POSITION: Readonly<Record<Dialect, string>> = { sqlite: 'seq', postgres: 'id' };
/** Before all positions. */
const BEFORE_ALL: Readonly<Record<Dialect, string>> = { sqlite: '0', postgres: "''" };

const MADE = '(select count(*) from search_segments where search_segments.project_id = item_numbers.project_id)';

// Every number below the last one is committed: the transaction that takes a number holds the row of its project.
const missing = statement<object, Segment>(
  ({ dialect }) => `
    select project_id, ${MADE} as segment from item_numbers
    where last >= ${SEGMENT_SIZE[dialect]} and last / ${SEGMENT_SIZE[dialect]} > ${MADE} limit 1`,
);

const make = statement<Segment & { readonly now: number }, never>(({ dialect, bigint, text }) => {
  const [size, position] = [SEGMENT_SIZE[dialect], POSITION[dialect]];
  const segment = bigint('segment');
  return `
    insert into search_segments (project_id, segment, oldest, newest, filed, made_at)
    select ${text('project_id')}, ${segment}, coalesce(min(${position}), ${BEFORE_ALL[dialect]}),
      coalesce(max(${position}), ${BEFORE_ALL[dialect]}), ${segment} * ${size} - 1, ${bigint('now')}
    from work_items
    where project_id = :project_id and number is not null
      and number >= ${segment} * ${size} and number < (${segment} + 1) * ${size}
    on conflict do nothing`;
});

interface Filing extends Segment {
  readonly number: number;
  readonly filed: number;
  readonly last: number;
}

const unfilled = statement<{ readonly before: number }, Filing>(({ dialect }) => {
  const last = `(segment + 1) * ${SEGMENT_SIZE[dialect]} - 1`;
  return `
    select search_segments.project_id, segment, filed, ${last} as last, projects.number
    from search_segments join projects on projects.id = search_segments.project_id
    where filed < ${last} and made_at <= :before
    order by search_segments.project_id, segment limit 1`;
});

const waits = statement<object, { readonly found: number }>(
  ({ dialect }) =>
    `select 1 as found from search_segments where filed < (segment + 1) * ${SEGMENT_SIZE[dialect]} - 1 limit 1`,
);

interface Part extends Filing {
  readonly upto: number;
}

const advance = statement<Part, never>(`
  update search_segments set filed = :upto where project_id = :project_id and segment = :segment and filed = :filed`);

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

export const segmentReads = (session: Session): Pick<UpkeepReads['upkeep'], 'hasUnfiled'> => ({
  hasUnfiled: async () => (await session.get(missing, {})) !== null || (await session.get(waits, {})) !== null,
});

export const segmentWrites = (session: WriteSession): Pick<UpkeepWrites['upkeep'], 'file'> => ({
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
