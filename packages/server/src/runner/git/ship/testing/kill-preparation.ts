import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SCRATCH } from '#runner/git/scratch';
import { createShip } from '#runner/git/ship/ship';
import { plainGit } from '#runner/git/testing/repository';
import { freezeAt, stepsOf } from './freeze.ts';
import { killChildAt } from './kill-child.ts';
import type { Stage } from './kill-round.ts';
import { differing, pictureOf, refsOf } from './picture.ts';
import { anOrder, JOB } from './ship-bed.ts';

/** Everything of the people whose repositories these are. */
const picturesOf = ({ repos }: Stage) => repos.flatMap(({ source }) => [pictureOf(source), refsOf(source)]);

/** Brings the repositories back to where nothing is prepared. */
async function unprepare(stage: Stage): Promise<void> {
  stage.reset();
  await createShip(stage.bed.needs).forget(JOB, stage.repos);
}

/** The names of the steps of a preparation. */
export async function stepsOfPreparation(stage: Stage): Promise<readonly string[]> {
  await unprepare(stage);
  return stepsOf(stage.bed.needs, (ship) => ship.prepareMerge(stage.repos, anOrder(stage.mode)));
}

/** Ends a preparation at a step, and has the next worker forget the job. Returns what is wrong before and after that. */
export async function endPreparation(stage: Stage, at: number, is_real: boolean): Promise<readonly string[]> {
  const { bed, repos, mode } = stage;
  await unprepare(stage);
  const before = picturesOf(stage);
  const changed = () => picturesOf(stage).flatMap((now, one) => differing(before[one] ?? new Map(), now));
  const order = anOrder(mode);
  if (is_real) await killChildAt(bed, at, { repos, order });
  else await freezeAt(bed.needs, at, (ship) => ship.prepareMerge(repos, order));
  const early = changed();
  await createShip(bed.needs).forget(JOB, repos);
  const left = existsSync(join(bed.root, SCRATCH)) ? readdirSync(join(bed.root, SCRATCH)) : [];
  const jobs = repos.map(({ source }) =>
    plainGit(source, 'for-each-ref', '--format=%(refname)', 'refs/errand/*/job/*'),
  );
  return [
    ...early.map((name) => `changed ${name}`),
    ...changed().map((name) => `changed ${name} when it was forgotten`),
    ...[...left, ...jobs.filter((name) => name !== '')].map((name) => `left ${name}`),
  ];
}

/** Merges after a preparation that was ended at a step and forgotten. */
export async function mergeAfter(stage: Stage, at: number): Promise<string> {
  const { bed, repos, mode } = stage;
  await endPreparation(stage, at, false);
  const ship = createShip(bed.needs);
  const prepared = await ship.prepareMerge(repos, anOrder(mode));
  if (prepared.status !== 'ready') return prepared.status;
  return (await ship.carryOut(JOB, prepared.moves, () => Promise.resolve(true))).status;
}
