import type { ProjectId } from '#domain/ids';
import { queryTerms, searchTerms } from '#domain/search-terms';
import { ErrandError } from '#errors';
import type { IssueQuery, IssueRow } from '#services/tasker/adapter';
import { type Hit, Hits, pageOf, ROW_QUERY, type Row, RowOrNone, Rows } from './answers.ts';
import { items } from './paths.ts';
import type { PlaneClient } from './plane-client.ts';

const MAX_HITS = 1000;
const PAGE = 100;
const NEWEST_PAGE = 1000;
// Up to this many items are read one by one; for more, the newest page is searched first.
const MAX_READ_SINGLY = 2;

const Page = pageOf(Rows);
const POSITION = /^([0-9a-f-]{36})\/(\d{1,12})\/(\d{1,12})$/;

interface SearchPosition {
  readonly project: string;
  readonly sequence_id: number;
  /** How many rows of the project came before, when all rows are listed. */
  readonly offset: number;
}

const START = { sequence_id: Number.MAX_SAFE_INTEGER, offset: 0 };

function positionOf(after: string): SearchPosition {
  const [, project, sequence_id, offset] = POSITION.exec(after) ?? [];
  if (project === undefined) throw new ErrandError('validation_error', 'The cursor is not one of this search.');
  return { project, sequence_id: Number(sequence_id), offset: Number(offset) };
}

const rowOf = (project_id: ProjectId, row: Row, offset: number): IssueRow => ({
  id: row.id,
  key: null,
  project_id,
  name: row.name,
  state: row.state,
  priority: row.priority,
  target_date: row.target_date,
  updated_at: row.updated_at,
  position: `${project_id}/${row.sequence_id}/${offset}`,
});

/** Plane matches its query as a whole, so it gets one word: for a key such as WEB-12, the number. */
function askedWord(query: string): string {
  const words = query.split(/\s+/).map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  return /^\p{L}[\p{L}\p{N}]*-(\d+)$/u.exec(longest)?.[1] ?? longest;
}

/** Whether every word of the query is in the name or the key. */
function answers(query: string, { name, project__identifier, sequence_id }: Hit): boolean {
  const words = searchTerms(`${project__identifier} ${sequence_id} ${name}`).join(' ');
  return queryTerms(query).every((term) => words.includes(term));
}

/** Newest first, project after project by id: the order stays stable while items are added. */
export function createSearch({ get }: PlaneClient) {
  const page = async (
    project: ProjectId,
    { number, per_page }: { readonly number: number; readonly per_page: number },
  ): Promise<readonly (Row | null)[]> => {
    const query = { ...ROW_QUERY, order_by: '-sequence_id', per_page, cursor: `${per_page}:${number}:0` };
    return (await get(Page, items(project), query))?.results ?? [];
  };

  // Items that came or went since shift the pages: go back to a page before the position, then forward from there.
  async function all(
    project: ProjectId,
    position: Omit<SearchPosition, 'project'>,
    limit: number,
  ): Promise<readonly IssueRow[]> {
    let number = Math.floor(position.offset / PAGE);
    let rows = await page(project, { number, per_page: PAGE });
    while (number > 0 && (rows.find((row) => row !== null)?.sequence_id ?? 0) < position.sequence_id)
      rows = await page(project, { number: --number, per_page: PAGE });

    const found: IssueRow[] = [];
    while (rows.length > 0) {
      for (const [index, row] of rows.entries()) {
        if (row === null || row.sequence_id >= position.sequence_id) continue;
        found.push(rowOf(project, row, number * PAGE + index + 1));
        if (found.length === limit) return found;
      }
      rows = rows.length < PAGE ? [] : await page(project, { number: ++number, per_page: PAGE });
    }
    return found;
  }

  /** Plane's search returns no states, so the rows are read too; an item that was deleted in between is left out. */
  async function rowsOf(project: ProjectId, hits: readonly Hit[], limit: number): Promise<readonly Row[]> {
    const newest =
      Math.min(hits.length, limit) > MAX_READ_SINGLY ? await page(project, { number: 0, per_page: NEWEST_PAGE }) : [];
    const known = new Map(newest.flatMap((row) => (row === null ? [] : [[row.id, row]])));
    const rows: Row[] = [];
    for (const { id } of hits) {
      if (rows.length === limit) break;
      const row = known.get(id) ?? (await get(RowOrNone, items(project, id), ROW_QUERY));
      if (row !== null) rows.push(row);
    }
    return rows;
  }

  async function matching(
    project: ProjectId,
    position: Omit<SearchPosition, 'project'>,
    { query, limit }: Pick<IssueQuery, 'query' | 'limit'>,
  ): Promise<readonly IssueRow[]> {
    const search = askedWord(query);
    if (search === '') return [];
    const asked = { search, project_id: project, workspace_search: 'false', limit: MAX_HITS };
    const hits = (await get(Hits, ['work-items', 'search'], asked))?.issues ?? [];
    const wanted = hits
      .filter((hit) => hit.project_id === project && hit.sequence_id < position.sequence_id && answers(query, hit))
      .sort((a, b) => b.sequence_id - a.sequence_id);
    return (await rowsOf(project, wanted, limit)).map((row) => rowOf(project, row, 0));
  }

  return async (projects: readonly ProjectId[], { query, after, limit }: IssueQuery): Promise<readonly IssueRow[]> => {
    const position = after === null ? null : positionOf(after);
    const rows: IssueRow[] = [];
    for (const project of [...projects].sort()) {
      if (position !== null && project < position.project) continue;
      const from = project === position?.project ? position : START;
      const rest = limit - rows.length;
      if (rest <= 0) break;
      rows.push(
        ...(query.trim() === ''
          ? await all(project, from, rest)
          : await matching(project, from, { query, limit: rest })),
      );
    }
    return rows;
  };
}
