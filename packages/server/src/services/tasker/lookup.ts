import { say } from '#advice';
import type { ProjectId } from '#domain/ids';
import type { Project } from '#domain/project';
import { isOpenTo, type ProjectRights, type Within } from '#domain/reach';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import type { ReadWork } from '#services/work';
import type { Page } from '#store/store';
import type { Issue, TaskerAdapter } from './adapter.ts';

/** A project, and the caller's rights in it. */
export interface GrantedProject {
  readonly project: Project;
  readonly rights: ProjectRights;
}

/** Narrows the projects to this one. */
export const onlyIn = ({ workspace_id }: Pick<Within, 'workspace_id'>, project: ProjectId): Within => ({
  workspace_id,
  project_ids: [project],
});

/** Whether the caller may see a project of the workspace: one that was granted by name, or any except other users' lists. */
const isSeen = ({ within, caller }: ReadWork, project: Project): boolean =>
  within.project_ids !== 'all' || isOpenTo(project, caller.user_id);

/** Returns the project, in which the caller has the right for this call. */
export async function projectOf(work: ReadWork, id: ProjectId): Promise<Project> {
  work.rightsIn(id);
  const project = await work.tx.projects.find(work.caller.workspace_id, id);
  // Only a caller that reaches every project gets here with an unknown id.
  if (project !== null && isSeen(work, project)) return project;
  throw new ErrandError('not_found', `No project ${id}.`, {
    hint: say`${{ call: 'tasker_list_projects' }} for ids and keys.`,
  });
}

/** The project, without its key while another tracker keeps the issues: the tools then take ids alone. */
export const withKeyThatIsTaken = ({ is_local }: Pick<TaskerAdapter, 'is_local'>, project: Project): Project =>
  is_local ? project : { ...project, key: null };

/** The projects where the caller has the right for this call, sorted by id. */
export const projectsWithin = ({ tx, within }: ReadWork, page: Page): Promise<readonly Project[]> =>
  tx.projects.open(within, page);

/** The error for every issue outside the caller's reach, whether it exists or not. */
export const noIssue = (id: string): ErrandError =>
  new ErrandError('not_found', `No issue ${id} in the projects where you may do this.`, {
    hint: say`${{ call: 'tasker_search_issues' }} for ids and keys.`,
  });

/** Returns an issue in a project where the caller has the right for this call. */
export async function issueOf(adapter: TaskerAdapter, work: ReadWork, id: string): Promise<Issue> {
  const issue = await adapter.find(work, work.within, id);
  if (issue === null) throw noIssue(id);
  work.rightsIn(issue.project_id);
  return issue;
}

/** Refuses when the issue has changed since the caller read it. */
export function mustBeVersion({ version, id }: Issue, expected: number | undefined): void {
  if (expected === undefined || expected === version) return;
  if (version === null) {
    throw refusal('expected_version', 'cannot be compared: this tracker keeps no versions', 'Leave it out.');
  }
  throw new ErrandError('version_conflict', `Issue ${id} has version ${version}, not ${expected}.`, {
    hint: [
      say`Read it again with ${{ tool: 'tasker_get_issue' }}.`,
      say`Repeat the change if it still makes sense, with a new ${{ field: 'idempotency_key' }}.`,
    ],
    details: { version },
  });
}
