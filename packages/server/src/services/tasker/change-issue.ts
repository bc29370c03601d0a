import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { issueOf, mustBeVersion } from './lookup.ts';

interface Target {
  readonly issue_id: string;
  readonly expected_version?: number | undefined;
}

/** Changes an issue in its turn: what `change` is given of it stays true until it has written. */
export const changeIssue = <T>(
  adapter: TaskerAdapter,
  work: TrackerWork,
  { issue_id, expected_version }: Target,
  change: (issue: Issue) => Promise<T>,
): Promise<T> =>
  adapter.exclusively(work, issue_id, async () => {
    const issue = await issueOf(adapter, work, issue_id);
    mustBeVersion(issue, expected_version);
    return change(issue);
  });
