import { type Hint, say } from '#advice';
import type { AttemptRow, Session } from '#domain/attempt';
import type { AttemptId, ProjectId, SessionId, WorkItemId } from '#domain/ids';
import type { Project } from '#domain/project';
import { isOpenTo } from '#domain/reach';
import { keyParts } from '#domain/reference';
import type { WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import { isKeptHere } from '#services/projects';
import type { TaskerAdapter } from '#services/tasker/adapter';
import type { ReadWork } from '#services/work';

/** The same answer for what is out of reach and for what does not exist. */
const nothing = (kind: 'task' | 'attempt' | 'session', id: string, hint: Hint): ErrandError =>
  new ErrandError('not_found', `No ${kind} ${id} in the projects where you may do this.`, { hint });

const ATTEMPT_IDS = [
  say`${{ call: 'list_task_attempts' }} with a task for the keys of its attempts.`,
  say`${{ call: 'list_tasks' }} for the keys of tasks.`,
];

/** A task may be named where its attempt is meant: then it has none that is open, or there is no such task. */
function noAttempt(id: string): ErrandError {
  const parts = keyParts(id);
  if (parts === null || parts.task === null || parts.attempt !== null) return nothing('attempt', id, ATTEMPT_IDS);
  return new ErrandError('not_found', `No task ${id} with an open attempt in the projects where you may do this.`, {
    hint: [
      say`${{ call: 'start_task_attempt' }} with the task to begin one.`,
      say`${{ call: 'list_tasks' }} for the keys of tasks.`,
    ],
  });
}

const noTask = (id: string): ErrandError => nothing('task', id, say`${{ call: 'list_tasks' }} for keys.`);

/** The attempt of the caller's run; null for a caller outside of any run, which sees the whole project. */
export const boundAttempt = async ({ tx, within, caller }: ReadWork): Promise<AttemptRow | null> =>
  caller.attempt_id === null ? null : tx.attempts.find(within, caller.attempt_id);

/** The task of the caller's run; null for a caller that sees the whole project. */
export async function boundTask(work: ReadWork): Promise<WorkItemId | null> {
  if (work.caller.attempt_id === null) return null;
  const attempt = await boundAttempt(work);
  if (attempt === null) throw nothing('attempt', work.caller.attempt_id, 'It was deleted: end your work.');
  return attempt.work_item_id;
}

/** Returns a project of the board in which the caller has the right for this call. */
export async function projectOf(
  adapter: Pick<TaskerAdapter, 'is_local'>,
  work: ReadWork,
  id: ProjectId,
): Promise<Project> {
  work.rightsIn(id);
  const project = await work.tx.projects.find(work.caller.workspace_id, id);
  // Only a caller that reaches every project can get here with an id of another workspace.
  if (project === null || (work.within.project_ids === 'all' && !isOpenTo(project, work.caller.user_id))) {
    throw new ErrandError('not_found', `No project ${id}.`, { hint: say`${{ call: 'list_projects' }} for keys.` });
  }
  if (isKeptHere(adapter, project)) return project;
  throw new ErrandError('conflict', `The work of project ${id} is kept in a tracker elsewhere, not on this board.`, {
    hint: say`Read and change it with ${{ tool: 'tasker_get_issue' }}, ${{ tool: 'tasker_update_issue' }} and the tools beside them.`,
  });
}

/** Returns a task in a project where the caller has the right for this call. */
export async function taskOf(work: ReadWork, id: WorkItemId): Promise<WorkItem> {
  const item = await work.tx.workItems.find(work.within, id);
  if (item === null) throw noTask(id);
  const bound = await boundTask(work);
  if (bound !== null && bound !== id) throw noTask(id);
  work.rightsIn(item.project_id);
  return item;
}

/** Returns an attempt in a project where the caller has the right for this call. */
export async function attemptOf(work: ReadWork, id: AttemptId): Promise<AttemptRow> {
  const { attempt_id } = work.caller;
  const attempt = attempt_id === null || attempt_id === id ? await work.tx.attempts.find(work.within, id) : null;
  if (attempt === null) throw noAttempt(id);
  work.rightsIn(attempt.project_id);
  return attempt;
}

/** Returns a session and its attempt, in a project where the caller has the right for this call. */
export async function sessionOf(
  work: ReadWork,
  id: SessionId,
): Promise<{ readonly session: Session; readonly attempt: AttemptRow }> {
  const found = await work.tx.attempts.session(work.within, id);
  const { attempt_id } = work.caller;
  if (found === null || (attempt_id !== null && attempt_id !== found.attempt.id)) {
    throw nothing('session', id, ATTEMPT_IDS);
  }
  return { session: found.session, attempt: await attemptOf(work, found.attempt.id) };
}
