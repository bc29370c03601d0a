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

import { type PatchHunk, readPatch } from './read-patch.ts';

/** Comments on one attempt: more than a person writes, and few enough to be sent and carried at once. */
export const MAX_COMMENTS = 500;

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
  /** The text of the line; null when the stored patch does not hold it. */
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
  /** What was done about it. */
  readonly note: string | null;
  readonly resolved_by_user_id: UserId | null;
  readonly resolved_by_agent_id: AgentId | null;
  readonly created_at: number;
  readonly resolved_at: number | null;
}

/** A changed part of a file, with the lines that it has now. */
export interface Hunk extends Pick<PatchHunk, 'old_start' | 'old_lines' | 'new_start' | 'new_lines'> {
  readonly added: readonly string[];
}

/** Changed files by their path before; new files by their path now. `path` is null for a removed file. */
export type Hunks = ReadonlyMap<string, { readonly path: string | null; readonly hunks: readonly Hunk[] }>;

/** The changes of a patch without context lines. */
export const hunksOf = (patch: string): Hunks =>
  new Map(
    readPatch(patch).map(({ old_path, path, hunks }) => [
      old_path ?? path ?? '',
      {
        path,
        hunks: hunks.map(({ lines, ...hunk }) => ({
          ...hunk,
          added: lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1)),
        })),
      },
    ]),
  );

export interface CommentPlace {
  readonly path: string;
  /** Null when the file is gone. */
  readonly line: number | null;
  readonly is_outdated: boolean;
}

/** The share of words that a changed line must keep to be taken for the same line. */
const MIN_SHARED_PART = 0.6;

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

function shareOfWords(a: readonly string[], b: readonly string[]): number {
  const left = [...b];
  const common = a.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return common.length / Math.max(a.length, b.length, 1);
}

/** The index of the line with the same text, the nearest to `near`; null for none. */
function sameText(lines: readonly string[], text: string, near: number): number | null {
  const wanted = text.trim();
  if (wanted === '') return null;
  const found = lines.flatMap((line, at) => (line.trim() === wanted ? [at] : []));
  return found.toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near))[0] ?? null;
}

/** The index of the line with the most words of the text; null when none has enough of them. */
function likeText(lines: readonly string[], text: string): number | null {
  const words = wordsOf(text);
  const [best] = lines
    .map((line, at) => ({ at, share: shareOfWords(words, wordsOf(line)) }))
    .filter(({ share }) => share >= MIN_SHARED_PART)
    .toSorted((a, b) => b.share - a.share || a.at - b.at);
  return best?.at ?? null;
}

/** The place of a line within a hunk that has changed it. */
function placeInHunk(
  { old_start, new_start, added }: Hunk,
  line: number,
  text: string | null,
): Omit<CommentPlace, 'path'> {
  const at = text === null ? null : (sameText(added, text, line - old_start) ?? likeText(added, text));
  // Where all lines of the hunk were removed, git names the line before it.
  if (at === null) return { line: Math.max(1, new_start), is_outdated: true };
  return { line: new_start + at, is_outdated: false };
}

/** Whether a hunk has changed or removed this line. */
const holds = ({ old_start, old_lines }: Hunk, line: number): boolean =>
  line >= old_start && line < old_start + old_lines;

/** The number of a line that no hunk has changed. */
const shifted = (hunks: readonly Hunk[], line: number): number =>
  hunks
    // A hunk that only adds lines names the line before them.
    .filter(({ old_start, old_lines }) => (old_lines === 0 ? line > old_start : line >= old_start + old_lines))
    .reduce((sum, { old_lines, new_lines }) => sum + new_lines - old_lines, line);

/** The line of an outdated comment, if its text is among the lines that were added anywhere in the file. */
function foundAgain(hunks: readonly Hunk[], text: string | null, near: number): number | null {
  if (text === null) return null;
  const lines = hunks.flatMap(({ new_start, added }) => {
    const at = sameText(added, text, near - new_start);
    return at === null ? [] : [new_start + at];
  });
  return lines.toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near))[0] ?? null;
}

/** Where a line is after a change of its file. `line_text` is the line that the comment was made on; null when it is not known. */
export function carry(place: CommentPlace, line_text: string | null, diff: Hunks): CommentPlace {
  const file = diff.get(place.path);
  if (file === undefined) return place;
  if (file.path === null) return { path: place.path, line: null, is_outdated: true };
  const { path, hunks } = file;
  const hunk = place.line === null ? undefined : hunks.find((one) => holds(one, place.line ?? 0));
  const now =
    hunk === undefined || place.line === null
      ? { line: place.line === null ? null : shifted(hunks, place.line), is_outdated: place.is_outdated }
      : placeInHunk(hunk, place.line, line_text);
  if (!now.is_outdated || !place.is_outdated) return { path, ...now };
  const again = foundAgain(hunks, line_text, now.line ?? 1);
  return again === null ? { path, ...now } : { path, line: again, is_outdated: false };
}
