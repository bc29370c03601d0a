import type { Project, State } from '#domain/project';
import { refusal } from '#domain/refusal';
import type { ReadWork } from '#services/work';

/** The columns of a project's board. */
export const statesOf = ({ tx, caller }: ReadWork, { id }: Pick<Project, 'id'>): Promise<readonly State[]> =>
  tx.projects.states(caller.workspace_id, id);

/** Returns the state that a status word of the board means. */
export function stateNamed(states: readonly State[], status: string): State {
  const state = states.find(({ slug }) => slug === status);
  if (state !== undefined) return state;
  const known = states.map(({ slug }) => slug);
  throw refusal('status', `must be one of ${known.join(', ')}`, undefined, { statuses: known });
}
