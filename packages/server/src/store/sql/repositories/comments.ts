import type { CommentId, WorkItemId } from '#domain/ids';
import type { Comment, CommentRow } from '#domain/work-item';
import { fromEnd, type Position } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { itemWithin, withinParams, withinStatement } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';

interface OneItem {
  readonly id: WorkItemId;
}

// `+ 0`: see `atMost`.
const list = withinStatement<OneItem & Position<CommentId>, CommentRow>(
  (inProjects) => `
    select comments.*, users.name as author_name, agents.name as agent_name
    from work_items
      join comments on comments.work_item_id = work_items.id
      join users on users.id = comments.author_user_id
      left join agents on agents.id = comments.author_agent_id
    where ${itemWithin(inProjects)} and comments.id < :after
    order by comments.id desc limit :limit + 0`,
);

const count = withinStatement<OneItem, { readonly count: number }>(
  (inProjects) => `
    select count(*) as count
    from work_items join comments on comments.work_item_id = work_items.id
    where ${itemWithin(inProjects)}`,
);

const insert = statement<Comment>()((tables, place) =>
  tables.insertInto('comments').values({
    id: place('id'),
    work_item_id: place('work_item_id'),
    comment_html: place('comment_html'),
    author_user_id: place('author_user_id'),
    author_agent_id: place('author_agent_id'),
    created_at: place('created_at'),
  }),
);

export const commentReads = (session: Session): Pick<Reads['workItems'], 'comments' | 'countComments'> => ({
  comments: (within, id, page) => session.all(list, { ...withinParams(within), id, ...fromEnd<CommentId>(page) }),
  countComments: async (within, id) => (await session.get(count, { ...withinParams(within), id }))?.count ?? 0,
});

export const commentWrites = (session: WriteSession): Pick<Transaction['workItems'], 'insertComment'> => ({
  insertComment: (comment) => session.write(insert, comment),
});
