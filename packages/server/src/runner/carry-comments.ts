import type { Attempt, AttemptRepo } from '#domain/attempt';
import { type Changes, carry, changesIn } from '#domain/carry';
import type { ReviewComment } from '#domain/review';
import type { CarriedComment } from '#services/runs/carried-comments';
import type { AttemptFolders } from './git/attempt-folders.ts';

interface CommittedRepo extends Pick<AttemptRepo, 'repo_id' | 'base_commit' | 'head_commit'> {
  readonly source: string;
}

/** The commit whose line a comment should name now; null when there is none yet. */
const targetOf = ({ side }: ReviewComment, { base_commit, head_commit }: CommittedRepo): string | null =>
  side === 'new' ? head_commit : base_commit;

/** Finds the places of comments in the commits that a repository has now. A comment whose commit is gone stays where it was. */
export async function carryComments(
  attemptFolders: Pick<AttemptFolders, 'between'>,
  attempt: Pick<Attempt, 'id'>,
  comments: readonly ReviewComment[],
  repos: readonly CommittedRepo[],
): Promise<readonly CarriedComment[]> {
  const diffs = new Map<string, { readonly changes: Changes; readonly is_cut: boolean } | null>();
  const diffOf = async ({ source }: CommittedRepo, { from, to }: { readonly from: string; readonly to: string }) => {
    const name = `${source}\0${from}\0${to}`;
    const known = diffs.get(name);
    if (known !== undefined) return known;
    const read = await attemptFolders.between({ source, attempt_id: attempt.id }, [from, to]);
    const diff = read && { changes: changesIn(read.patch), is_cut: read.is_cut };
    diffs.set(name, diff);
    return diff;
  };
  const carried: CarriedComment[] = [];
  for (const comment of comments) {
    const repo = repos.find(({ repo_id }) => repo_id === comment.repo_id);
    const { current_path: path, current_line: line, current_commit: from, is_outdated } = comment;
    const to = repo === undefined ? null : targetOf(comment, repo);
    if (repo === undefined || to === null || to === from) continue;
    const diff = await diffOf(repo, { from, to });
    if (diff === null || (diff.is_cut && !diff.changes.has(path))) continue;
    carried.push({ id: comment.id, from, to, ...carry({ path, line, is_outdated }, comment.line_text, diff.changes) });
  }
  return carried;
}
