import type { LabelId, ProjectId, StateId } from '#domain/ids';
import type { Label, State, StateGroup } from '#domain/project';
import { ErrandError } from '#errors';
import { type PageOf, type PageRequest, pageOf } from './pages.ts';
import type { Ports } from './ports.ts';
import { findProject } from './projects.ts';
import type { TaskerAdapter } from './tasker/adapter.ts';
import type { ReadWork, WriteWork } from './work.ts';

/** More than people tell apart, and few enough to be read at once. */
const MOST_LABELS = 500;
const MOST_STATES = 50;

interface NewLabel {
  readonly project_id: ProjectId;
  readonly name: string;
  readonly color: string | null;
}

interface NewState {
  readonly project_id: ProjectId;
  readonly name: string;
  readonly state_group: StateGroup;
}

const folded = (name: string): string => name.normalize('NFKC').toLowerCase();

/** What agents and addresses call a state: the letters and digits of its name, and a number where that is taken. */
function slugFor(name: string, states: readonly State[]): string {
  const taken = new Set(states.map(({ slug }) => slug));
  const plain = folded(name).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '') || 'state';
  let slug = plain;
  for (let n = 2; taken.has(slug); n++) slug = `${plain}${n}`;
  return slug;
}

function mustBeNew(kind: string, name: string, known: readonly { readonly name: string }[], most: number): void {
  if (known.some((other) => folded(other.name) === folded(name))) {
    throw new ErrandError('conflict', `The project has a ${kind} with this name already.`, {
      hint: `List the ${kind}s of the project, and use that one or another name.`,
    });
  }
  if (known.length >= most) {
    throw new ErrandError('conflict', `The project has ${most} ${kind}s, which is as many as it can have.`);
  }
}

/** The states and labels of a project: what its items are sorted by. */
export function createColumns({ ids, cursors }: Ports, { is_local }: Pick<TaskerAdapter, 'is_local'>) {
  /** A state or label that the tracker does not know could be given to nothing. */
  function mustBeOurs(): void {
    if (is_local) return;
    throw new ErrandError('validation_error', 'States and labels of this workspace are kept in its tracker.', {
      hint: 'Add them there.',
    });
  }

  const labelsOf = ({ tx, caller }: ReadWork, project: ProjectId) => tx.projects.labels(caller.workspace_id, project);
  const statesOf = ({ tx, caller }: ReadWork, project: ProjectId) => tx.projects.states(caller.workspace_id, project);

  return {
    labels: async (work: ReadWork, project: ProjectId, page: PageRequest): Promise<PageOf<Label>> => {
      await findProject(work, project);
      return pageOf(cursors, page, { name: `labels:${project}`, rows: await labelsOf(work, project) });
    },

    addLabel: async (work: WriteWork, fields: NewLabel): Promise<Label> => {
      mustBeOurs();
      await findProject(work, fields.project_id);
      mustBeNew('label', fields.name, await labelsOf(work, fields.project_id), MOST_LABELS);

      const label: Label = { ...fields, id: ids() as LabelId, created_at: work.tx.now };
      await work.tx.projects.insertLabel(label);
      work.changed(null, label);
      return label;
    },

    states: async (work: ReadWork, project: ProjectId): Promise<readonly State[]> => {
      await findProject(work, project);
      return statesOf(work, project);
    },

    /** At the end: where a state stands among others says nothing about its group. */
    addState: async (work: WriteWork, fields: NewState): Promise<State> => {
      mustBeOurs();
      await findProject(work, fields.project_id);
      const states = await statesOf(work, fields.project_id);
      mustBeNew('state', fields.name, states, MOST_STATES);

      const state: State = {
        ...fields,
        id: ids() as StateId,
        slug: slugFor(fields.name, states),
        position: Math.max(-1, ...states.map(({ position }) => position)) + 1,
      };
      await work.tx.projects.insertState(state);
      work.changed(null, state);
      return state;
    },
  };
}
