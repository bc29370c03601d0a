import type { ReviewComment } from '#domain/review';
import { change, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { StoredReviewComment } from '#store/sql/tables';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import { writeNumbered } from '#store/sql/write-numbered';
import type { Reads, Transaction } from '#store/store';
import { OF_ATTEMPT, type OfAttempt } from './attempt-within.ts';

const COLUMNS = [
  'id',
  'workspace_id',
  'project_id',
  'attempt_id',
  'number',
  'repo_id',
  'path',
  'side',
  'line',
  'line_text',
  'commit_id',
  'text',
  'status',
  'current_path',
  'current_line',
  'current_commit',
  'is_outdated',
  'author_user_id',
  'author_agent_id',
  'follow_up_id',
  'note',
  'resolved_by_user_id',
  'resolved_by_agent_id',
  'created_at',
  'resolved_at',
] as const satisfies readonly (keyof StoredReviewComment)[];

const ofAttempt = statement<OfAttempt, StoredReviewComment>(
  `select ${named(COLUMNS)} from review_comments where ${OF_ATTEMPT} order by number`,
);

const count = statement<OfAttempt, { readonly count: number }>(
  `select count(*) as count from review_comments where ${OF_ATTEMPT}`,
);

const ofNumber = statement<OfAttempt & { readonly number: number }, StoredReviewComment>(
  `select ${named(COLUMNS)} from review_comments where ${OF_ATTEMPT} and number = :number`,
);

const find = statement<WithinParams & { readonly id: string }, StoredReviewComment>(
  (words) => `
    select ${named(COLUMNS)} from review_comments
    where id = :id and workspace_id = :workspace_id and ${inProjects(words, 'review_comments.project_id')}`,
);

const NEXT = '(select coalesce(max(number), 0) + 1 from review_comments where attempt_id = :attempt_id)';

const insert = statement<Omit<StoredReviewComment, 'number'>, { readonly seq: number }>(`
  insert into review_comments (${named(COLUMNS)})
  values (${COLUMNS.map((name) => (name === 'number' ? NEXT : `:${name}`)).join(', ')})
  returning number as seq`);

const update = change(
  'review_comments',
  ['id', 'workspace_id'],
  [
    'status',
    'current_path',
    'current_line',
    'current_commit',
    'is_outdated',
    'follow_up_id',
    'note',
    'resolved_by_user_id',
    'resolved_by_agent_id',
    'resolved_at',
  ],
);

const remove = statement<{ readonly id: string; readonly workspace_id: string }, never>(
  'delete from review_comments where id = :id and workspace_id = :workspace_id',
);

const read = (row: StoredReviewComment): ReviewComment => ({ ...row, is_outdated: row.is_outdated === 1 });
const stored = <Of extends { readonly is_outdated: boolean }>(comment: Of) => ({
  ...comment,
  is_outdated: comment.is_outdated ? 1 : 0,
});

export const reviewReads = (session: Session): Reads['reviews'] => ({
  ofAttempt: async ({ id, workspace_id }) => (await session.all(ofAttempt, { attempt_id: id, workspace_id })).map(read),
  count: async ({ id, workspace_id }) =>
    Number((await session.get(count, { attempt_id: id, workspace_id }))?.count ?? 0),
  ofNumber: async ({ id, workspace_id }, number) => {
    const row = await session.get(ofNumber, { attempt_id: id, workspace_id, number });
    return row && read(row);
  },
  find: async (within, id) => {
    const row = await session.get(find, { ...withinParams(within), id });
    return row && read(row);
  },
});

export const reviewWrites = (session: WriteSession): Transaction['reviews'] => ({
  ...reviewReads(session),
  insert: async (comment) => ({ ...comment, number: await writeNumbered(session, insert, stored(comment)) }),
  update: (comment) => session.write(update, stored(comment)),
  delete: ({ id, workspace_id }) => session.write(remove, { id, workspace_id }),
});
