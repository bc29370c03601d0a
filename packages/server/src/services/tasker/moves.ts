import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { mayEnter } from './completion.ts';
import { issueOf, mustBeVersion, projectOf } from './lookup.ts';
import { createReferences } from './references.ts';
import { refusal } from './refusals.ts';

interface Move {
  readonly issue_id: string;
  readonly state_id?: string | undefined;
  readonly sort_order?: number | undefined;
  readonly expected_version?: number | undefined;
}

/** Moving an issue to another state, or to another place among its neighbours. */
export function createMoves(adapter: TaskerAdapter) {
  const references = createReferences(adapter);

  return {
    move: async (work: TrackerWork, { issue_id, state_id, sort_order, expected_version }: Move): Promise<Issue> => {
      if (state_id === undefined && sort_order === undefined) {
        throw refusal('state_id', 'is required, unless sort_order is given');
      }
      const issue = await issueOf(adapter, work, issue_id);
      mustBeVersion(issue, expected_version);

      const state = state_id === undefined ? issue.state : await references.state(work, issue.project_id, state_id);
      const moves = state.id !== issue.state.id;
      if (moves) {
        const project = await projectOf(work, issue.project_id);
        mayEnter(work, project, { group: state.group, layout: issue.detail_layout });
      }
      if (!moves && (sort_order === undefined || sort_order === issue.sort_order)) return issue;

      const moved = await adapter.update(work, issue, { ...(moves && { state }), sort_order });
      work.changed(issue, moved);
      return moved;
    },
  };
}
