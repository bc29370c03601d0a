import { searchTerms } from '#domain/search-terms';
import type { WorkItem } from '#domain/work-item';
import type { Dialect, Words } from '#store/sql/dialect';
import type { WriteSession } from '#store/sql/session';
import { type Batch, rowsOf, statement } from '#store/sql/statement';

/** A placeholder for the place of an item: the number of its project, and of its segment. The character occurs in no term. */
export const PLACE = '~';

/**
 * So many numbers of a project make a segment. A search reads the matches of whole segments, and has to ask each for a rare
 * word: that costs more on Postgres than on SQLite, which is slower with many matches.
 */
export const SEGMENT_SIZE: Readonly<Record<Dialect, number>> = { sqlite: 4_096, postgres: 16_384 };

/** The place of the items of a segment; without one, of those that are in none. */
export const indexPlace = (number: number, segment: number | null): string =>
  segment === null ? String(number) : `${number}_${segment}`;

/** The prefix of a term in the index, after the place of its item. */
export const MARKS = { title: '!', text: '.' } as const;

export type Indexed = Pick<WorkItem, 'id' | 'project_id' | 'title' | 'description' | 'detail_layout'>;

type Entry = Indexed & { readonly terms: string };

const SEQ = '(select seq from work_items where id = :id)';
const NUMBER = '(select number from projects where id = :project_id)';

/** The place of an item as it is before a change. One that goes to another project is in no segment there. */
const currentPlace = ({ dialect }: Words): string => `
  ${NUMBER} || coalesce((
    select '_' || segment from search_segments join work_items on work_items.project_id = search_segments.project_id
    where work_items.id = :id and work_items.project_id = :project_id and work_items.number <= search_segments.filed
      and search_segments.segment = work_items.number / ${SEGMENT_SIZE[dialect]}), '')`;

const TERMS = (terms: string, place: string): string =>
  `array_to_tsvector(string_to_array(replace(${terms}, '${PLACE}', ${place}), ' '))`;

// Skipped when nothing changes: both indexes are slow to write.
const postgresPut = (place: string): string => `
  insert into search_entries (item_id, terms)
  select :id, ${TERMS(':terms', 'place')}
  from (select ${place} as place) as placed where place is not null
  on conflict (item_id) do update set terms = excluded.terms where search_entries.terms <> excluded.terms`;

// One row of values, and no trigger on the item: a statement that could write several rows makes SQLite put what is
// indexed so far on the disk, once for each item.
const insert = statement<Entry, never>(({ dialect }) =>
  dialect === 'sqlite'
    ? `insert into search_index (rowid, terms) values (${SEQ}, replace(:terms, '${PLACE}', ${NUMBER}))`
    : postgresPut(`${NUMBER}::text`),
);

const insertion: Batch<Entry> = {
  alone: [insert],
  many: statement(
    `insert into search_entries (item_id, terms)
    select rows.id, ${TERMS('rows.terms', 'projects.number::text')}
    from ${rowsOf({ id: 'text', project_id: 'text', terms: 'text' })} join projects on projects.id = rows.project_id`,
    'postgres',
  ),
};

const sqliteChange = (words: Words): string => `
  insert or replace into search_index (rowid, terms)
  select ${SEQ}, replace(:terms, '${PLACE}', ${currentPlace(words)}) where not exists (
    select 1 from work_items where id = :id and project_id = :project_id
      and title = :title and description is :description and detail_layout is :detail_layout)`;

const change = statement<Entry, never>((words) =>
  words.dialect === 'sqlite' ? sqliteChange(words) : postgresPut(currentPlace(words)),
);

type FiledTerms = Pick<Entry, 'id' | 'terms'>;

const file = statement<FiledTerms, never>(({ dialect }) =>
  dialect === 'sqlite'
    ? `insert or replace into search_index (rowid, terms) values (${SEQ}, :terms)`
    : "update search_entries set terms = array_to_tsvector(string_to_array(:terms, ' ')) where item_id = :id",
);

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

/** The words of an item, each once: those of its title, and the others. */
export function termsOf({ title, description, detail_layout }: Omit<Indexed, 'id' | 'project_id'>): {
  readonly title: readonly string[];
  readonly text: readonly string[];
} {
  const title_terms = searchTerms(title);
  if (description === null && detail_layout === null) return { title: title_terms, text: [] };
  const in_title = new Set(title_terms);

  const texts = [description ?? '', ...(detail_layout === null ? [] : textsOf(JSON.parse(detail_layout)))];
  return { title: title_terms, text: searchTerms(texts.join('\n')).filter((term) => !in_title.has(term)) };
}

/** The terms of an item for the index: each once, marked with the best place it occurs in. */
function entryTerms(item: Omit<Indexed, 'id' | 'project_id'>): string {
  const { title, text } = termsOf(item);
  const marked = (terms: readonly string[], mark: string): string[] => terms.map((term) => `${PLACE}${mark}${term}`);
  return [...marked(title, MARKS.title), ...marked(text, MARKS.text)].join(' ');
}

const toEntry = (item: Indexed): Entry => ({ ...item, terms: entryTerms(item) });

export const insertEntry = (session: WriteSession, item: Indexed): Promise<void> =>
  session.gather(insertion, toEntry(item));

/** Called before the item's row is written, to see whether its text changes. */
export const changeEntry = (session: WriteSession, item: Indexed): Promise<void> =>
  session.write(change, toEntry(item));

/** Puts an item in a segment. */
export const fileEntry = (
  session: WriteSession,
  item: Indexed,
  { number, segment }: { readonly number: number; readonly segment: number },
): Promise<void> =>
  session.write(file, { id: item.id, terms: entryTerms(item).replaceAll(PLACE, indexPlace(number, segment)) });

/** Rebuilds the index of all items: reads pages in the order of ids, and writes each entry. */
export const REINDEX = { page, write: insert, toEntry } as const;
