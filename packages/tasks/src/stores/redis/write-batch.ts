import type { Inserted, Replaced, Signal } from '#store';
import { fromRow, isClaimable, type TaskRow } from '#stores/row';
import { storeAway } from '#stores/store-away';
import type { Work } from '#stores/turn';
import { rowOfReply, toArguments } from './reply.ts';
import { type Script, WRITE } from './scripts.ts';

export type RedisWork = Work & { readonly row: TaskRow; readonly signal: Signal | null } & (
    | { readonly kind: 'insert'; readonly quota: number; readonly resolve: (inserted: Inserted) => void }
    | { readonly kind: 'replace'; readonly resolve: (replaced: Replaced) => void }
  );

const INSERTED: readonly Inserted[] = ['inserted', 'quota_exceeded', 'exists'];

export const signalOf = (task_id: string, row: TaskRow): Signal => ({ task_id, claimable: isClaimable(row) });

function argumentsOf(work: RedisWork): readonly string[] {
  const what = work.kind === 'insert' ? `i${work.quota}` : `r${work.row.version - 1}`;
  return [what, work.signal === null ? '' : JSON.stringify(work.signal), ...toArguments(work.row)];
}

function settle(work: RedisWork, reply: unknown): void {
  if (work.kind === 'insert') {
    const inserted = INSERTED.find((word) => word === reply);
    if (inserted === undefined) throw storeAway(new Error('Redis answered an insert with something else.'));
    work.resolve(inserted);
  } else if (reply === 1) {
    work.resolve({ ok: true });
  } else {
    const row = reply === null ? null : rowOfReply(reply);
    work.resolve({ ok: false, current: row === null ? null : fromRow(row) });
  }
}

/** Sends the writes of one event-loop turn as one script. Signals begin with `sender`: a store ignores its own. */
export const createWriteBatch =
  (run: (script: Script, args: readonly string[]) => Promise<unknown>, sender: string) =>
  async (works: readonly RedisWork[]): Promise<void> => {
    const replies = await run(WRITE, [sender, ...works.flatMap(argumentsOf)]);
    if (!Array.isArray(replies) || replies.length !== works.length) {
      throw storeAway(new Error('Redis answered other writes than were sent.'));
    }
    for (const [at, work] of works.entries()) settle(work, replies[at]);
  };
