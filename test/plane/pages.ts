import { type Answer, ok, parseError, SOMETHING_WRONG } from './answer.ts';

const MAX_PER_PAGE = 1000;
const INTEGER = /^\s*[+-]?\d+\s*$/;

/** Reads the page of a cursor `value:page:is_prev`. The page size comes from `per_page` each time. */
function pageOf(cursor: string): number | null {
  const [value = '', page = '', is_prev = '', ...rest] = cursor.split(':');
  const isNumber = value.includes('.') ? !Number.isNaN(Number(value)) : INTEGER.test(value);
  if (rest.length > 0 || !isNumber || !INTEGER.test(page) || !INTEGER.test(is_prev)) return null;
  return Number(page);
}

/** Returns one page of sorted rows, in the envelope of every list. */
export function paginate<T>(rows: readonly T[], query: URLSearchParams, present: (row: T) => unknown): Answer {
  const asked = query.get('per_page') ?? String(MAX_PER_PAGE);
  if (!INTEGER.test(asked)) return parseError('Invalid per_page parameter.');
  const limit = Number(asked);
  if (limit > MAX_PER_PAGE) return parseError(`Invalid per_page value. Cannot exceed ${MAX_PER_PAGE}.`);
  const page = pageOf(query.get('cursor') ?? `${limit}:0:0`);
  if (page === null) return parseError('Invalid cursor parameter.');
  if (page * limit < 0) return parseError('Error in parsing');
  if (limit <= 0) return SOMETHING_WRONG;

  const results = rows.slice(page * limit, page * limit + limit);
  return ok({
    grouped_by: null,
    sub_grouped_by: null,
    total_count: rows.length,
    next_cursor: `${limit}:${page + 1}:0`,
    prev_cursor: `${limit}:${page - 1}:1`,
    next_page_results: rows.length > (page + 1) * limit,
    prev_page_results: page > 0,
    count: results.length,
    total_pages: Math.ceil(rows.length / limit),
    total_results: rows.length,
    extra_stats: null,
    results: results.map(present),
  });
}
