import { say } from '#advice';
import type { Attempt, AttemptRepoRow, AttemptRow } from '#domain/attempt';
import type { QueuedPromptId, RepoId, ReviewCommentId, RunId } from '#domain/ids';
import { shownName } from '#domain/key';
import { plainText } from '#domain/plain-text';
import { refusal } from '#domain/refusal';
import { MAX_COMMENTS, type ReviewComment, type ReviewSide } from '#domain/review';
import { ErrandError } from '#errors';
import type { Ports } from '#services/ports';
import type { ReadWork, WriteWork } from '#services/work';
import type { createFollowUps } from './follow-ups.ts';
import { attemptOf } from './lookup.ts';
import { mustGoOn } from './place-follow-up.ts';
import { findLine } from './review-line.ts';
import { reviewPrompt } from './review-prompt.ts';

interface NewComment {
  readonly attempt_id: Attempt['id'];
  readonly repo_id?: RepoId | undefined;
  readonly path: string;
  readonly line: number;
  readonly side: ReviewSide;
  readonly text: string;
}

interface Resolution {
  /** An id; within an attempt also the number of the comment. */
  readonly comment_id: string;
  readonly resolved: boolean;
  readonly note?: string | undefined;
}

interface SentReview {
  /** Whether it starts a run of its own, now or when the run that goes on has ended. */
  readonly may_run: boolean;
  readonly follow_up_id: QueuedPromptId;
  /** The run that it started; null when it waits. */
  readonly execution_id: RunId | null;
  readonly sent: number;
  /** Comments for which there was no room: they go with the next review. */
  readonly left: number;
}

/** The short name of a comment: WEB-12.2#3. */
const commentKey = ({ key }: AttemptRow, { number }: Pick<ReviewComment, 'number'>): string | null =>
  key === null ? null : `${key}#${number}`;

const noComment = (id: string): ErrandError =>
  new ErrandError('not_found', `No comment ${id} in the projects where you may do this.`, {
    hint: say`${{ call: 'get_attempt' }} with ${{ field: 'include', value: 'comments' }} for those of an attempt.`,
  });

/** The repository of a comment: the named one, or the only one. */
function repoOf(repos: readonly AttemptRepoRow[], repo_id: RepoId | undefined): AttemptRepoRow {
  const named =
    repo_id === undefined ? (repos.length === 1 ? repos[0] : undefined) : repos.find((r) => r.repo_id === repo_id);
  if (named !== undefined) return named;
  const names = repos.map(({ repo_name }) => repo_name).join(', ');
  throw refusal(
    'repo_id',
    repo_id === undefined ? 'is required: the attempt has several repositories' : 'is no repository of the attempt',
    `Give one of: ${names}.`,
  );
}

/** Whether a comment waits to be sent: a draft, or one that was opened again. */
const isUnsent = ({ status, follow_up_id }: ReviewComment): boolean =>
  status === 'draft' || (status === 'sent' && follow_up_id === null);

/** Who of two callers wrote a comment: an agent writes for itself, not for its owner. */
const isAuthor = (
  { author_user_id, author_agent_id }: ReviewComment,
  { user_id, agent_id }: WriteWork['caller'],
): boolean => author_user_id === user_id && author_agent_id === agent_id;

/** A comment with its attempt. An agent within an attempt finds the sent ones of its own attempt, by number too. */
async function commentOf(work: ReadWork, asked: string): Promise<{ comment: ReviewComment; attempt: AttemptRow }> {
  const { tx, caller, within } = work;
  const own = caller.attempt_id === null ? null : await attemptOf(work, caller.attempt_id);
  const [, number] = /^#?(\d{1,6})$/.exec(asked) ?? [];
  const comment =
    own !== null && number !== undefined
      ? await tx.reviews.ofNumber(own, Number(number))
      : // Safe: a text that is no id finds nothing.
        await tx.reviews.find(within, asked as ReviewCommentId);
  const isSeen = comment !== null && (own === null || (comment.attempt_id === own.id && comment.status !== 'draft'));
  if (!isSeen) throw noComment(asked);
  return { comment, attempt: await attemptOf(work, comment.attempt_id) };
}

