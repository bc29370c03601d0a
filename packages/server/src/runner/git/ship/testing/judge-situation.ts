import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createShip } from '#runner/git/ship/ship';
import type { CarriedOut, Prepared, ShipReason } from '#runner/git/ship/ship-plan';
import type { ShipNeeds } from '#runner/git/ship/ship-tools';
import { plainGit } from '#runner/git/testing/repository';
import type { Mode, Twist } from './draft.ts';
import { judgeRequest } from './judge-request.ts';
import type { Situation } from './make-situation.ts';
import type { Picture } from './picture.ts';
import { differing, pictureOf, refsOf } from './picture.ts';
import { anOrder, BRANCH, JOB } from './ship-bed.ts';

/** The answers that the twists allow; empty when the merge must go through. */
export function expectedOf(
  twists: readonly Twist[],
  { is_open }: Situation,
  mode: Mode,
): readonly (ShipReason | 'conflicts')[] {
  return twists.flatMap(({ gives, always = false }) => {
    if (gives === undefined || mode === 'pr') return [];
    // The branch of the attempt is checked out nowhere.
    if (mode === 'attempt') return gives === 'conflicts' || gives === 'unrelated' ? [gives] : [];
    return always || is_open ? [gives] : [];
  });
}

async function ask(needs: ShipNeeds, { repo }: Situation, mode: Exclude<Mode, 'pr'>): Promise<Prepared | CarriedOut> {
  const ship = createShip(needs);
  const prepared =
    mode === 'attempt'
      ? await ship.prepareRebase([repo], { ...anOrder('rebase'), with_markers: false })
      : await ship.prepareMerge([repo], anOrder(mode));
  return prepared.status === 'ready' ? ship.carryOut(JOB, prepared.moves, () => Promise.resolve(true)) : prepared;
}

/** Plays one situation, and returns what is wrong with its outcome. */
export async function judge(
  needs: ShipNeeds,
  situation: Situation,
  mode: Mode,
  expected: readonly string[],
): Promise<readonly string[]> {
  const { made } = situation;
  if (mode === 'pr') {
    const found = await judgeRequest(needs, situation);
    return existsSync(made.canary) ? ['a program of the repository was run', ...found] : found;
  }
  const pictures = () => [...new Set([made.source, made.tree])].map((folder) => pictureOf(folder));
  const reference = expected.length > 0 ? null : referenceOf(situation, mode);
  const [refs, before] = [refsOf(made.source), pictures()];
  const answer = await ask(needs, situation, mode);
  const canary = existsSync(made.canary) ? ['a program of the repository was run'] : [];
  const moved = differing(refs, refsOf(made.source));
  const changed = pictures().map((picture, at) => differing(before[at] ?? new Map(), picture));
  const leftovers = plainGit(made.source, 'for-each-ref', '--format=%(refname)', 'refs/errand/*/job/*');
  const faults = [...canary, ...(leftovers === '' ? [] : [`left: ${leftovers}`])];
  if (reference === null || answer.status !== 'merged') {
    const outcome = answer.status === 'refused' ? answer.reason : answer.status;
    const is_right =
      reference === null ? expected.includes(outcome) : reference.tree === null && outcome === 'conflicts';
    const why = is_right ? [] : [`expected ${expected.join(' or ') || 'a merge'}, answered ${JSON.stringify(answer)}`];
    return [
      ...faults,
      ...why,
      ...moved.map((name) => `moved ${name}`),
      ...changed.flat().map((name) => `changed ${name}`),
    ];
  }
  return [...faults, ...judgeMerged(situation, mode, { refs, moved, changed, reference })];
}

interface Merged {
  readonly refs: Picture;
  readonly moved: readonly string[];
  readonly changed: readonly (readonly string[])[];
  readonly reference: Reference;
}

