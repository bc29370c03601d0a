import { say } from '#advice';
import type { ProjectId, WorkItemId } from '#domain/ids';
import type { Within } from '#domain/reach';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import { taskNames } from '#services/task-name';
import { onlyIn } from '#services/tasker/lookup';
import type { ReadWork, WriteWork } from '#services/work';
import type { Transaction } from '#store/store';

const MAX_NAMED = 10;

interface Waiting {
  readonly project_id: ProjectId;
  /** Null while the task is being created. */
  readonly task_id: WorkItemId | null;
}

/** The chain of tasks by which the first waits for the last, both included; empty when it does not wait. */
async function wayBetween(
  tx: Transaction,
  within: Within,
  { from, to }: { readonly from: WorkItemId; readonly to: WorkItemId },
): Promise<WorkItemId[]> {
  const before = new Map<WorkItemId, WorkItemId | null>([[from, null]]);
  const open = [from];
  for (const id of open) {
    if (id === to) break;
    for (const blocker of await tx.board.blockers(within, id)) {
      if (before.has(blocker.id)) continue;
      before.set(blocker.id, id);
      open.push(blocker.id);
    }
  }
  const way: WorkItemId[] = [];
  for (let id: WorkItemId | null = before.has(to) ? to : null; id !== null; id = before.get(id) ?? null)
    way.unshift(id);
  return way;
}

/** Checks the blockers of a task: tasks of the same project, none of which waits for it. */
export async function blockersFrom(
  { tx, within }: WriteWork,
  { project_id, task_id }: Waiting,
  ids: readonly WorkItemId[],
): Promise<readonly WorkItemId[]> {
  const blockers = [...new Set(ids)];
  const project = onlyIn(within, project_id);
  for (const id of blockers) {
    if (id === task_id) throw refusal('blocked_by', 'names the task itself');
    if ((await tx.workItems.find(project, id)) === null) {
      throw refusal(
        'blocked_by',
        `names ${id}, which is no task of this project`,
        say`${{ call: 'list_tasks' }} for keys.`,
      );
    }
    if (task_id === null || !(await tx.board.waitsFor(within.workspace_id, id, task_id))) continue;
    const way = [task_id, ...(await wayBetween(tx, project, { from: id, to: task_id }))];
    const cycle = way.slice(0, MAX_NAMED);
    const more = way.length > cycle.length ? ` waits for ${way.length - cycle.length} more` : '';
    throw refusal(
      'blocked_by',
      `would close a circle: ${(await taskNames(tx, within.workspace_id, cycle)).join(' waits for ')}${more}`,
      say`Take one of these dependencies away first, with ${{ tool: 'update_task' }} of the task that has it.`,
      { cycle },
    );
  }
  return blockers;
}

/** The refusal to begin a task that waits for others. */
export async function taskBlocked({ tx, within }: ReadWork, id: WorkItemId): Promise<ErrandError> {
  const open = (await tx.board.blockers(within, id)).filter(({ state_group }) => state_group !== 'completed');
  // Without titles: text of other people in an error could look like text of Errand.
  const ids = open.map((blocker) => blocker.id).slice(0, MAX_NAMED);
  const [name, ...blockers] = await taskNames(tx, within.workspace_id, [id, ...ids]);
  return new ErrandError(
    'task_blocked',
    `Task ${name} waits for tasks that are not completed: ${blockers.join(', ')}.`,
    {
      hint: [
        say`Complete them first, or take them out of ${{ field: 'blocked_by' }} with ${{ tool: 'update_task' }}.`,
        'One that was cancelled still blocks.',
      ],
      details: { blocked_by: ids },
    },
  );
}
