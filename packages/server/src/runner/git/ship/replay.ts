import type { Git } from '#runner/git/git';
import { said } from '#runner/git/git';
import type { MergePlace } from './merge-trees.ts';
import { mergeTrees, treeIn } from './merge-trees.ts';

export const MAX_REBASED = 200;

export type Replayed =
  | { readonly status: 'done'; readonly commit: string; readonly tree: string }
  | { readonly status: 'conflicts'; readonly paths: readonly string[] }
  | { readonly status: 'too_many' };

interface Replay {
  readonly onto: string;
  readonly head: string;
}

interface CommitRange {
  readonly from: string;
  readonly to: string;
}

interface Listed {
  readonly commit: string;
  /** Null for the first commit of a history. */
  readonly parent: string | null;
}

/** Applies the commits that `head` has and `onto` lacks on top of `onto`. Author, date and message of each stay as they are. */
export async function replay(git: Git, place: MergePlace, { onto, head }: Replay): Promise<Replayed> {
  const { git_dir } = place;
  const listed = await commitsToReplay(git, git_dir, { onto, head });
  if (listed.length > MAX_REBASED) return { status: 'too_many' };
  const committer = said(await git(['var', 'GIT_COMMITTER_IDENT'], { git_dir, identity: place.source.identity }));
  let top = { commit: onto, tree: await treeIn(git, git_dir, onto) };
  for (const { commit, parent } of listed) {
    // Its only parent is that of the commit, so git takes that parent for the common base of the two.
    const stand_in = await git(['commit-tree', top.tree, ...(parent === null ? [] : ['-p', parent]), '-F', '-'], {
      git_dir,
      identity: place.source.identity,
      input: 'onto\n',
    });
    const merged = await mergeTrees(git, git_dir, [said(stand_in), commit], parent === null);
    if (merged === null || merged.conflicts.length > 0) return { status: 'conflicts', paths: merged?.conflicts ?? [] };
    if (merged.tree === top.tree) continue;
    const raw = (await git(['cat-file', 'commit', commit], { git_dir })).stdout;
    const input = rewritten(raw, { tree: merged.tree, parent: top.commit, committer });
    const made = await git(['hash-object', '-t', 'commit', '-w', '--stdin'], { git_dir, input });
    top = { commit: said(made), tree: merged.tree };
  }
  return { status: 'done', ...top };
}

async function commitsToReplay(git: Git, git_dir: string, { onto, head }: Replay): Promise<readonly Listed[]> {
  const order = ['--reverse', '--topo-order', '--no-merges', '--parents', `--max-count=${MAX_REBASED + 1}`];
  const listed = said(await git(['rev-list', ...order, `${onto}..${head}`, '--'], { git_dir }));
  return listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', parent = null] = line.split(' ');
      return { commit, parent };
    });
}

/** Whether a history has merge commits between two commits. */
export async function hasMerges(git: Git, git_dir: string, { from, to }: CommitRange): Promise<boolean> {
  const found = await git(['rev-list', '--merges', '--max-count=1', `${from}..${to}`, '--'], { git_dir });
  return found.stdout.length > 0;
}

interface NewHeader {
  readonly tree: string;
  readonly parent: string;
  readonly committer: string;
}

/** A signature is of the commit as it was. */
const DROPPED = /^(?:tree|parent|committer|gpgsig|gpgsig-sha256|mergetag) /;

/** The commit with this header. It is read as bytes, because its message may be in any encoding. */
export function rewritten(raw: Buffer, { tree, parent, committer }: NewHeader): Buffer {
  const end = raw.indexOf('\n\n');
  const header = raw.subarray(0, end === -1 ? raw.length : end).toString('latin1');
  const kept: string[] = [];
  let is_dropped = false;
  for (const line of header.split('\n')) {
    // A line that begins with a space belongs to the one before.
    if (!line.startsWith(' ')) is_dropped = DROPPED.test(line);
    if (!is_dropped) kept.push(line);
  }
  const [author = '', ...others] = kept;
  const lines = [
    Buffer.from(`tree ${tree}\nparent ${parent}\n${author}\n`, 'latin1'),
    Buffer.from(`committer ${committer}\n`),
    Buffer.from(others.map((line) => `${line}\n`).join(''), 'latin1'),
  ];
  return Buffer.concat([...lines, end === -1 ? Buffer.from('\n') : raw.subarray(end + 1)]);
}
