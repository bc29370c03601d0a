import { searchTerms } from '#domain/search-terms';
import type { WorkItem } from '#domain/work-item';
import type { WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';

/** Stands for the number of the project, which the database knows. Not a character of a term. */
export const PROJECT = '~';

/** What a term in the index begins with, after the number of its project. */
export const MARKS = { title: '!', text: '.' } as const;

export type Indexed = Pick<WorkItem, 'id' | 'project_id' | 'title' | 'description' | 'detail_layout'>;

type Entry = Indexed & { readonly terms: string };

const ENTRY = `
  (select seq from work_items where id = :id),
  replace(:terms, '${PROJECT}', (select number from projects where id = :project_id))`;

// Left alone when nothing changes: both indexes are slow to write.
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

/** Every text below these names, whatever form the blocks of a layout have. */
function* textsOf(layout: unknown, name = ''): Generator<string> {
  if (typeof layout === 'string') {
    if (name === 'title' || name === 'text') yield layout;
    return;
  }
  if (typeof layout !== 'object' || layout === null) return;
  for (const [key, value] of Object.entries(layout)) yield* textsOf(value, key);
}

/** The terms of an item as the index keeps them: each once, with the mark of the best place it is found at. */
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

/** Before the row of the item is written: it tells whether its words change. */
export const changeEntry = (session: WriteSession, item: Indexed): Promise<void> =>
  session.write(change, toEntry(item));

/** What indexes all items anew: pages of them in the order of their ids, and what to write for each. */
export const REINDEX = { page, write: insert, toEntry } as const;
