import type { Project, State } from '#domain/project';
import { refusal } from '#domain/refusal';
import { mayEnter } from '#services/tasker/completion';
import type { WriteWork } from '#services/work';
import { waitingState } from './claims.ts';
import { stateNamed, statesOf } from './statuses.ts';

/** The first column of a new task. */
export async function firstState(work: WriteWork, project: Project, status: string | undefined): Promise<State> {
  const states = await statesOf(work, project);
  const state = status === undefined ? waitingState(states) : stateNamed(states, status);
  if (state === undefined) throw refusal('status', 'is required in this project');
  await mayEnter(work, project, { item: null, group: state.state_group, layout: null });
  return state;
}
