import { MAX_LABELS } from '#domain/project';
import { refusal } from '#domain/refusal';
import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { changeIssue } from './change-issue.ts';
import { isSameSet } from './is-same-set.ts';
import { createReferences } from './references.ts';

interface LabelChange {
  readonly issue_id: string;
  readonly label_ids: readonly string[];
  /** `set` replaces the labels, `merge` adds to them. */
  readonly mode: 'set' | 'merge';
  readonly expected_version?: number | undefined;
}

export function createLabels(adapter: TaskerAdapter) {
  const references = createReferences(adapter);

  return {
    set: (work: TrackerWork, { label_ids, mode, ...target }: LabelChange): Promise<Issue> =>
      changeIssue(adapter, work, target, async (issue) => {
        const given = await references.labels(work, issue.project_id, label_ids);
        const present = issue.labels.map(({ id }) => id);
        const wanted = mode === 'set' ? given : [...new Set([...present, ...given])];
        if (wanted.length > MAX_LABELS.of_issue)
          throw refusal('label_ids', `would give the issue more than ${MAX_LABELS.of_issue} labels`);
        if (isSameSet(wanted, present)) return issue;

        const changed = await adapter.update(work, issue, { label_ids: wanted });
        work.changed(issue, changed);
        return changed;
      }),
  };
}
