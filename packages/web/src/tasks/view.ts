import { type BoardFilter, filterIn } from '../board/filter.ts';
import { namesIn } from '../text/words.ts';
import { GROUPS, type GroupBy, SORTS, type SortBy } from './rows.ts';

/** What of the table is kept in the address. */
export interface TableView extends BoardFilter {
  readonly sort?: SortBy;
  readonly down?: true;
  readonly group?: GroupBy;
}

/** The view of an address. Anything else in it is left out. */
export function tableViewIn(search: Readonly<Record<string, unknown>>): TableView {
  const sort = SORTS.find((each) => each === search.sort);
  const group = namesIn(GROUPS).find((each) => each === search.group);
  return {
    ...filterIn(search),
    ...(sort !== undefined && { sort, ...(search.down === true && { down: true }) }),
    ...(group !== undefined && { group }),
  };
}

/** The view after a click on the head of a column: first up, then down, then as the board has it. */
export function sortedBy({ sort, down, ...rest }: TableView, by: SortBy): TableView {
  if (sort !== by) return { ...rest, sort: by };
  return down ? rest : { ...rest, sort: by, down: true };
}
