import { readFileSync } from 'node:fs';
import { argv, kill, pid } from 'node:process';
import { createGit } from '#runner/git/git';
import { createShip } from '#runner/git/ship/ship';
import type { PlannedMove } from '#runner/git/ship/ship-plan';

/** A worker that carries out a plan and kills itself at a step. */
export interface ChildOrder {
  readonly root: string;
  readonly job_id: string;
  readonly moves: readonly PlannedMove[];
  readonly at: number;
}

const order: ChildOrder = JSON.parse(readFileSync(argv[2] ?? '', 'utf8'));
let count = 0;
const mark = () => {
  count += 1;
  if (count === order.at) kill(pid, 'SIGKILL');
};
const ship = createShip({ git: createGit(null), root: order.root, steps: { mark } });
await ship.carryOut(order.job_id, order.moves, () => Promise.resolve(true));
