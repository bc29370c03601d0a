import type { ProjectId } from '#domain/ids';
import type { Scope } from '#domain/scope';
import { queryTerms, searchTerms } from '#domain/search-terms';
import type { ItemRow } from '#domain/work-item';
import { onlyIn } from '#services/tasker/lookup';
import type { ReadWork } from '#services/work';

const MAX_SIMILAR = 3;
const MAX_SEARCHED = 20;
const MAX_TERMS = 3;
/** The share of common words from which two titles are called similar. */
const MIN_SHARED_PART = 0.5;

export type SimilarItem = Pick<ItemRow, 'id' | 'key' | 'title'>;

interface Wanted {
  readonly project_id: ProjectId;
  /** The scope that lets the caller see the items: those who may only write do not learn of them here. */
  readonly scope: Scope;
}

const isOpen = ({ state_group }: ItemRow): boolean => state_group !== 'completed' && state_group !== 'cancelled';

/** How much two titles have in common: the words of both among the words of either. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((term) => b.has(term)).length;
  return common / Math.max(1, a.size + b.size - common);
}

/** Open items of the project whose titles have all of these terms. */
const having = async ({ tx, within }: ReadWork, project: ProjectId, terms: readonly string[]) =>
  terms.length === 0
    ? []
    : (await tx.workItems.search(onlyIn(within, project), { terms, after: null, limit: MAX_SEARCHED })).filter(isOpen);

async function similarOf(work: ReadWork, project: ProjectId, title: string): Promise<readonly SimilarItem[]> {
  const terms = queryTerms(title).toSorted((a, b) => b.length - a.length);
  const strict = await having(work, project, terms.slice(0, MAX_TERMS));
  // A title that says the same in other words shares its longest word more often than three.
  const found = strict.length > 0 ? strict : await having(work, project, terms.slice(0, 1));
  const words = new Set(searchTerms(title));
  return found
    .map((item) => ({ item, share: likeness(words, new Set(searchTerms(item.title))) }))
    .filter(({ share }) => share >= MIN_SHARED_PART)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, MAX_SIMILAR)
    .map(({ item: { id, key, title: itsTitle } }) => ({ id, key, title: itsTitle }));
}

/** Open items of a project that resemble new ones, by title; for each at most three. They are advice: a failed search finds nothing. */
export const createSimilar = () => ({
  find: async (
    work: ReadWork,
    { project_id, scope }: Wanted,
    titles: readonly string[],
  ): Promise<readonly (readonly SimilarItem[])[]> => {
    try {
      if (!work.rightsIn(project_id).scopes.has(scope)) return [];
      const found: (readonly SimilarItem[])[] = [];
      for (const title of titles) found.push(await similarOf(work, project_id, title));
      return found;
    } catch {
      return [];
    }
  },
});
