import type { WorkItemId, WorkspaceId } from '#domain/ids';
import type { Tick } from '#domain/tick';
import { replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { TickReads, TickWrites } from '#store/tick-store';

interface OneItem {
  readonly item: WorkItemId;
  readonly workspace_id: WorkspaceId;
}

const ITEM = '(select id from work_items where id = :item and workspace_id = :workspace_id)';

const ofItem = statement<OneItem, Tick>(`
  select work_item_id, item_id, user_id, agent_id, at from ticks where work_item_id = ${ITEM} order by at, item_id`);

const put = replacement('ticks', {
  key: ['work_item_id', 'item_id'],
  columns: ['work_item_id', 'item_id', 'user_id', 'agent_id', 'at'],
  written: ['user_id', 'agent_id', 'at'],
});

const drop = statement<OneItem & { readonly ids: string }, never>(
  ({ listed }) => `delete from ticks where work_item_id = ${ITEM} and item_id in ${listed('ids')}`,
);

export const tickReads = (session: Session): TickReads => ({
  ticks: { of: ({ id, workspace_id }) => session.all(ofItem, { item: id, workspace_id }) },
});

export const tickWrites = (session: WriteSession): TickWrites => ({
  ticks: {
    ...tickReads(session).ticks,
    put: (_, tick) => session.write(put, tick),
    drop: async ({ id, workspace_id }, item_ids) => {
      if (item_ids.length > 0) await session.write(drop, { item: id, workspace_id, ids: JSON.stringify(item_ids) });
    },
  },
});
