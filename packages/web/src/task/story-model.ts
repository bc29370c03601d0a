import type { AttemptRow, Comment } from '../api/task.ts';

/** One entry of what happened to a task. */
export type StoryEntry =
  | { readonly kind: 'comment'; readonly id: string; readonly at: string; readonly comment: Comment }
  | { readonly kind: 'attempt'; readonly id: string; readonly at: string; readonly attempt: AttemptRow };

/** Comments and attempts as one stream, oldest first: the newest is beside the composer. */
export function storyOf(comments: readonly Comment[], attempts: readonly AttemptRow[]): readonly StoryEntry[] {
  const entries: StoryEntry[] = [
    ...comments.map((comment) => ({ kind: 'comment' as const, id: comment.id, at: comment.created_at, comment })),
    ...attempts.map((attempt) => ({
      kind: 'attempt' as const,
      id: attempt.attempt_id,
      at: attempt.created_at,
      attempt,
    })),
  ];
  return entries.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
