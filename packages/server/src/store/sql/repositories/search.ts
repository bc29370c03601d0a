import type { WorkItemId } from '#domain/ids';
import type { Within } from '#domain/reach';
import type { ItemRow, SearchTier } from '#domain/work-item';
import type { Dialect } from '#store/sql/dialect';
import { fromEnd, LIMIT, type Position } from '#store/sql/page';
import { WHERE } from '#store/sql/repositories/frequent-words';
import { ITEM_ROW } from '#store/sql/repositories/item-row';
import { MARKS, PLACE } from '#store/sql/repositories/search-entries';
import { type Expressions, type Matched, matches } from '#store/sql/repositories/search-matches';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { type WithinParams, withinParams } from '#store/sql/within';
import type { FoundItem, SearchQuery } from '#store/store';

const newestOfAll = statement<WithinParams & Position<WorkItemId>, ItemRow>(`
  select ${ITEM_ROW}
  from work_items join states on states.id = work_items.state_id
  where work_items.workspace_id = :workspace_id and work_items.id < :after
    and (work_items.owner_id is null or work_items.owner_id = :user_id)
  order by work_items.id desc ${LIMIT}`);

const SOME: Readonly<Record<Dialect, string>> = {
  sqlite: `
    cross join work_items on work_items.id in (
      select newest.id from work_items as newest
      where newest.project_id = projects.value and newest.id < :after
      order by newest.id desc ${LIMIT})
    cross join states on states.id = work_items.state_id
    where work_items.workspace_id = :workspace_id`,
  postgres: `
    cross join lateral newest_items(projects.value, :after, :limit) as newest
    join work_items on work_items.id = newest.id
    join states on states.id = work_items.state_id
    where work_items.workspace_id = :workspace_id`,
};

// Takes the newest of each project, then the newest of these: one scan over all projects would read all their items.
const newestOfSome = statement<WithinParams & Position<WorkItemId>, ItemRow>(
  ({ dialect, tableOf }) => `
    select ${ITEM_ROW} from ${tableOf('project_ids', 'projects')} ${SOME[dialect]}
    order by work_items.id desc ${LIMIT}`,
);

const isTerm = (term: string): boolean => /^[\p{L}\p{N}_]+$/u.test(term);

type Both = Readonly<Record<Dialect, string>>;

/** The search expressions of one place where all terms have one of these marks. */
const allWith = (marks: readonly string[], terms: readonly string[]): Both => {
  const either = (one: (mark: string, term: string) => string, or: string, and: string): string =>
    terms.map((term) => `(${marks.map((mark) => one(mark, term)).join(or)})`).join(and);
  return {
    sqlite: `(${either((mark, term) => `"${PLACE}${mark}${term}"*`, ' OR ', ' AND ')})`,
    postgres: `(${either((mark, term) => `'${PLACE}${mark}${term}':*`, ' | ', ' & ')})`,
  };
};

/** Items with all terms in the title, or with all terms in the text but not all in the title. */
function words(tier: SearchTier, terms: readonly string[]): Expressions {
  const ofMarks = (marks: readonly string[]) => (some: readonly string[]) => allWith(marks, some);
  const inTitle = ofMarks([MARKS.title]);
  if (tier === 'title') return { terms, where: WHERE.title, all: inTitle, ...inTitle(terms) };

  // One word that is not in the title is in the text.
  const anywhere = ofMarks(terms.length === 1 ? [MARKS.text] : [MARKS.title, MARKS.text]);
  return {
    ...{ terms, where: WHERE.text, all: anywhere },
    sqlite: `(${anywhere(terms).sqlite} NOT ${inTitle(terms).sqlite})`,
    postgres: `(${anywhere(terms).postgres} & !${inTitle(terms).postgres})`,
  };
}

/** Newest first, of every visible project. */
async function newest(session: Session, within: Within, { after, limit }: SearchQuery): Promise<readonly ItemRow[]> {
  const list = within.project_ids === 'all' ? newestOfAll : newestOfSome;
  return session.all(list, { ...withinParams(within), ...fromEnd<WorkItemId>({ after: after?.id ?? null, limit }) });
}

export async function searchItems(session: Session, within: Within, query: SearchQuery): Promise<readonly FoundItem[]> {
  const { terms, after, limit } = query;
  const ofTier =
    (tier: SearchTier) =>
    ({ position: _, is_final: __, ...row }: ItemRow & Partial<Matched>): FoundItem => ({ ...row, tier });
  if (terms.length === 0) return (await newest(session, within, query)).map(ofTier('title'));
  // The index has only these characters, and nothing else may get into the search expression.
  if (!terms.every(isTerm)) return [];

  const find = async (tier: SearchTier, most: number): Promise<readonly FoundItem[]> => {
    const position = after?.tier === tier ? after.id : null;
    const params = { ...withinParams(within), after: position, limit: most };
    return (await matches(session, words(tier, terms), params)).map(ofTier(tier));
  };

  const titles = after?.tier === 'text' ? [] : await find('title', limit);
  if (titles.length === limit) return titles;
  return [...titles, ...(await find('text', limit - titles.length))];
}
