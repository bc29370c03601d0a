import type { CommentId, WorkItemId } from '#domain/ids';
import type { Comment, CommentRow } from '#domain/work-item';
import { fromEnd, LIMIT, type Position } from '#store/sql/page';
import { insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { itemWithin, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';

interface OneItem {
  readonly id: WorkItemId;
}

const COLUMNS = [
  'id',
  'work_item_id',
  'comment_html',
  'author_user_id',
  'author_agent_id',
  'created_at',
] as const satisfies readonly (keyof Comment)[];

const list = statement<OneItem & WithinParams & Position<CommentId>, CommentRow>(
  (words) => `
    select ${named(COLUMNS, 'comments')}, users.name as author_name, agents.name as agent_name
    from work_items
      join comments on comments.work_item_id = work_items.id
      join users on users.id = comments.author_user_id
      left join agents on agents.id = comments.author_agent_id
    where ${itemWithin(words)} and comments.id < :after
    order by comments.id desc ${LIMIT}`,
);

const count = statement<OneItem & WithinParams, { readonly count: number }>(
  (words) => `
    select count(*) as count
    from work_items join comments on comments.work_item_id = work_items.id
    where ${itemWithin(words)}`,
);

const insert = insertion('comments', COLUMNS);

export const commentReads = (session: Session): Pick<Reads['workItems'], 'comments' | 'countComments'> => ({
  comments: (within, id, page) => session.all(list, { ...withinParams(within), id, ...fromEnd<CommentId>(page) }),
  countComments: async (within, id) => (await session.get(count, { ...withinParams(within), id }))?.count ?? 0,
});

export const commentWrites = (session: WriteSession): Pick<Transaction['workItems'], 'insertComment'> => ({
  insertComment: (comment) => session.write(insert, comment),
});
