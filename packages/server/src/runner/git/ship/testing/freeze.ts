import type { Ship } from '#runner/git/ship/ship';
import { createShip } from '#runner/git/ship/ship';
import type { ShipNeeds } from '#runner/git/ship/ship-tools';

/** Stands still at a step: nothing of the process happens after it, not even its clean-up. */
export function freezeAt(needs: ShipNeeds, at: number, work: (ship: Ship) => Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    let count = 0;
    const mark = () => {
      count += 1;
      if (count !== at) return;
      resolve();
      return new Promise<void>(() => {});
    };
    work(createShip({ ...needs, steps: { mark } })).then(() => resolve(), reject);
  });
}

/** The names of the steps of a work, in order. */
export async function stepsOf(needs: ShipNeeds, work: (ship: Ship) => Promise<unknown>): Promise<readonly string[]> {
  const marks: string[] = [];
  await work(createShip({ ...needs, steps: { mark: (name) => void marks.push(name) } }));
  return marks;
}
