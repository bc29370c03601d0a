import type { RunId } from '#domain/ids';
import type { FeedEntry } from '#domain/run';
import { LIMIT } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { writeNumbered } from '#store/sql/write-numbered';
import type { NumberedPage, Reads, Transaction } from '#store/store';

const page = statement<{ readonly execution_id: RunId } & NumberedPage, FeedEntry>(`
  select execution_id, seq, kind, text, at from feed_entries
  where execution_id = :execution_id and seq > :after order by seq ${LIMIT}`);

const insert = statement<Omit<FeedEntry, 'seq'>, { readonly seq: number }>(`
  insert into feed_entries (execution_id, seq, kind, text, at)
  values (
    :execution_id, (select coalesce(max(seq), 0) + 1 from feed_entries where execution_id = :execution_id),
    :kind, :text, :at)
  returning seq`);

export const feedReads = (session: Session): Pick<Reads['runs'], 'feed'> => ({
  feed: (run, { after, limit }) => session.all(page, { execution_id: run.id, after, limit }),
});

export const feedWrites = (session: WriteSession): Pick<Transaction['runs'], 'insertEntry'> => ({
  insertEntry: async (entry) => ({ ...entry, seq: await writeNumbered(session, insert, entry) }),
});
