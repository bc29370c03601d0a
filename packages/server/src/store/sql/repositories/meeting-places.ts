import type { ProjectId } from '#domain/ids';
import { beginningOf, type Segment, type Where, type WordRow } from '#store/sql/repositories/frequent-words';
import { indexPlace, PLACE, SEGMENT_SIZE } from '#store/sql/repositories/search-entries';
import { addTo, common, emptySet, has, isEmpty, readSet, type TaskSet } from '#store/sql/repositories/task-sets';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';

/** A segment that a search may ask. */
export interface Filled extends Segment {
  /** The number of the project. */
  readonly number: number;
  readonly size: number;
  /** Odd while its frequent words are listed. */
  readonly listed: number;
}

/** What a search looks for. */
export interface Sought {
  readonly terms: readonly string[];
  readonly where: Where;
  /** The search expression, for each database, of one place where all these terms are. */
  readonly all: (terms: readonly string[]) => { readonly sqlite: string; readonly postgres: string };
}

interface SegmentRange {
  /** JSON lists. */
  readonly project_ids: string;
  readonly words: string;
  readonly first: number;
  readonly last: number;
}

const listed = statement<SegmentRange, WordRow>(
  ({ listed }) => `
    select project_id, word, segment, tasks from search_words
    where project_id in ${listed('project_ids')} and word in ${listed('words')}
      and segment >= :first and segment <= :last`,
);

interface Numbered {
  readonly project_id: ProjectId;
  readonly number: number | null;
}

const changes = statement<SegmentRange, Numbered>(
  ({ dialect, listed, bigint }) => `
    select project_id, number from search_changes
    where project_id in ${listed('project_ids')} and number >= ${bigint('first')} * ${SEGMENT_SIZE[dialect]}
      and number < (${bigint('last')} + 1) * ${SEGMENT_SIZE[dialect]}`,
);

interface Rare {
  readonly sqlite: string;
  readonly postgres: string;
  /** A JSON list of the places. */
  readonly places: string;
}

const rare = statement<Rare, Numbered>(({ dialect, tableOf }) =>
  dialect === 'sqlite'
    ? `select work_items.project_id, work_items.number
      from search_index cross join work_items on work_items.seq = search_index.rowid where search_index match :sqlite`
    : `select work_items.project_id, work_items.number
      from ${tableOf('places', 'places')}
        cross join lateral search_place(replace(:postgres, '${PLACE}', places.value)::tsquery, '~', 1000000)
          as matched (item_id)
        join work_items on work_items.id = matched.item_id`,
);

const keyOf = (project_id: string, segment: number): string => `${project_id} ${segment}`;

/** A segment where frequent words meet, and which of the words are not listed there: few of its tasks have them. */
interface Prospect {
  readonly place: Filled;
  /** The tasks that may have all of the listed words; null when none is listed. */
  readonly tasks: TaskSet | null;
  readonly rare: readonly string[];
}

async function prospectsIn(
  session: Session,
  places: readonly Filled[],
  { terms, where }: Sought,
): Promise<readonly Prospect[]> {
  const words = new Map(
    terms.flatMap((term) => {
      const beginning = beginningOf(term);
      return beginning === null ? [] : [[term, where + beginning]];
    }),
  );
  const segments = places.map(({ segment }) => segment);
  const asked: SegmentRange = {
    project_ids: JSON.stringify([...new Set(places.map(({ project_id }) => project_id))]),
    words: JSON.stringify([...new Set(words.values())]),
    first: Math.min(...segments),
    last: Math.max(...segments),
  };
  // The changes come first: when a segment is listed anew, its words are dropped with them.
  const changed = await session.all(changes, asked);
  const known = Map.groupBy(await session.all(listed, asked), ({ project_id, segment }) => keyOf(project_id, segment));

  return places.map((place): Prospect => {
    const { project_id, segment, size } = place;
    const found = known.get(keyOf(project_id, segment)) ?? [];
    const tasks = common(found.map((row) => readSet(row.tasks, size)));
    if (tasks === null || place.listed % 2 === 0) return { place, tasks: null, rare: [] };
    const own = emptySet(size);
    for (const one of changed) {
      const at = (one.number ?? 0) - segment * size;
      if (one.project_id === project_id && at >= 0 && at < size) addTo(own, at);
    }
    const frequent = new Set(found.map(({ word }) => word));
    return {
      place,
      tasks: tasks.map((byte, at) => byte | (own[at] ?? 0)),
      rare: [...words].flatMap(([term, word]) => (frequent.has(word) ? [] : term)),
    };
  });
}

/** The prospects where a task that has the rare words may have the frequent ones too. */
async function withRare(
  session: Session,
  prospects: readonly Prospect[],
  { all }: Sought,
): Promise<readonly Prospect[]> {
  const places = prospects.map(({ place }) => indexPlace(place.number, place.segment));
  const { sqlite, postgres } = all(prospects[0]?.rare ?? []);
  const matched = await session.all(rare, {
    sqlite: places.map((place) => sqlite.replaceAll(PLACE, place)).join(' OR '),
    postgres,
    places: JSON.stringify(places),
  });
  return prospects.filter(({ place: { project_id, segment, size }, tasks }) =>
    matched.some((one) => {
      const at = (one.number ?? 0) - segment * size;
      return one.project_id === project_id && at >= 0 && at < size && tasks !== null && has(tasks, at);
    }),
  );
}

/**
 * The segments where one task may have all of these words. Which tasks have a frequent word is listed; where words are
 * rare, the index is asked for these alone. Both databases would gather everything that has the frequent ones.
 */
export async function meetingPlaces(
  session: Session,
  places: readonly Filled[],
  sought: Sought,
): Promise<readonly Filled[]> {
  if (sought.terms.length < 2) return places;
  const prospects = (await prospectsIn(session, places, sought)).filter(
    ({ tasks }) => tasks === null || !isEmpty(tasks),
  );
  const byRare = Map.groupBy(prospects, (one) => one.rare.join(' '));
  const left = new Set(byRare.get(''));
  byRare.delete('');
  for (const group of byRare.values()) for (const one of await withRare(session, group, sought)) left.add(one);
  return prospects.filter((one) => left.has(one)).map(({ place }) => place);
}
