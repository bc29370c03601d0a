import type { Caller } from '#domain/caller';
import type { TokenId } from '#domain/ids';
import type { Store } from '#store/store';

const WRITE_EVERY_MS = 5 * 60_000;
const MAX_KEPT = 10_000;

interface Needs extends Pick<Store, 'transaction'> {
  readonly clock: () => number;
  readonly report: (error: unknown) => void;
}

/** Writes when and from where a browser was last seen, every few minutes. */
export function createSessionVisits({ transaction, clock, report }: Needs) {
  const written = new Map<TokenId, number>();

  return ({ token_id, workspace_id }: Caller, address: string): void => {
    const now = clock();
    if (token_id === null || now - (written.get(token_id) ?? 0) < WRITE_EVERY_MS) return;
    // A forgotten session is only written once more than needed.
    if (written.size >= MAX_KEPT) written.clear();
    written.set(token_id, now);
    transaction((tx) => tx.browserSessions.touch({ token_id, workspace_id, address, seen_at: tx.now })).catch(report);
  };
}
