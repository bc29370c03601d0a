import { say } from '#advice';
import { refusal } from '#domain/refusal';
import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { changeIssue } from './change-issue.ts';
import { mayEnter } from './completion.ts';
import { projectOf } from './lookup.ts';
import { createReferences } from './references.ts';

interface Move {
  readonly issue_id: string;
  readonly state_id?: string | undefined;
  readonly sort_order?: number | undefined;
  readonly expected_version?: number | undefined;
}

/** Moves issues to another state, or to another position. */
export function createMoves(adapter: TaskerAdapter) {
  const references = createReferences(adapter);

  return {
    move: async (work: TrackerWork, { state_id, sort_order, ...target }: Move): Promise<Issue> => {
      if (state_id === undefined && sort_order === undefined) {
        throw refusal('state_id', say`is required, unless ${{ field: 'sort_order' }} is given`);
      }
      return changeIssue(adapter, work, target, async (issue) => {
        const state = state_id === undefined ? issue.state : await references.state(work, issue.project_id, state_id);
        const moves = state.id !== issue.state.id;
        if (moves) {
          const project = await projectOf(work, issue.project_id);
          await mayEnter(work, project, { item: issue, group: state.group, layout: issue.detail_layout });
        }
        if (!moves && (sort_order === undefined || sort_order === issue.sort_order)) return issue;

        const moved = await adapter.update(work, issue, { ...(moves && { state }), sort_order });
        work.changed(issue, moved);
        return moved;
      });
    },
  };
}
