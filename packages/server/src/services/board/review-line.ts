import type { AttemptRepoRow } from '#domain/attempt';
import { type PatchFile, readPatch, type ShownLine, shownLines } from '#domain/read-patch';
import { refusal } from '#domain/refusal';
import { keptLine, type ReviewSide } from '#domain/review';
import { ErrandError } from '#errors';
import { changedIn } from '#services/attempts/changed-files';

interface Wanted {
  readonly path: string;
  readonly line: number;
  readonly side: ReviewSide;
}

interface FoundLine {
  /** The path on that side: a renamed file has two. */
  readonly path: string;
  /** Null when the patch was too long to be kept. */
  readonly line_text: string | null;
  /** The commit that has the line. */
  readonly commit_id: string;
}

const MAX_LISTED = 10;

/** Runs of lines as people write them: 1–8, 20–24. */
function rangesOf(lines: readonly ShownLine[]): string {
  const ranges: [number, number][] = [];
  for (const { line } of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === line) last[1] = line;
    else ranges.push([line, line]);
  }
  const shown = ranges.slice(0, MAX_LISTED).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return [...shown, ...(ranges.length > MAX_LISTED ? ['…'] : [])].join(', ');
}

const isNamed = ({ old_path, path }: PatchFile, name: string): boolean => old_path === name || path === name;

function notChanged(repo: AttemptRepoRow, path: string): ErrandError {
  const paths = changedIn(repo).map((file) => file.path);
  const listed = paths.slice(0, MAX_LISTED).join(', ');
  return refusal(
    'path',
    `${path} is not among the files that the attempt changes`,
    paths.length === 0 ? 'It changes none.' : `Give one of: ${listed}${paths.length > MAX_LISTED ? ', …' : ''}.`,
  );
}

/** Finds a line of the changes of an attempt. Refuses files that it does not change, and lines that its diff does not show. */
export function findLine(repo: AttemptRepoRow, { path, line, side }: Wanted): FoundLine {
  const { base_commit, head_commit, patch, is_patch_cut } = repo;
  const commit_id = side === 'new' ? head_commit : base_commit;
  if (head_commit === null || commit_id === null) {
    throw new ErrandError('conflict', 'The attempt has no commit yet, so there is no line to comment on.', {
      hint: 'Comment when its run has ended.',
    });
  }
  const file = readPatch(patch ?? '').find((one) => isNamed(one, path));
  const isListed = changedIn(repo).some((one) => one.path === path);
  if (file === undefined) {
    if (isListed && is_patch_cut) return { path, line_text: null, commit_id };
    throw notChanged(repo, path);
  }
  const name = side === 'new' ? file.path : file.old_path;
  const lines = shownLines(file, side);
  const found = lines.find((one) => one.line === line);
  if (name !== null && found !== undefined) return { path: name, line_text: keptLine(found.text), commit_id };
  // A cut patch may lack the hunk.
  if (name !== null && is_patch_cut) return { path: name, line_text: null, commit_id };
  throw refusal(
    'line',
    `${line} is not shown by the ${side} side of the diff of ${path}`,
    lines.length === 0 ? `That side of the file has no lines in the diff.` : `It shows the lines ${rangesOf(lines)}.`,
  );
}
