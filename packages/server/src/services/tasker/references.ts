import { say } from '#advice';
import type { ProjectId } from '#domain/ids';
import { refusal } from '#domain/refusal';
import type { ReadWork } from '#services/work';
import type { TaskerAdapter, TrackerState } from './adapter.ts';
import { onlyIn } from './lookup.ts';

export const MAX_PARENT_DEPTH = 50;
const CONTEXT_HINT = say`${{ call: 'tasker_get_project_context' }} for the ids of this project.`;

interface Parenthood {
  readonly parent_id: string;
  /** Null while the child is being created. */
  readonly child_id: string | null;
}

/** Checks the references of an issue: all must belong to its own project. Others get the same error as unknown ones. */
export function createReferences(adapter: TaskerAdapter) {
  return {
    /** Returns the state by id; without an id, the first state of new issues. */
    state: async (work: ReadWork, project: ProjectId, id: string | undefined): Promise<TrackerState> => {
      const states = await adapter.states(work, project);
      const state =
        id === undefined
          ? (states.find(({ group }) => group === 'unstarted') ?? states.find(({ group }) => group === 'backlog'))
          : states.find((known) => known.id === id);
      if (state !== undefined) return state;
      throw refusal(
        'state_id',
        id === undefined ? 'is required in this project' : 'names no state of this project',
        CONTEXT_HINT,
      );
    },

    labels: async (work: ReadWork, project: ProjectId, ids: readonly string[]): Promise<readonly string[]> => {
      if (ids.length === 0) return [];
      const known = new Set((await adapter.labels(work, project)).map(({ id }) => id));
      if (ids.every((id) => known.has(id))) return [...new Set(ids)];
      throw refusal('label_ids', 'names a label that this project does not have', CONTEXT_HINT);
    },

    assignees: async (work: ReadWork, project: ProjectId, ids: readonly string[]): Promise<readonly string[]> => {
      if (ids.length === 0) return [];
      const members = await adapter.members(work, project);
      const active = new Set(members.filter(({ is_active }) => is_active).map(({ id }) => id));
      if (ids.every((id) => active.has(id))) return [...new Set(ids)];
      throw refusal('assignee_ids', 'names someone who is no active member of this project', [
        CONTEXT_HINT,
        say`${{ tool: 'tasker_add_existing_project_member' }} adds a member of the workspace, where it is granted.`,
      ]);
    },

    /** Checks a parent. An existing issue must not become its own ancestor. */
    parent: async (work: ReadWork, project: ProjectId, { parent_id, child_id }: Parenthood): Promise<string> => {
      const within = onlyIn(work.within, project);
      // A new issue has no children, so it cannot form a circle.
      const line = await adapter.lineage(work, within, parent_id, child_id === null ? 1 : MAX_PARENT_DEPTH + 1);
      const [parent] = line;
      if (parent === undefined) {
        throw refusal(
          'parent_id',
          'names no issue of this project',
          say`${{ call: 'tasker_search_issues' }} for ids and keys.`,
        );
      }
      if (child_id !== null && line.includes(child_id)) {
        throw refusal('parent_id', 'names the issue itself, or one below it');
      }
      if (line.length > MAX_PARENT_DEPTH)
        throw refusal('parent_id', `is nested deeper than ${MAX_PARENT_DEPTH} levels`);
      return parent;
    },
  };
}
