import { searchTerms } from '#domain/search-terms';
import type { WorkItem } from '#domain/work-item';
import type { WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';

/** A placeholder for the project's number. The character occurs in no term. */
export const PROJECT = '~';

/** The prefix of a term in the index, after the project's number. */
export const MARKS = { title: '!', text: '.' } as const;

export type Indexed = Pick<WorkItem, 'id' | 'project_id' | 'title' | 'description' | 'detail_layout'>;

type Entry = Indexed & { readonly terms: string };

const ENTRY = `
  (select seq from work_items where id = :id),
  replace(:terms, '${PROJECT}', (select number from projects where id = :project_id))`;

// Skipped when nothing changes: both indexes are slow to write.
const POSTGRES_PUT = `
  insert into search_entries (item_id, terms)
  select :id, array_to_tsvector(string_to_array(replace(:terms, '${PROJECT}', number::text), ' '))
  from projects where id = :project_id
  on conflict (item_id) do update set terms = excluded.terms where search_entries.terms <> excluded.terms`;

// One row of values, and no trigger on the item: a statement that could write several rows makes SQLite put what is
// indexed so far on the disk, once for each item.
const insert = statement<Entry, never>(({ dialect }) =>
  dialect === 'sqlite' ? `insert into search_index (rowid, terms) values (${ENTRY})` : POSTGRES_PUT,
);

const SQLITE_CHANGE = `
  insert or replace into search_index (rowid, terms) select ${ENTRY} where not exists (
    select 1 from work_items where id = :id and project_id = :project_id
      and title = :title and description is :description and detail_layout is :detail_layout)`;

const change = statement<Entry, never>(({ dialect }) => (dialect === 'sqlite' ? SQLITE_CHANGE : POSTGRES_PUT));

const page = statement<{ readonly after: string }, Indexed>(`
  select id, project_id, title, description, detail_layout from work_items
  where id > :after order by id limit 500`);

/** Every text below these names, in any form of layout. */
function* textsOf(layout: unknown, name = ''): Generator<string> {
  if (typeof layout === 'string') {
    if (name === 'title' || name === 'text') yield layout;
    return;
  }
  if (typeof layout !== 'object' || layout === null) return;
  for (const [key, value] of Object.entries(layout)) yield* textsOf(value, key);
}

/** The terms of an item for the index: each once, marked with the best place it occurs in. */
function entryTerms({ title, description, detail_layout }: Omit<Indexed, 'id' | 'project_id'>): string {
  const marked = (terms: Iterable<string>, mark: string): string[] =>
    Array.from(terms, (term) => `${PROJECT}${mark}${term}`);

  const in_title = new Set(searchTerms(title));
  const titles = marked(in_title, MARKS.title);
  if (description === null && detail_layout === null) return titles.join(' ');

  const texts = [description ?? '', ...(detail_layout === null ? [] : textsOf(JSON.parse(detail_layout)))];
  const others = searchTerms(texts.join('\n')).filter((term) => !in_title.has(term));
  return [...titles, ...marked(others, MARKS.text)].join(' ');
}

const toEntry = (item: Indexed): Entry => ({ ...item, terms: entryTerms(item) });

export const insertEntry = (session: WriteSession, item: Indexed): Promise<void> =>
  session.write(insert, toEntry(item));

/** Called before the item's row is written, to see whether its text changes. */
export const changeEntry = (session: WriteSession, item: Indexed): Promise<void> =>
  session.write(change, toEntry(item));

/** Rebuilds the index of all items: reads pages in the order of ids, and writes each entry. */
export const REINDEX = { page, write: insert, toEntry } as const;
