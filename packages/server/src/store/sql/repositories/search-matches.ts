import type { WorkItemId } from '#domain/ids';
import type { ItemRow } from '#domain/work-item';
import { LIMIT } from '#store/sql/page';
import { ITEM_ROW } from '#store/sql/repositories/item-row';
import { type Filled, meetingPlaces, type Sought } from '#store/sql/repositories/meeting-places';
import { indexPlace, PLACE, SEGMENT_SIZE } from '#store/sql/repositories/search-entries';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { inProjects, type WithinParams } from '#store/sql/within';

/** How many of the newest items are looked through before the index is asked. */
const MAX_NEWEST = 200;
/** The most segments that one statement asks. */
const MAX_AT_ONCE = 64;

interface Match extends WithinParams {
  /** The search expression of all places that are asked. */
  readonly sqlite: string;
  /** The search expression of one place. */
  readonly postgres: string;
  /** A JSON list of the places. */
  readonly places: string;
  readonly after: WorkItemId | null;
  readonly limit: number;
}

/** Where an item is among the results: they are sorted by it, downwards. */
type Position = string | number;

export type Matched = ItemRow & { readonly position: Position; readonly is_final: number };

// A deleted position belongs to the item before it, which is not shown yet.
const SQLITE_AFTER = `case when :after is null then ${Number.MAX_SAFE_INTEGER} else coalesce((
    select case when id = :after then seq else seq + 1 end from work_items
    where id <= :after order by id desc limit 1), 0) end`;
const POSTGRES_AFTER = "coalesce(:after, '~')";

// The joins are in a fixed order, and the position is a number of the index: anything else would be read and sorted.
const SQLITE_MATCH = `
  select ${ITEM_ROW}, search_index.rowid as position, 0 as is_final
  from search_index
    cross join work_items on work_items.seq = search_index.rowid
    cross join states on states.id = work_items.state_id
  where search_index match :sqlite and search_index.rowid < ${SQLITE_AFTER}
  order by search_index.rowid desc ${LIMIT}`;

// Each place is asked alone, since together the index would try every place on every match.
const postgresAt = (place: string): string => `lateral search_place(
  replace(:postgres, '${PLACE}', ${place})::tsquery, ${POSTGRES_AFTER}, :limit) as matched (item_id)`;

const POSTGRES_ROWS = (is_final: string): string => `
  select ${ITEM_ROW}, work_items.id as position, ${is_final} as is_final
  from found join work_items on work_items.id = found.item_id join states on states.id = work_items.state_id
  order by work_items.id desc`;

const match = statement<Match, Matched>(({ dialect, tableOf }) =>
  dialect === 'sqlite'
    ? SQLITE_MATCH
    : `
      with found as (
        select matched.item_id from ${tableOf('places', 'places')} cross join ${postgresAt('places.value')}
        order by matched.item_id collate "C" desc limit :limit)
      ${POSTGRES_ROWS('0')}`,
);

// On Postgres what many items match is found soon among the newest; the index would gather all matches of every project
// to sort them, and is asked only when the newest do not fill the page. An item may have a segment and not be on it yet.
const matchFirst = statement<Match, Matched>((words) =>
  words.dialect === 'sqlite'
    ? SQLITE_MATCH
    : `
      with reach as materialized (
        select id, number::text as place from projects where workspace_id = :workspace_id and ${inProjects(words, 'id')}
      ), newest as materialized (
        select of_project.id, of_project.number, reach.id as project_id, reach.place
        from reach cross join lateral newest_items(reach.id, ${POSTGRES_AFTER}, ${MAX_NEWEST}) as of_project
        order by of_project.id collate "C" desc limit ${MAX_NEWEST}
      ), recent as materialized (
        select newest.id as item_id
        from newest
          left join search_segments on search_segments.project_id = newest.project_id
            and search_segments.segment = newest.number / ${SEGMENT_SIZE.postgres}
          cross join lateral (select terms from search_entries where item_id = newest.id offset 0) as entry
        where entry.terms @@ replace(:postgres, '${PLACE}', newest.place)::tsquery
          or entry.terms @@ replace(:postgres, '${PLACE}', newest.place || '_' || search_segments.segment)::tsquery
        order by newest.id collate "C" desc limit :limit
      ), found as (
        select item_id, 1 as is_final from recent where (select count(*) from recent) = :limit
        union all (
          select matched.item_id, 0 as is_final from reach cross join ${postgresAt('reach.place')}
          where (select count(*) from recent) < :limit order by matched.item_id collate "C" desc limit :limit
        )
      )
      ${POSTGRES_ROWS('found.is_final')}`,
);

