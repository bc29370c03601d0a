import { claimFor } from '#services/board/claims';
import type { TrackerWork } from '#services/work';
import type { Issue, TaskerAdapter } from './adapter.ts';
import { taskId } from './local-issues.ts';
import { issueOf, mustBeVersion } from './lookup.ts';

interface Target {
  readonly issue_id: string;
  readonly expected_version?: number | undefined;
}

/** Throws for an agent when another agent has claimed the issue. Only issues of Errand's own store can be claimed. */
async function mayChange(
  { is_local }: TaskerAdapter,
  { caller, transaction }: TrackerWork,
  { id }: Issue,
): Promise<void> {
  if (is_local) await transaction((tx) => claimFor({ tx, caller }, { id: taskId(id) }));
}

/** Changes an issue while no other change of it runs: what `change` gets stays current until it has written. */
export const changeIssue = <T>(
  adapter: TaskerAdapter,
  work: TrackerWork,
  { issue_id, expected_version }: Target,
  change: (issue: Issue) => Promise<T>,
): Promise<T> =>
  adapter.exclusively(work, issue_id, async () => {
    const issue = await issueOf(adapter, work, issue_id);
    mustBeVersion(issue, expected_version);
    await mayChange(adapter, work, issue);
    return change(issue);
  });
