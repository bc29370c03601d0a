import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MergeMode } from '#domain/git-job';
import { KEPT, SCRATCH } from '#runner/git/scratch';
import { createShip } from '#runner/git/ship/ship';
import type { CarriedOut, PlannedMove } from '#runner/git/ship/ship-plan';
import { plainGit } from '#runner/git/testing/repository';
import { IS_LONG } from '../../../../../../../test/e2e/counts.ts';
import { freezeAt, stepsOf as stepsOfWork } from './freeze.ts';
import { killChildAt } from './kill-child.ts';
import type { Evidence, Person } from './persons.ts';
import { anOrder, aShipBed, BASE, BRANCH, JOB, type MadeRepo, MOVED, movesOf, type ShipBed, WORK } from './ship-bed.ts';

const ours = () => Promise.resolve(true);

/** Repositories with a prepared merge, which every round begins with. */
export interface Stage extends AsyncDisposable {
  readonly bed: ShipBed;
  readonly repos: readonly MadeRepo[];
  readonly moves: readonly PlannedMove[];
  readonly mode: MergeMode;
  /** Brings everything back to the prepared merge. */
  readonly reset: () => void;
}

/** The first has its target checked out, the second nowhere, the third again. */
export async function aStage(count: 1 | 2 | 3, mode: MergeMode): Promise<Stage> {
  const bed = await aShipBed();
  const base = { ...BASE, 'gone/g.txt': 'g\n' };
  const repos: MadeRepo[] = [];
  for (const name of ['website', 'api', 'docs'].slice(0, count)) {
    const repo = await bed.repo(name, { base, target: { ...MOVED, 'gone/g.txt': 'g\n' }, work: WORK });
    if (name === 'api') plainGit(repo.source, 'checkout', '-q', '--detach');
    repos.push(repo);
  }
  const moves = movesOf(await createShip(bed.needs).prepareMerge(repos, anOrder(mode)));
  const live = ['attempts', ...repos.map(({ repo_name }) => repo_name)];
  const copy = (from: string, to: string) =>
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  for (const name of live) copy(join(bed.folder, name), join(bed.folder, 'saved', name));
  return {
    bed,
    repos,
    moves,
    mode,
    reset: () => {
      for (const name of live) {
        rmSync(join(bed.folder, name), { recursive: true, force: true });
        copy(join(bed.folder, 'saved', name), join(bed.folder, name));
      }
    },
    [Symbol.asyncDispose]: () => bed[Symbol.asyncDispose](),
  };
}

export interface Round {
  /** The number of the step at which it happens. */
  readonly at: number;
  readonly is_killed: boolean;
  readonly person: Person | null;
  /** Which repository the person works in. */
  readonly where?: number;
  /** By kill -9 of another process. Unless given, the work stands still for ever, as that of a dead process does. */
  readonly is_real?: boolean;
  /** The number of the step at which the worker that recovers is killed too; unless given, it is not. */
  readonly again?: number;
}

/** The names of the steps, in order. */
export function stepsOf(stage: Stage): Promise<readonly string[]> {
  stage.reset();
  return stepsOfWork(stage.bed.needs, (ship) => ship.carryOut(JOB, stage.moves, ours));
}

/** Plays a round: a kill at a step, a person, a recovery. Returns what is wrong afterwards. */
export async function play(stage: Stage, round: Round): Promise<readonly string[]> {
  stage.reset();
  const { bed, moves, repos } = stage;
  const repo = repos[(round.where ?? 0) % repos.length];
  const kept = join(bed.root, KEPT, JOB);
  let evidence: Evidence = () => null;
  const act = () => {
    if (round.person !== null && repo !== undefined) evidence = round.person.act(repo.source, kept);
  };
  let answer: CarriedOut | null = null;
  if (round.is_killed) {
    if (round.is_real === true) await killChildAt(bed, round.at, { moves });
    else await freezeAt(bed.needs, round.at, (ship) => ship.carryOut(JOB, moves, ours));
    act();
    if (round.again !== undefined) await freezeAt(bed.needs, round.again, (ship) => ship.carryOut(JOB, moves, ours));
    answer = await createShip(bed.needs).carryOut(JOB, moves, ours);
  } else {
    let count = 0;
    const mark = () => {
      count += 1;
      if (count === round.at) act();
    };
    answer = await createShip({ ...bed.needs, steps: { mark } }).carryOut(JOB, moves, ours);
  }
  const lost = evidence();
  return [...(lost === null ? [] : [lost]), ...judge(stage, round, answer)];
}

function judge({ bed, moves, repos }: Stage, { person }: Round, answer: CarriedOut): readonly string[] {
  const has = moves.map(({ source, to }) => contains(source, to, 'refs/heads/main'));
  const faults = repos.flatMap((repo) => judgeRepo(repo));
  const wanted = answer.status === 'merged';
  if (answer.status === 'partial') {
    if (person?.moves_target !== true) faults.push(`partial without a reason: ${answer.text}`);
  } else if (has.some((one) => one !== wanted))
    faults.push(`answered ${answer.status}, but the targets say ${has.join()}`);
  if (person === null && !wanted) faults.push(`not merged: ${JSON.stringify(answer)}`);
  if (person === null || person.leaves_clean)
    faults.push(
      ...repos.flatMap(({ source }) => [plainGit(source, 'status', '--porcelain')].filter((text) => text !== '')),
    );
  const left = existsSync(join(bed.root, SCRATCH)) ? readdirSync(join(bed.root, SCRATCH)) : [];
  return [...faults, ...left.map((name) => `left ${name}`)];
}

function judgeRepo({ source, commits }: MadeRepo): readonly string[] {
  const own = readdirSync(join(source, '.git')).filter((name) => name.startsWith('errand-') || name === 'index.lock');
  const jobs = plainGit(source, 'for-each-ref', '--format=%(refname)', 'refs/errand/*/job/*');
  const branch = plainGit(source, 'rev-parse', BRANCH);
  return [
    ...own.map((name) => `left ${name}`),
    ...(jobs === '' ? [] : [`left ${jobs}`]),
    ...(branch === commits.get('work') ? [] : ['the branch of the attempt was moved']),
    ...(IS_LONG ? fsck(source) : []),
  ];
}

function fsck(source: string): readonly string[] {
  try {
    plainGit(source, 'fsck', '--no-dangling', '--no-progress');
    return [];
  } catch (error) {
    return [`git fsck: ${String(error)}`];
  }
}

function contains(source: string, commit: string, ref: string): boolean {
  try {
    plainGit(source, 'merge-base', '--is-ancestor', commit, ref);
    return true;
  } catch {
    return false;
  }
}
