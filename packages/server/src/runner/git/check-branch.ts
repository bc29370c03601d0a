import { branchProblem } from '#domain/branch';

/** Why a name cannot be a branch, as a sentence; null when it can. */
export function checkBranch(name: string): string | null {
  const problem = branchProblem(name);
  return problem === null ? null : `The name of a branch ${problem}.`;
}
