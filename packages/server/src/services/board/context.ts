import { say } from '#advice';
import type { Attempt, AttemptRepoRow } from '#domain/attempt';
import { surroundingAttempt } from '#domain/caller';
import type { RunId } from '#domain/ids';
import type { Project } from '#domain/project';
import type { WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import type { ReadWork } from '#services/work';
import { attemptOf, taskOf } from './lookup.ts';
import { statesOf } from './statuses.ts';

/** The place of an agent: its project, task, attempt and run. */
interface Context {
  readonly project: Project;
  readonly task: WorkItem;
  readonly task_status: string;
  readonly attempt: Attempt;
  /** The run of the agent; null before the first. */
  readonly execution_id: RunId | null;
  readonly repos: readonly AttemptRepoRow[];
}

/** The attempt of an agent, as `get_context` answers it. */
export function createBoardContext() {
  return {
    get: async (work: ReadWork): Promise<Context> => {
      const { tx, caller } = work;
      const id = surroundingAttempt(caller);
      if (id === null) {
        throw new ErrandError('not_found', 'You work within no attempt, so there is no context to tell of.', {
          hint: say`${{ call: 'list_tasks' }} and ${{ tool: 'list_task_attempts' }} instead.`,
        });
      }
      const attempt = await attemptOf(work, id);
      const task = await taskOf(work, attempt.work_item_id);
      const project = await tx.projects.find(caller.workspace_id, attempt.project_id);
      if (project === null) throw new Error(`attempt ${attempt.id} belongs to no project`);
      const state = (await statesOf(work, project)).find((known) => known.id === task.state_id);
      const [run] = await tx.attempts.runs(attempt, 1);
      const repos = await tx.attempts.repos(attempt);
      return { project, task, task_status: state?.slug ?? '', attempt, execution_id: run?.id ?? null, repos };
    },
  };
}
