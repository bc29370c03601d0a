import type { AuditDraft } from '#domain/audit';
import type { Store } from '#store/store';

/** How long refusals of one kind are counted before the count is written. */
export const DENIAL_WINDOW_MS = 10 * 60_000;

/** How many kinds of refusals are counted at once; the oldest is written when there are more. */
const MAX_WINDOWS = 10_000;

interface Window {
  readonly ends_at: number;
  /** The newest refusal after the first; null if there is none. The first has an entry of its own. */
  last: AuditDraft | null;
  count: number;
}

interface Needs {
  readonly transaction: Store['transaction'];
  readonly clock: () => number;
  readonly report: (error: unknown) => void;
}

const keyOf = ({ token_id, user_id, agent_id, action, reason }: AuditDraft): string =>
  JSON.stringify([token_id, user_id, agent_id, action, reason]);

/** The entry for counted refusals. It does not name the subject of each. */
const entryOf = ({ last, count }: Window): AuditDraft | null =>
  last && { ...last, entity: null, entity_id: null, idempotency_key: null, repeats: count };

/**
 * Writes refusals into the audit trail: the first of a caller, tool and reason at once, those that follow within the
 * window as one entry with their number. A caller in a loop would otherwise fill the trail.
 */
export function createDenials({ transaction, clock, report }: Needs) {
  const windows = new Map<string, Window>();
  let timer: NodeJS.Timeout | undefined;

  const take = (isOver: (window: Window) => boolean): AuditDraft[] => {
    const entries: AuditDraft[] = [];
    for (const [key, window] of windows) {
      if (!isOver(window)) continue;
      windows.delete(key);
      const entry = entryOf(window);
      if (entry !== null) entries.push(entry);
    }
    return entries;
  };

  async function write(entries: readonly AuditDraft[]): Promise<void> {
    if (entries.length === 0) return;
    await transaction(async (tx) => {
      for (const entry of entries) tx.record(entry);
    });
  }

  const wake = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      const now = clock();
      write(take(({ ends_at }) => ends_at <= now)).catch(report);
      if (windows.size > 0) wake();
    }, DENIAL_WINDOW_MS).unref();
  };

  return {
    note: async (denial: AuditDraft): Promise<void> => {
      const now = clock();
      const key = keyOf(denial);
      const open = windows.get(key);
      if (open !== undefined && now < open.ends_at) {
        open.last = denial;
        open.count += 1;
        return wake();
      }

      const over = take((window) => window === open);
      if (windows.size >= MAX_WINDOWS) {
        const [oldest] = windows.values();
        over.push(...take((window) => window === oldest));
      }
      windows.set(key, { ends_at: now + DENIAL_WINDOW_MS, last: null, count: 0 });
      await write([...over, denial]);
    },

    /** Writes the refusals counted so far. */
    close: (): Promise<void> => {
      clearTimeout(timer);
      timer = undefined;
      return write(take(() => true));
    },
  };
}
