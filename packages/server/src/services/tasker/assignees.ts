import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { changeIssue } from './change-issue.ts';
import { isSameSet } from './is-same-set.ts';
import { createReferences } from './references.ts';

interface Assignment {
  readonly issue_id: string;
  readonly assignee_ids: readonly string[];
  readonly expected_version?: number | undefined;
}

export function createAssignees(adapter: TaskerAdapter) {
  const references = createReferences(adapter);

  return {
    set: (work: TrackerWork, { assignee_ids, ...target }: Assignment): Promise<Issue> =>
      changeIssue(adapter, work, target, async (issue) => {
        const wanted = await references.assignees(work, issue.project_id, assignee_ids);
        const present = issue.assignees.map(({ id }) => id);
        if (isSameSet(wanted, present)) return issue;

        const changed = await adapter.update(work, issue, { assignee_ids: wanted });
        work.changed(issue, changed);
        return changed;
      }),
  };
}
