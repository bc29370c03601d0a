import { say, textOf } from '#advice';
import type { AttemptRepoRow, AttemptRow } from '#domain/attempt';
import { fenced } from '#domain/fence';
import { folderNames } from '#domain/folder-names';
import type { ReviewComment } from '#domain/review';

interface Review {
  readonly attempt: AttemptRow;
  readonly comments: readonly ReviewComment[];
  /** In the order in which the worker places them. */
  readonly repos: readonly AttemptRepoRow[];
  /** The text that the person adds before the comments. */
  readonly words: string | null;
  /** Makes a random word. */
  readonly mark: () => string;
}

/** The longest prompt of a review, which is that of a follow-up. */
const MAX_CHARACTERS = 100_000;
const MAX_LINE = 200;

const ABOUT =
  'Your changes were reviewed. Each comment is between two lines with the same mark, below the place and the line that it is about. Do what the comments ask for.';

const cut = (text: string): string =>
  text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** The path of each repository's files, as the agent sees them from its working folder. */
function prefixes(repos: readonly AttemptRepoRow[]): ReadonlyMap<string, string> {
  const folders = folderNames(repos.map(({ repo_name }) => repo_name));
  return new Map(repos.map(({ repo_id }, at) => [repo_id, repos.length === 1 ? '' : `${folders[at]}/`]));
}

function placeOf({ current_path, current_line, side, is_outdated }: ReviewComment): string {
  const at = current_line === null ? `${current_path} (removed)` : `${current_path}:${current_line}`;
  const old = side === 'old' ? ' (before your changes)' : '';
  return `${at}${old}${is_outdated ? ' (the line has changed since)' : ''}`;
}

function textOfComment(comment: ReviewComment, prefix: string, mark: () => string): string {
  const { number, line_text, text, status } = comment;
  const again = status === 'sent' ? ' (opened again)' : '';
  const line = line_text === null || line_text.trim() === '' ? [] : [`> ${cut(line_text)}`];
  return [`#${number} ${prefix}${placeOf(comment)}${again}`, ...line, fenced('comment', text, mark)].join('\n');
}

/** The comments as one message to the agent, and the comments that fit into it. */
export function reviewPrompt({ attempt, comments, repos, words, mark }: Review): {
  readonly prompt: string;
  readonly sent: readonly ReviewComment[];
} {
  const prefixOf = prefixes(repos);
  const order = repos.map(({ repo_id }) => repo_id);
  const sorted = comments.toSorted(
    (a, b) =>
      order.indexOf(a.repo_id) - order.indexOf(b.repo_id) ||
      (a.current_path < b.current_path ? -1 : Number(a.current_path > b.current_path)) ||
      (a.current_line ?? 0) - (b.current_line ?? 0) ||
      a.number - b.number,
  );
  const named = attempt.key === null ? 'its number, such as #1' : `its number, such as #1 (or ${attempt.key}#1)`;
  const end = textOf(say`Answer each with ${{ tool: 'resolve_review_comment' }}, by ${named}, or say why not.`);
  const head = words === null ? ABOUT : `${words}\n\n${ABOUT}`;
  const sent: ReviewComment[] = [];
  const texts: string[] = [];
  let room = MAX_CHARACTERS - head.length - end.length - 4;
  for (const comment of sorted) {
    const text = textOfComment(comment, prefixOf.get(comment.repo_id) ?? '', mark);
    room -= text.length + 2;
    // The first always goes: it has at most 10,000 characters.
    if (room < 0 && sent.length > 0) break;
    sent.push(comment);
    texts.push(text);
  }
  return { prompt: [head, ...texts, end].join('\n\n'), sent };
}