function judgeMerged(
  { made, is_open }: Situation,
  mode: Mode,
  { refs, moved, changed, reference }: Merged,
): readonly string[] {
  const ref = mode === 'attempt' ? `refs/heads/${BRANCH}` : 'refs/heads/main';
  const from = refs.get('refs/heads/main') ?? '';
  const tree = plainGit(made.source, 'rev-parse', `${ref}^{tree}`);
  const parents = plainGit(made.source, 'rev-list', '--parents', '-1', ref).split(' ').slice(1);
  const faults = [
    ...(tree === reference.tree ? [] : [`the tree is not that of git: ${tree} instead of ${reference.tree}`]),
    ...(mode === 'merge' && parents.length !== 2 ? ['a merge has two parents'] : []),
    ...(mode === 'squash' && parents.join(' ') !== from ? ['a squash has the target as its only parent'] : []),
    ...(moved.every((name) => name === ref) ? [] : [`moved ${moved.join(', ')}`]),
  ];
  const follows = is_open && mode !== 'attempt';
  const names = follows
    ? plainGit(made.source, 'diff-tree', '-r', '-z', '--no-renames', '--name-only', from, ref).split('\0')
    : [];
  const isAllowed = (name: string) =>
    /^(?:\.git\/)?(?:logs\/)?refs\/heads\//.test(name) ||
    /(?:^|\/)logs\/HEAD$/.test(name) ||
    /^(?:\.git\/)?logs\/(?:refs\/)?(?:heads\/)?$/.test(name) ||
    (follows && (name === '.git/index' || /^\.git\/worktrees\/linked\/(?:index|logs\/HEAD)$/.test(name))) ||
    names.some((one) => one === asText(name) || (name.endsWith('/') && `${one}/`.startsWith(asText(name))));
  faults.push(
    ...changed
      .flat()
      .filter((name) => !isAllowed(name))
      .map((name) => `changed ${name}`),
  );
  if (follows)
    faults.push(
      ...judgeFiles(
        made.tree,
        reference.folder,
        names.filter((name) => name !== ''),
      ),
    );
  return faults;
}

const asText = (name: string) => Buffer.from(name, 'latin1').toString();

/** The files must be those that git itself writes, and git must find nothing changed. */
function judgeFiles(tree: string, reference: string, names: readonly string[]): readonly string[] {
  const status = plainGit(tree, 'status', '--porcelain', '-uno');
  const [ours, theirs] = [pictureOf(tree), pictureOf(reference)];
  const known = (picture: Picture, name: string) =>
    picture.get(Buffer.from(name).toString('latin1'))?.replace(/ \S+/, '');
  const wrong = names.filter((name) => !name.includes('\uFFFD') && known(ours, name) !== known(theirs, name));
  return [
    ...(status === '' ? [] : [`git status: ${status}`]),
    ...wrong.map((name) => `${name} is not as git writes it`),
  ];
}

interface Reference {
  /** Null for conflicts. */
  readonly tree: string | null;
  readonly folder: string;
}

/** The same by git itself, in a copy. */
function referenceOf({ made, commits }: Situation, mode: Mode): Reference {
  const copy = join(made.folder, 'copy');
  const folder = join(made.folder, 'reference');
  cpSync(made.source, copy, { recursive: true, verbatimSymlinks: true });
  const safe = ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false'];
  const git = (cwd: string, ...args: readonly string[]) => plainGit(cwd, ...safe, ...args);
  try {
    git(copy, 'config', '--remove-section', 'merge.evil');
  } catch {
    // There is no driver.
  }
  const head = commits.get('work') ?? '';
  const is_rebase = mode === 'rebase' || mode === 'attempt';
  git(copy, 'worktree', 'add', '-q', '--force', '--detach', folder, is_rebase ? head : 'main');
  try {
    git(folder, ...(is_rebase ? ['rebase', '-q', 'main'] : ['merge', '-q', '--no-ff', '-m', 'merge', head]));
  } catch {
    return { tree: null, folder };
  }
  return { tree: git(folder, 'rev-parse', 'HEAD^{tree}'), folder };
}
