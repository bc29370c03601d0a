import type { ChangedFile, ReviewComment } from '../../api/attempts.ts';
import type { Hunk } from './patch.ts';

type CommentedFile = Pick<ReviewComment, 'path' | 'repo_id'>;

const isOn = (file: Pick<ChangedFile, 'path' | 'repo_id'>, { path, repo_id }: CommentedFile): boolean =>
  file.path === path && file.repo_id === repo_id;

/** The comments of one file. */
export const commentsOn = <Of extends CommentedFile>(
  file: Pick<ChangedFile, 'path' | 'repo_id'>,
  comments: readonly Of[],
) => comments.filter((comment) => isOn(file, comment));

/** The comments on files that are no longer among the changes, by their path. */
export function onGoneFiles<Of extends CommentedFile>(
  files: readonly Pick<ChangedFile, 'path' | 'repo_id'>[],
  comments: readonly Of[],
): readonly (readonly [path: string, comments: readonly Of[]])[] {
  const gone = comments.filter((comment) => !files.some((file) => isOn(file, comment)));
  return [...Map.groupBy(gone, ({ path }) => path)];
}

/** The comments of a file whose line none of its hunks has: they are shown above the lines. */
export function onGoneLines<Of extends Pick<ReviewComment, 'side' | 'line'>>(
  hunks: readonly Hunk[],
  comments: readonly Of[],
): readonly Of[] {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return comments.filter(({ side, line }) => line === null || !lines.some((each) => each[side] === line));
}
