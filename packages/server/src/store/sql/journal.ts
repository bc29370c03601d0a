import type { AuditDraft } from '#domain/audit';
import type { Exchange } from '#domain/conversation';
import type { EventDraft } from '#domain/event';

/** The audit entries, events and messages of transactions. */
export interface JournalDrafts {
  readonly entries: readonly AuditDraft[];
  readonly events: readonly EventDraft[];
  readonly exchanges: readonly Exchange[];
}

/** Collects what transactions leave behind: it is written once for all of them, just before the commit. */
export interface Journal {
  readonly record: (entry: AuditDraft) => void;
  readonly emit: (event: EventDraft) => void;
  readonly say: (exchange: Exchange) => void;
  /** Marks where the current work starts, for `forget`. */
  readonly mark: () => void;
  /** Drops what the current work has left. */
  readonly forget: () => void;
  readonly clear: () => void;
  readonly drafts: () => JournalDrafts;
}

export function createJournal(): Journal {
  let entries: AuditDraft[] = [];
  let events: EventDraft[] = [];
  let exchanges: Exchange[] = [];
  let marked = { entries: 0, events: 0, exchanges: 0 };

  return {
    record: (entry) => {
      entries.push(entry);
    },
    emit: (event) => {
      events.push(event);
    },
    say: (exchange) => {
      exchanges.push(exchange);
    },
    mark: () => {
      marked = { entries: entries.length, events: events.length, exchanges: exchanges.length };
    },
    forget: () => {
      entries.length = marked.entries;
      events.length = marked.events;
      exchanges.length = marked.exchanges;
    },
    clear: () => {
      entries = [];
      events = [];
      exchanges = [];
    },
    drafts: () => ({ entries, events, exchanges }),
  };
}
