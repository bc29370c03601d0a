import type { PlannedMove, Refusal, ShipReason } from './ship-plan.ts';

export const branchOf = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/** A name as people read it. Git has it as bytes. */
export const readable = (name: string): string => Buffer.from(name, 'latin1').toString();

type InWorkTree = Pick<PlannedMove, 'ref' | 'branch'> & { readonly path: string };

/** A refusal because of the work tree that has the target checked out. */
export function inWorkTree({ ref, branch, path }: InWorkTree, reason: ShipReason, why: string): Refusal {
  const by_hand = `git -C ${/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`} merge ${branch}`;
  return { reason, text: `${branchOf(ref)} is checked out in ${path}${why} By hand: ${by_hand}` };
}
