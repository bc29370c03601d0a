import type { UserId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { PresentPerson } from '#domain/presence';
import type { PresenceReads, PresenceWrites } from '#store/presence-store';
import { LIMIT } from '#store/sql/page';
import { replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';

interface OneItem {
  readonly item: WorkItemId;
  readonly workspace_id: WorkspaceId;
}

const ITEM = '(select id from work_items where id = :item and workspace_id = :workspace_id)';

type StoredPerson = Omit<PresentPerson, 'editing'> & { readonly editing: number };

const people = statement<OneItem & { readonly seen_from: number; readonly limit: number }, StoredPerson>(`
  select presence.user_id, presence.editing, presence.since, users.name
  from presence join users on users.id = presence.user_id
  where presence.work_item_id = ${ITEM} and presence.seen_at >= :seen_from
  order by presence.since, presence.user_id ${LIMIT}`);

const put = replacement('presence', {
  key: ['work_item_id', 'user_id'],
  columns: ['work_item_id', 'user_id', 'editing', 'since', 'seen_at'],
  written: ['editing', 'since', 'seen_at'],
});

const drop = statement<OneItem & { readonly user_id: UserId }, never>(
  `delete from presence where work_item_id = ${ITEM} and user_id = :user_id`,
);

const sweep = statement<{ readonly before: number }, never>('delete from presence where seen_at < :before');

export const presenceReads = (session: Session): PresenceReads => ({
  presence: {
    of: async ({ id, workspace_id }, seen_from, limit) =>
      (await session.all(people, { item: id, workspace_id, seen_from, limit })).map((row) => ({
        ...row,
        editing: Number(row.editing) === 1,
      })),
  },
});

export const presenceWrites = (session: WriteSession): PresenceWrites => ({
  presence: {
    ...presenceReads(session).presence,
    put: ({ editing, ...row }) => session.write(put, { ...row, editing: editing ? 1 : 0 }),
    drop: (workspace_id, user_id, { id }) => session.write(drop, { workspace_id, user_id, item: id }),
    sweep: (before) => session.write(sweep, { before }),
  },
});
