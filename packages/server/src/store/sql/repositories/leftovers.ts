import type { LeftoverFolders } from '#domain/attempt';
import { insertion } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { LeftoverRow } from '#store/sql/tables';
import type { Reads, Transaction } from '#store/store';

const ofHost = statement<Pick<LeftoverRow, 'host_id'>, LeftoverRow>(
  'select attempt_id, host_id, body from leftover_folders where host_id = :host_id order by attempt_id',
);

const insert = insertion('leftover_folders', ['attempt_id', 'host_id', 'body']);

const drop = statement<Pick<LeftoverRow, 'attempt_id' | 'host_id'>, never>(
  'delete from leftover_folders where attempt_id = :attempt_id and host_id = :host_id',
);

export const leftoverReads = (session: Session): Pick<Reads['attempts'], 'leftovers'> => ({
  leftovers: async (host_id) =>
    (await session.all(ofHost, { host_id })).map(({ body, ...row }) => ({
      ...row,
      // Written by `insertLeftover`.
      ...(JSON.parse(body) as Pick<LeftoverFolders, 'branch' | 'repos'>),
    })),
});

export const leftoverWrites = (
  session: WriteSession,
): Pick<Transaction['attempts'], 'insertLeftover' | 'dropLeftover'> => ({
  insertLeftover: ({ attempt_id, host_id, ...body }) =>
    session.write(insert, { attempt_id, host_id, body: JSON.stringify(body) }),
  dropLeftover: ({ attempt_id, host_id }) => session.write(drop, { attempt_id, host_id }),
});
