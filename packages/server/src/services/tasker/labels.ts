import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { isSameSet } from './is-same-set.ts';
import { issueOf, mustBeVersion } from './lookup.ts';
import { createReferences } from './references.ts';
import { refusal } from './refusals.ts';

export const MOST_LABELS = 50;

interface LabelChange {
  readonly issue_id: string;
  readonly label_ids: readonly string[];
  /** `set` leaves the issue with these and no others, `merge` adds them. */
  readonly mode: 'set' | 'merge';
  readonly expected_version?: number | undefined;
}

export function createLabels(adapter: TaskerAdapter) {
  const references = createReferences(adapter);

  return {
    set: async (work: TrackerWork, { issue_id, label_ids, mode, expected_version }: LabelChange): Promise<Issue> => {
      const issue = await issueOf(adapter, work, issue_id);
      mustBeVersion(issue, expected_version);
      const given = await references.labels(work, issue.project_id, label_ids);
      const present = issue.labels.map(({ id }) => id);
      const wanted = mode === 'set' ? given : [...new Set([...present, ...given])];
      if (wanted.length > MOST_LABELS)
        throw refusal('label_ids', `would give the issue more than ${MOST_LABELS} labels`);
      if (isSameSet(wanted, present)) return issue;

      const changed = await adapter.update(work, issue, { label_ids: wanted });
      work.changed(issue, changed);
      return changed;
    },
  };
}
