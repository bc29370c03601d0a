import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { isSameSet } from './is-same-set.ts';
import { issueOf, mustBeVersion } from './lookup.ts';
import { createReferences } from './references.ts';

interface Assignment {
  readonly issue_id: string;
  readonly assignee_ids: readonly string[];
  readonly expected_version?: number | undefined;
}

export function createAssignees(adapter: TaskerAdapter) {
  const references = createReferences(adapter);

  return {
    set: async (work: TrackerWork, { issue_id, assignee_ids, expected_version }: Assignment): Promise<Issue> => {
      const issue = await issueOf(adapter, work, issue_id);
      mustBeVersion(issue, expected_version);
      const wanted = await references.assignees(work, issue.project_id, assignee_ids);
      if (
        isSameSet(
          wanted,
          issue.assignees.map(({ id }) => id),
        )
      )
        return issue;

      const changed = await adapter.update(work, issue, { assignee_ids: wanted });
      work.changed(issue, changed);
      return changed;
    },
  };
}
