import type { WorkItemId } from '#domain/ids';
import type { Within } from '#domain/reach';
import type { ItemRow, SearchTier } from '#domain/work-item';
import type { Dialect, Words } from '#store/sql/dialect';
import { fromEnd, LIMIT, type Position } from '#store/sql/page';
import { MARKS, PROJECT } from '#store/sql/repositories/search-entries';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { FoundItem, SearchQuery } from '#store/store';

export const ITEM_ROW = `
  work_items.id, work_items.project_id, work_items.state_id, work_items.title, work_items.priority,
  work_items.target_date, work_items.version, work_items.updated_at,
  states.name as state_name, states.state_group,
  (select projects.key || '-' || work_items.number from projects where projects.id = work_items.project_id) as key`;

const NEWEST = 200;

interface Match extends WithinParams {
  /** The search expression of one project. */
  readonly sqlite: string;
  readonly postgres: string;
  readonly after: WorkItemId | null;
  readonly limit: number;
}

// The joins are in a fixed order, and the position is a number of the index: anything else would
// be read and sorted. A deleted position belongs to the item before it, which is not shown yet.
// Without a project the expression matches nothing, because the index refuses an empty one.
const sqliteMatch = (words: Words): string => `
  select ${ITEM_ROW}
  from search_index
    cross join work_items on work_items.seq = search_index.rowid
    cross join states on states.id = work_items.state_id
  where search_index match (
    select coalesce(group_concat(replace(:sqlite, '${PROJECT}', number), ' OR '), '"${PROJECT}"') from projects
    where workspace_id = :workspace_id and ${inProjects(words, 'id')}
  ) and search_index.rowid < case when :after is null then ${Number.MAX_SAFE_INTEGER} else coalesce((
    select case when id = :after then seq else seq + 1 end from work_items
    where id <= :after order by id desc limit 1), 0) end
  order by search_index.rowid desc ${LIMIT}`;

// What many items match is found soon among the newest, what few match by the index. The index alone would gather all
// matches to sort them, and is asked only when the newest do not fill the page: once for each project, since together
// it would try every project on every match. `offset 0`: without it the planner may ask the index for each of the
// newest, or walk all items for a match that it takes to be frequent.
const postgresMatch = (words: Words): string => `
  with reach as materialized (
    select id, replace(:postgres, '${PROJECT}', number::text)::tsquery as words from projects
    where workspace_id = :workspace_id and ${inProjects(words, 'id')}
  ), newest as materialized (
    select of_project.id, reach.words from reach cross join lateral (
      select id from work_items where project_id = reach.id and id < coalesce(:after, '~')
      order by id desc limit ${NEWEST}
    ) as of_project order by of_project.id desc limit ${NEWEST}
  ), recent as materialized (
    select newest.id as item_id from newest cross join lateral (
      select terms from search_entries where item_id = newest.id offset 0
    ) as entry where entry.terms @@ newest.words order by newest.id desc limit :limit
  ), found as (
    select item_id from recent where (select count(*) from recent) = :limit
    union all (
      select item_id from reach cross join lateral (
        select item_id from search_entries where terms @@ reach.words and item_id < coalesce(:after, '~') offset 0
      ) as every
      where (select count(*) from recent) < :limit order by item_id desc limit :limit
    )
  )
  select ${ITEM_ROW}
  from found join work_items on work_items.id = found.item_id join states on states.id = work_items.state_id
  order by work_items.id desc`;

const match = statement<Match, ItemRow>((words) =>
  words.dialect === 'sqlite' ? sqliteMatch(words) : postgresMatch(words),
);

const newestOfAll = statement<WithinParams & Position<WorkItemId>, ItemRow>(`
  select ${ITEM_ROW}
  from work_items join states on states.id = work_items.state_id
  where work_items.workspace_id = :workspace_id and work_items.id < :after
    and (work_items.owner_id is null or work_items.owner_id = :user_id)
  order by work_items.id desc ${LIMIT}`);

const NEWEST_OF_ONE = `
  select newest.id from work_items as newest
  where newest.project_id = projects.value and newest.workspace_id = :workspace_id and newest.id < :after
  order by newest.id desc ${LIMIT}`;

const SOME: Readonly<Record<Dialect, string>> = {
  sqlite: `
    cross join work_items on work_items.id in (${NEWEST_OF_ONE})
    cross join states on states.id = work_items.state_id`,
  postgres: `
    cross join lateral (${NEWEST_OF_ONE}) as newest
    join work_items on work_items.id = newest.id
    join states on states.id = work_items.state_id`,
};

// Takes the newest of each project, then the newest of these: one scan over all projects would read all their items.
const newestOfSome = statement<WithinParams & Position<WorkItemId>, ItemRow>(
  ({ dialect, tableOf }) => `
    select ${ITEM_ROW} from ${tableOf('project_ids', 'projects')} ${SOME[dialect]}
    order by work_items.id desc ${LIMIT}`,
);

const isTerm = (term: string): boolean => /^[\p{L}\p{N}_]+$/u.test(term);

/** Items with all terms in the title, or with all terms in the text but not all in the title. */
function words(tier: SearchTier, terms: readonly string[]): Pick<Match, 'sqlite' | 'postgres'> {
  const sqlite = (mark: string, term: string) => `"${PROJECT}${mark}${term}"*`;
  const postgres = (mark: string, term: string) => `'${PROJECT}${mark}${term}':*`;

  const inTitle = {
    sqlite: `(${terms.map((term) => sqlite(MARKS.title, term)).join(' AND ')})`,
    postgres: `(${terms.map((term) => postgres(MARKS.title, term)).join(' & ')})`,
  };
  if (tier === 'title') return inTitle;

  const anywhere = {
    sqlite: terms.map((term) => `(${sqlite(MARKS.title, term)} OR ${sqlite(MARKS.text, term)})`).join(' AND '),
    postgres: terms.map((term) => `(${postgres(MARKS.title, term)} | ${postgres(MARKS.text, term)})`).join(' & '),
  };
  return {
    sqlite: `((${anywhere.sqlite}) NOT ${inTitle.sqlite})`,
    postgres: `(${anywhere.postgres} & !${inTitle.postgres})`,
  };
}

/** Newest first, of every visible project. */
async function newest(session: Session, within: Within, { after, limit }: SearchQuery): Promise<readonly ItemRow[]> {
  const list = within.project_ids === 'all' ? newestOfAll : newestOfSome;
  return session.all(list, { ...withinParams(within), ...fromEnd<WorkItemId>({ after: after?.id ?? null, limit }) });
}

export async function searchItems(session: Session, within: Within, query: SearchQuery): Promise<readonly FoundItem[]> {
  const { terms, after, limit } = query;
  const ofTier = (tier: SearchTier) => (row: ItemRow) => ({ ...row, tier });
  if (terms.length === 0) return (await newest(session, within, query)).map(ofTier('title'));
  // The index has only these characters, and nothing else may get into the search expression.
  if (!terms.every(isTerm)) return [];

  const find = async (tier: SearchTier, most: number): Promise<readonly FoundItem[]> => {
    const position = after?.tier === tier ? after.id : null;
    const params = { ...withinParams(within), ...words(tier, terms), after: position, limit: most };
    return (await session.all(match, params)).map(ofTier(tier));
  };

  const titles = after?.tier === 'text' ? [] : await find('title', limit);
  if (titles.length === limit) return titles;
  return [...titles, ...(await find('text', limit - titles.length))];
}
