import type { ProjectId } from '#domain/ids';
import type { Dialect } from '#store/sql/dialect';
import { type Indexed, MARKS, SEGMENT_SIZE, termsOf } from '#store/sql/repositories/search-entries';
import { writtenSet } from '#store/sql/repositories/task-sets';
import type { Session, WriteSession } from '#store/sql/session';
import { bulkInsert, statement } from '#store/sql/statement';
import type { SegmentWords, UpkeepReads, UpkeepWrites } from '#store/upkeep-store';

/** Of one of so many tasks of a segment at least, a word is frequent there. */
const MAX_TASKS_PER_USE = 128;
/** A segment is listed anew when one of so many of its tasks was changed. */
const MAX_TASKS_PER_CHANGE = 16;
/** So many tasks are read at once, so that others can go on meanwhile. */
const MAX_TASKS_AT_ONCE = 500;

/** Words are listed by their beginnings of these lengths: a word of a search stands for all words that begin with it. */
const LENGTHS = [8, 4, 2] as const;

const ANYWHERE = '*';
/** Where a word occurs: in the title, or anywhere. */
export type Where = typeof MARKS.title | typeof ANYWHERE;
export const WHERE = { title: MARKS.title, text: ANYWHERE } as const;

/** The longest listed beginning of a word; null when it is too short. */
export function beginningOf(word: string): string | null {
  const signs = [...word];
  const length = LENGTHS.find((most) => most <= signs.length);
  return length === undefined ? null : signs.slice(0, length).join('');
}

export interface Segment {
  readonly project_id: ProjectId;
  readonly segment: number;
}

/** `listed` counts how often a segment was listed, or was to be listed anew: it is listed while the number is odd. */
interface Version extends Segment {
  readonly listed: number;
}

const LAST = (dialect: Dialect): string => `(search_segments.segment + 1) * ${SEGMENT_SIZE[dialect]} - 1`;

const unlisted = statement<object, Version & { readonly size: number }>(
  ({ dialect }) => `
    select project_id, segment, listed, ${SEGMENT_SIZE[dialect]} as size from search_segments
    where listed % 2 = 0 and filed = ${LAST(dialect)} limit 1`,
);

const stale = statement<object, Version>(
  ({ dialect }) => `
    select search_changes.project_id, search_changes.number / ${SEGMENT_SIZE[dialect]} as segment, max(listed) as listed
    from search_changes join search_segments on search_segments.project_id = search_changes.project_id
      and search_segments.segment = search_changes.number / ${SEGMENT_SIZE[dialect]}
    where search_segments.listed % 2 = 1
    group by search_changes.project_id, search_changes.number / ${SEGMENT_SIZE[dialect]}
    having count(*) >= ${SEGMENT_SIZE[dialect] / MAX_TASKS_PER_CHANGE} limit 1`,
);

interface Part {
  readonly project_id: ProjectId;
  readonly first: number;
  readonly end: number;
}

const items = statement<Part, Indexed & { readonly number: number }>(`
  select id, project_id, title, description, detail_layout, number from work_items
  where project_id = :project_id and number is not null and number >= :first and number < :end order by number`);

/** Which tasks of a segment have which words, of those that are frequent there. */
async function listedWords(
  session: Session,
  { project_id, segment, size }: Segment & { readonly size: number },
): Promise<SegmentWords['words']> {
  const found = new Map<string, number[]>();
  const add = (where: Where, terms: readonly string[], place: number): void => {
    for (const term of terms) {
      const signs = [...term];
      for (const length of LENGTHS) {
        if (length > signs.length) continue;
        const word = where + signs.slice(0, length).join('');
        const places = found.get(word);
        if (places === undefined) found.set(word, [place]);
        else if (places.at(-1) !== place) places.push(place);
      }
    }
  };
  const start = segment * size;
  for (let first = start; first < start + size; first += MAX_TASKS_AT_ONCE) {
    const part = { project_id, first, end: Math.min(first + MAX_TASKS_AT_ONCE, start + size) };
    for (const item of await session.all(items, part)) {
      const { title, text } = termsOf(item);
      add(WHERE.title, title, item.number - start);
      add(WHERE.text, [...title, ...text], item.number - start);
    }
  }
  return [...found]
    .filter(([, places]) => places.length >= size / MAX_TASKS_PER_USE)
    .map(([word, places]) => ({ word, tasks: writtenSet(places, size) }));
}

export interface WordRow extends Segment {
  readonly word: string;
  readonly tasks: string;
}

const insertWords = bulkInsert<WordRow>('search_words', {
  project_id: 'text',
  word: 'text',
  segment: 'bigint',
  tasks: 'text',
});

const advance = statement<Version, never>(`
  update search_segments set listed = listed + 1
  where project_id = :project_id and segment = :segment and listed = :listed`);

const dropWords = statement<Segment, never>(
  'delete from search_words where project_id = :project_id and segment = :segment',
);

const dropChanges = statement<Segment, never>(
  ({ dialect, bigint }) => `
    delete from search_changes where project_id = :project_id
      and number >= ${bigint('segment')} * ${SEGMENT_SIZE[dialect]}
      and number < (${bigint('segment')} + 1) * ${SEGMENT_SIZE[dialect]}`,
);

export const wordReads = (session: Session): Pick<UpkeepReads['upkeep'], 'unlisted' | 'outdated'> => ({
  unlisted: async () => {
    const segment = await session.get(unlisted, {});
    return segment && { ...segment, words: await listedWords(session, segment) };
  },
  outdated: async () => {
    const segment = await session.get(stale, {});
    return segment && { ...segment, words: null };
  },
});

export const wordWrites = (session: WriteSession): Pick<UpkeepWrites['upkeep'], 'list'> => ({
  // A segment that is to be listed anew forgets its words first: its tasks are read afterwards, and what is changed
  // from now on is noted.
  list: async ({ project_id, segment, listed, words }) => {
    if ((await session.run(advance, { project_id, segment, listed })) !== 1) return;
    await session.write(dropWords, { project_id, segment });
    if (words === null) await session.write(dropChanges, { project_id, segment });
    else
      await session.insertAll(
        insertWords,
        words.map((word) => ({ project_id, segment, ...word })),
      );
  },
});
