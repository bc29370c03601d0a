import type {
  AgentId,
  AttemptId,
  ProjectId,
  QueuedPromptId,
  RepoId,
  ReviewCommentId,
  UserId,
  WorkspaceId,
} from './ids.ts';

/** Comments on one attempt: more than a person writes, and few enough to be sent and carried at once. */
export const MAX_COMMENTS = 500;

/** Characters that are kept of the line that a comment is on: a file may be one line. */
export const MAX_LINE_CHARACTERS = 1_000;

/** A line as it is kept with a comment. */
export const keptLine = (line: string): string =>
  line.length <= MAX_LINE_CHARACTERS ? line : line.slice(0, MAX_LINE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');

export type ReviewStatus = 'draft' | 'sent' | 'resolved';

/** The side of a diff: the file as the attempt left it, or as it was before. */
export type ReviewSide = 'new' | 'old';

/** A comment on a line of an attempt's changes. */
export interface ReviewComment {
  readonly id: ReviewCommentId;
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  readonly attempt_id: AttemptId;
  /** Its number within the attempt, from 1. */
  readonly number: number;
  readonly repo_id: RepoId;
  readonly path: string;
  readonly side: ReviewSide;
  readonly line: number;
  /** The text of the line, cut by `keptLine`; null when the stored patch does not hold it. */
  readonly line_text: string | null;
  /** The commit that the comment was made on. */
  readonly commit_id: string;
  readonly text: string;
  readonly status: ReviewStatus;
  /** Where the line is in the latest commit; `current_line` is null when it is gone. */
  readonly current_path: string;
  readonly current_line: number | null;
  readonly current_commit: string;
  readonly is_outdated: boolean;
  readonly author_user_id: UserId;
  readonly author_agent_id: AgentId | null;
  /** The follow-up that it was sent with. */
  readonly follow_up_id: QueuedPromptId | null;
  /** The note of the person or agent that resolved the comment. */
  readonly note: string | null;
  readonly resolved_by_user_id: UserId | null;
  readonly resolved_by_agent_id: AgentId | null;
  readonly created_at: number;
  readonly resolved_at: number | null;
}
