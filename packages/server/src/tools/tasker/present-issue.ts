import { jsonLength, ROOM } from '#domain/answer-size';
import { blocksOf, layoutOf } from '#domain/blocks';
import { shortBlocks } from '#domain/short-blocks';
import { shortHtml } from '#domain/short-html';
import type { Services } from '#services/services';
import { rfc3339 } from '#tools/time';
import { shortList, truncatedOf, writtenOf } from './present.ts';

type Found = Awaited<ReturnType<Services['tasker']['issues']['get']>>;
type Comment = Found['latest'][number];

export const INCLUDES = ['description', 'blocks', 'comments', 'labels', 'assignees'] as const;
type Include = (typeof INCLUDES)[number];

export const MAX_COMMENTS = { summary: 3, included: 20 } as const;

const LIST_CHARACTERS = 450;
/** The room of a part that the caller asked for. */
const INCLUDED_CHARACTERS = 70_000;
/** Room for field names, brackets, and the list of shortened parts. */
const FRAME_CHARACTERS = 260;

const commentOf = ({ id, author, created_at, comment_html }: Comment) => ({
  id,
  ...(author !== null && { author }),
  created_at: rfc3339(created_at),
  comment_html,
});

/** The newest comments, each with an equal share of the room. */
function shortComments(comments: readonly Comment[], characters: number): ReturnType<typeof commentOf>[] {
  const shown: ReturnType<typeof commentOf>[] = [];
  let left = characters;
  for (const [index, comment] of comments.entries()) {
    const frame = jsonLength(commentOf({ ...comment, comment_html: '' }));
    const share = Math.floor(left / (comments.length - index));
    const comment_html = shortHtml(comment.comment_html, share - frame);
    if (comment_html === '') break;
    shown.push(commentOf({ ...comment, comment_html }));
    left -= jsonLength(shown.at(-1)) + 1;
  }
  return shown;
}

/** An issue as one answer: small parts are whole, long ones are shortened unless the caller asks for them. */
export function wholeIssue({ issue, count, latest }: Found, include: ReadonlySet<Include>) {
  const most = (part: Include): number => (include.has(part) ? INCLUDED_CHARACTERS : LIST_CHARACTERS);
  const labels = shortList('labels', issue.labels, most('labels'));
  const assignees = shortList('assignees', issue.assignees, most('assignees'));
  const head = {
    ...writtenOf(issue),
    sort_order: issue.sort_order,
    ...(issue.start_date !== null && { start_date: issue.start_date }),
    ...(issue.parent_id !== null && { parent_id: issue.parent_id }),
    ...(issue.parent_key !== null && { parent_key: issue.parent_key }),
    ...(issue.created_by !== null && { created_by: issue.created_by }),
    created_at: rfc3339(issue.created_at),
    labels: labels.shown,
    assignees: assignees.shown,
  };

  // Parts that the caller asked for in full do not count against the room of the others.
  const beyond = [labels, assignees].map(({ shown }) => Math.max(0, jsonLength(shown) - LIST_CHARACTERS));
  let left = ROOM.answer - FRAME_CHARACTERS - jsonLength(head) + beyond.reduce((sum, size) => sum + size, 0);
  /** Each part gets a share of the remaining room. Room that it does not need goes to the next part. */
  function roomFor<T>(part: Include, share: number, shorten: (characters: number) => T): T {
    if (include.has(part)) return shorten(INCLUDED_CHARACTERS);
    const value = shorten(Math.floor(left * share));
    left -= jsonLength(value);
    return value;
  }
  const html = issue.description_html ?? '';
  const description = roomFor('description', 0.4, (most) => shortHtml(html, most));
  const blocks = blocksOf(issue.detail_layout);
  const shownBlocks = roomFor('blocks', 0.6, (most) => shortBlocks(blocks, most));
  const comments = roomFor('comments', 1, (most) => shortComments(latest, most));

  const shortened = [
    ...labels.truncated,
    ...assignees.truncated,
    ...(description === html ? [] : ['description']),
    ...(jsonLength(shownBlocks) === jsonLength(blocks) ? [] : ['blocks']),
    ...(comments.every(({ comment_html }, index) => comment_html === latest[index]?.comment_html) &&
    comments.length === latest.length
      ? []
      : ['comments']),
  ];
  return {
    issue: {
      ...head,
      description_html: issue.description_html === null ? null : description,
      detail_layout: issue.detail_layout === null ? null : layoutOf(shownBlocks),
      comments: { count, latest: comments },
    },
    ...truncatedOf(shortened),
  };
}
