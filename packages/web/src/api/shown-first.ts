import type { QueryClient } from '@tanstack/react-query';

/** The key of the mutations whose outcome is shown before the server has answered. */
export const SHOWN_FIRST = ['shown-first'] as const;

/**
 * How many of a person's own edits are shown that the server has not answered yet. Who puts reads off for them:
 * `api/refresh.ts`, `api/live-cards.ts`.
 */
export const shownFirst = (client: QueryClient): number => client.isMutating({ mutationKey: SHOWN_FIRST });

/** Reads again after such a mutation, unless another one is on its way: the last one to settle reads for all. */
export function readAfterShown(client: QueryClient, read: () => Promise<unknown>): void {
  // The mutation that settles counts itself.
  if (shownFirst(client) <= 1) void read();
}