/** Comments on the lines of an attempt's changes. They are drafts until they are sent to the agent together. */
export function createReviews({ ids }: Ports, followUps: Pick<ReturnType<typeof createFollowUps>, 'queueOrStart'>) {
  return {
    add: async (
      work: WriteWork,
      { attempt_id, ...fresh }: NewComment,
    ): Promise<ReviewComment & { key: string | null }> => {
      const { tx, caller } = work;
      const attempt = await attemptOf(work, attempt_id);
      mustGoOn(attempt);
      const repo = repoOf(await tx.attempts.repos(attempt), fresh.repo_id);
      const { path, line_text, commit_id } = findLine(repo, fresh);
      if ((await tx.reviews.count(attempt)) >= MAX_COMMENTS) {
        throw new ErrandError(
          'conflict',
          `Attempt ${shownName(attempt)} has ${MAX_COMMENTS} comments, which is all it can have.`,
        );
      }
      const comment = await tx.reviews.insert({
        id: ids(),
        workspace_id: attempt.workspace_id,
        project_id: attempt.project_id,
        attempt_id,
        repo_id: repo.repo_id,
        path,
        side: fresh.side,
        line: fresh.line,
        line_text,
        commit_id,
        text: plainText('text', fresh.text),
        status: 'draft',
        current_path: path,
        current_line: fresh.line,
        current_commit: commit_id,
        is_outdated: false,
        author_user_id: caller.user_id,
        author_agent_id: caller.agent_id,
        follow_up_id: null,
        note: null,
        resolved_by_user_id: null,
        resolved_by_agent_id: null,
        created_at: tx.now,
        resolved_at: null,
      });
      work.changed(null, comment);
      return { ...comment, key: commentKey(attempt, comment) };
    },

    /** Sends all unsent comments as one follow-up. */
    send: async (work: WriteWork, attempt_id: Attempt['id'], text: string | undefined): Promise<SentReview> => {
      const { tx } = work;
      const attempt = await attemptOf(work, attempt_id);
      mustGoOn(attempt);
      const unsent = (await tx.reviews.ofAttempt(attempt)).filter(isUnsent);
      if (unsent.length === 0) {
        throw new ErrandError('conflict', `Attempt ${shownName(attempt)} has no comments that were not sent.`, {
          hint: [
            say`${{ call: 'add_review_comment' }} to write one.`,
            say`${{ call: 'follow_up' }} for words without a line.`,
          ],
        });
      }
      const { prompt, sent } = reviewPrompt({
        attempt,
        comments: unsent,
        repos: await tx.attempts.repos(attempt),
        words: text === undefined ? null : plainText('text', text),
        mark: () => ids().slice(-12),
      });
      const { queued_id, execution_id, may_run } = await followUps.queueOrStart(work, attempt, {
        prompt,
        name: 'Review',
      });
      for (const comment of sent) {
        const after: ReviewComment = { ...comment, status: 'sent', follow_up_id: queued_id };
        await tx.reviews.update(after);
        work.changed(comment, after);
      }
      const left = unsent.length - sent.length;
      return { may_run, follow_up_id: queued_id, execution_id, sent: sent.length, left };
    },

    /** Resolves a comment or opens it again. A draft that its author resolves is deleted. */
    resolve: async (
      work: WriteWork,
      { comment_id, resolved, note }: Resolution,
    ): Promise<{ readonly comment: ReviewComment; readonly status: ReviewComment['status'] | 'deleted' }> => {
      const { tx, caller } = work;
      const { comment } = await commentOf(work, comment_id);
      if (comment.status === 'draft') {
        if (!isAuthor(comment, caller)) {
          throw new ErrandError('conflict', `Comment ${comment.id} is a draft of another.`, {
            hint: say`${{ call: 'send_review' }} sends it; only its author takes it back.`,
          });
        }
        if (!resolved) return { comment, status: 'draft' };
        await tx.reviews.delete(comment);
        work.changed(comment, null);
        return { comment, status: 'deleted' };
      }
      if (resolved === (comment.status === 'resolved') && note === undefined)
        return { comment, status: comment.status };
      const after: ReviewComment = {
        ...comment,
        note: note === undefined ? comment.note : plainText('note', note),
        ...(resolved
          ? {
              status: 'resolved',
              resolved_by_user_id: caller.user_id,
              resolved_by_agent_id: caller.agent_id,
              resolved_at: tx.now,
            }
          : {
              status: 'sent',
              // It goes to the agent again with the next review.
              follow_up_id: comment.status === 'resolved' ? null : comment.follow_up_id,
              resolved_by_user_id: null,
              resolved_by_agent_id: null,
              resolved_at: null,
            }),
      };
      await tx.reviews.update(after);
      work.changed(comment, after);
      return { comment: after, status: after.status };
    },
  };
}
