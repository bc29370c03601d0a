import { readFileSync } from 'node:fs';
import { argv, kill, pid } from 'node:process';
import { createGit } from '#runner/git/git';
import { createShip } from '#runner/git/ship/ship';
import type { PlannedMove, ShipOrder, ShipRepo } from '#runner/git/ship/ship-plan';

/** A worker that prepares a merge or carries out a plan, and kills itself at a step. */
export interface ChildOrder {
  readonly root: string;
  readonly job_id: string;
  readonly at: number;
  readonly work:
    | { readonly moves: readonly PlannedMove[] }
    | { readonly repos: readonly ShipRepo[]; readonly order: ShipOrder };
}

const { root, job_id, at, work }: ChildOrder = JSON.parse(readFileSync(argv[2] ?? '', 'utf8'));
let count = 0;
const mark = () => {
  count += 1;
  if (count === at) kill(pid, 'SIGKILL');
};
const ship = createShip({ git: createGit(null), root, steps: { mark } });
if ('moves' in work) await ship.carryOut(job_id, work.moves, () => Promise.resolve(true));
else await ship.prepareMerge(work.repos, work.order);
