import type { ProjectId } from '#domain/ids';
import { MAX_STATES, type State, type StateGroup } from '#domain/project';
import { ErrandError } from '#errors';
import { folded, mustBeKeptHere, mustBeKnown, mustBeNew } from './added-names.ts';
import type { Ports } from './ports.ts';
import { findProject, isKeptHere } from './projects.ts';
import type { TaskerAdapter } from './tasker/adapter.ts';
import type { ReadWork, WriteWork } from './work.ts';

interface NewState {
  readonly project_id: ProjectId;
  readonly name: string;
  readonly state_group: StateGroup;
}

interface NamedState {
  readonly project_id: ProjectId;
  /** By id or name. */
  readonly state: string;
}

interface ListedState extends Pick<State, 'slug' | 'name' | 'state_group'> {
  readonly id: string;
}

/** Makes the slug of a state: the letters and digits of its name, and a number when that is taken. */
function slugFor(name: string, states: readonly Pick<State, 'slug'>[]): string {
  const taken = new Set(states.map(({ slug }) => slug));
  const plain = folded(name).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '') || 'state';
  let slug = plain;
  for (let n = 2; taken.has(slug); n++) slug = `${plain}${n}`;
  return slug;
}

export function createStates({ ids }: Ports, adapter: Pick<TaskerAdapter, 'is_local' | 'states'>) {
  const ownStates = ({ tx, caller }: ReadWork, project: ProjectId) => tx.projects.states(caller.workspace_id, project);

  /** The states of another tracker, which has no slugs. */
  async function foreignStates(work: ReadWork, project: ProjectId): Promise<readonly ListedState[]> {
    const listed: ListedState[] = [];
    for (const { id, name, group } of await adapter.states(work, project)) {
      listed.push({ id, slug: slugFor(name, listed), name, state_group: group });
    }
    return listed;
  }

  async function theState(work: WriteWork, { project_id, state }: NamedState) {
    mustBeKeptHere(adapter);
    await findProject(work, project_id);
    const known = await ownStates(work, project_id);
    return { own: mustBeKnown(state, { kind: 'state', known }), known };
  }

  return {
    list: async (work: ReadWork, id: ProjectId): Promise<readonly ListedState[]> => {
      const project = await findProject(work, id);
      return isKeptHere(adapter, project) ? ownStates(work, id) : foreignStates(work, id);
    },

    /** At the end: the position of a state does not depend on its group. */
    add: async (work: WriteWork, fields: NewState): Promise<State> => {
      mustBeKeptHere(adapter);
      await findProject(work, fields.project_id);
      const known = await ownStates(work, fields.project_id);
      mustBeNew(fields.name, { kind: 'state', known, most: MAX_STATES });

      const state: State = {
        ...fields,
        id: ids(),
        slug: slugFor(fields.name, known),
        position: Math.max(-1, ...known.map(({ position }) => position)) + 1,
      };
      await work.tx.projects.insertState(state);
      work.changed(null, state);
      return state;
    },

    /** Its slug stays: agents call it by that. */
    rename: async (work: WriteWork, { project_id, state, name }: NamedState & { readonly name: string }) => {
      const { own, known } = await theState(work, { project_id, state });
      mustBeNew(name, { kind: 'state', known: known.filter(({ id }) => id !== own.id), most: MAX_STATES });
      const renamed: State = { ...own, name };
      await work.tx.projects.updateState(renamed);
      work.changed(own, renamed);
      return renamed;
    },

    remove: async (work: WriteWork, named: NamedState): Promise<State> => {
      const { own, known } = await theState(work, named);
      // Tasks begin in the group unstarted, and agents move them to the others.
      if (own.state_group !== 'backlog' && !known.some((it) => it !== own && it.state_group === own.state_group)) {
        throw new ErrandError('conflict', `${own.name} is the only state of the group ${own.state_group}.`, {
          hint: 'Add another state of this group first.',
        });
      }
      const tasks = await work.tx.projects.removeState(own);
      if (tasks > 0) {
        throw new ErrandError('conflict', `${own.name} has ${tasks} ${tasks === 1 ? 'task' : 'tasks'}.`, {
          hint: 'Move them to another state first.',
        });
      }
      work.changed(own, null);
      return own;
    },
  };
}
