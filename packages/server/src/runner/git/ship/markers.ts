import type { Git } from '#runner/git/git';
import { names } from '#runner/git/git';
import { readable } from './refusal-texts.ts';

/** A file of a commit that still has the marker of a conflict; null for none. */
export async function findMarkers(
  git: Git,
  git_dir: string,
  commit: string,
  paths: readonly string[],
): Promise<string | null> {
  if (paths.length === 0) return null;
  const literal = paths.map((path) => `:(top,literal)${path}`);
  const found = await git(['grep', '--files-with-matches', '-a', '-z', '-e', '^<<<<<<< ', commit, '--', ...literal], {
    git_dir,
    answers: [1],
  });
  const [first] = names(found.stdout);
  return first === undefined ? null : readable(first.slice(first.indexOf(':') + 1));
}
