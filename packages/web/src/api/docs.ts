import { queryOptions } from '@tanstack/react-query';

/** A part of the documentation of this server. */
export interface FoundDoc {
  readonly title: string;
  readonly page: string;
  readonly address: string;
}

const MAX_SHOWN = 3;

/** What the documentation says about some words. Without an answer nothing is offered: the docs have a page of their own. */
export const docsQuery = (query: string) =>
  queryOptions({
    queryKey: ['docs', query],
    enabled: query.length > 2,
    queryFn: async ({ signal }): Promise<readonly FoundDoc[]> => {
      const answer = await fetch(`/docs/search.json?q=${encodeURIComponent(query)}`, { signal });
      if (!answer.ok) return [];
      // Safe: the server of this page writes it.
      const { found } = (await answer.json()) as { readonly found: readonly FoundDoc[] };
      return found.slice(0, MAX_SHOWN);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