interface ProjectSegment extends Omit<Filled, 'segment' | 'listed'> {
  readonly segment: number | null;
  readonly listed: number | null;
  readonly newest: Position | null;
}

// Segments that have only newer items than the position are left out.
const segments = statement<WithinParams & Pick<Match, 'after'>, ProjectSegment>(
  (words) => `
    select projects.id as project_id, projects.number, search_segments.segment, search_segments.newest,
      ${SEGMENT_SIZE[words.dialect]} as size, search_segments.listed
    from projects left join search_segments on search_segments.project_id = projects.id
      and search_segments.oldest < ${words.dialect === 'sqlite' ? SQLITE_AFTER : POSTGRES_AFTER}
    where projects.workspace_id = :workspace_id and ${inProjects(words, 'projects.id')}
    order by search_segments.newest desc`,
);

/** The search expression of one place, for each database. */
export type Expressions = Pick<Match, 'postgres' | 'sqlite'> & Sought;
type TierQuery = WithinParams & Pick<Match, 'after' | 'limit'>;

const newestFirst = (a: Matched, b: Matched): number => (a.position < b.position ? 1 : -1);

/** Items that are put in a segment meanwhile may be found twice. */
function merged(found: readonly Matched[], more: readonly Matched[], limit: number): readonly Matched[] {
  const known = new Set(found.map(({ id }) => id));
  return [...found, ...more.filter(({ id }) => !known.has(id))].toSorted(newestFirst).slice(0, limit);
}

/**
 * The newest matches of a tier. Items in no segment come first, since they may have any position; then one segment after
 * another, the newest first, more of them each time, until none can have a match that belongs on the page.
 */
export async function matches(
  session: Session,
  { sqlite, postgres, ...sought }: Expressions,
  query: TierQuery,
): Promise<readonly Matched[]> {
  const ask = (asked: typeof match, places: readonly string[]): Promise<readonly Matched[]> =>
    session.all(asked, {
      ...query,
      sqlite: places.map((place) => sqlite.replaceAll(PLACE, place)).join(' OR '),
      postgres,
      places: JSON.stringify(places),
    });

  const known = await session.all(segments, query);
  const numbers = [...new Set(known.map(({ number }) => number))];
  if (numbers.length === 0) return [];
  let found = await ask(
    matchFirst,
    numbers.map((number) => indexPlace(number, null)),
  );
  if (found.some(({ is_final }) => is_final === 1)) return found;

  const filled = known.flatMap(({ segment, listed, ...place }) =>
    segment === null ? [] : { ...place, segment, listed: listed ?? 0 },
  );
  for (let from = 0, count = 1; from < filled.length; from += count, count = Math.min(2 * count, MAX_AT_ONCE)) {
    const next = filled[from]?.newest ?? null;
    const last = found.length === query.limit ? found.at(-1) : undefined;
    if (last !== undefined && next !== null && last.position > next) break;
    const asked = await meetingPlaces(session, filled.slice(from, from + count), sought);
    if (asked.length === 0) continue;
    const more = await ask(
      match,
      asked.map(({ number, segment }) => indexPlace(number, segment)),
    );
    found = merged(found, more, query.limit);
  }
  return found;
}
