import { say } from '#advice';
import type { DetailLayout } from '#domain/blocks';
import type { LabelId, ProjectId, WorkItemId } from '#domain/ids';
import type { Project, State } from '#domain/project';
import { refusal } from '#domain/refusal';
import { parentsFirst, planFault } from '#domain/task-plan';
import type { Priority } from '#domain/work-item';
import { emitTask } from '#services/attempts/task-state';
import { idOf } from '#services/names';
import type { Ports } from '#services/ports';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { mayEnter } from '#services/tasker/completion';
import { onlyIn } from '#services/tasker/lookup';
import { MAX_PARENT_DEPTH } from '#services/tasker/references';
import type { WriteWork } from '#services/work';
import { firstState } from './first-state.ts';
import { projectOf } from './lookup.ts';
import { newTask } from './new-task.ts';

export interface PlannedTask {
  /** Its name within the call. */
  readonly ref: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly priority?: Priority | undefined;
  /** Its first column; the one of tasks that wait to be started unless given. */
  readonly state?: State | undefined;
  readonly label_ids?: readonly LabelId[] | undefined;
  readonly target_date?: string | null | undefined;
  readonly layout?: DetailLayout | null | undefined;
  /** A ref, or a task of the project. */
  readonly parent_ref?: string | undefined;
  readonly blocked_by?: readonly string[] | undefined;
}

export interface CreatedTask {
  readonly ref: string;
  readonly task_id: WorkItemId;
  readonly key: string | null;
}

/** Finds what the refs and other names of a plan mean: a ref comes before a task that has the same name. */
async function meanings(
  work: WriteWork,
  project: Project,
  plan: readonly PlannedTask[],
  own: ReadonlyMap<string, WorkItemId>,
) {
  const { tx, caller } = work;
  const within = onlyIn(work.within, project.id);
  const { user_id, attempt_id } = caller;
  const sight = { ...within, user_id, attempt_id, subject: user_id, is_admin: false, sees: () => false };
  const found = new Map<string, WorkItemId>(own);
  const find = async (field: string, text: string): Promise<void> => {
    if (found.has(text)) return;
    const asked = { field, kind: 'work_item', text, near: { project_id: project.id } } as const;
    // Safe: an id that finds nothing is refused.
    const id = (await idOf(tx, sight, asked)) as WorkItemId;
    if ((await tx.workItems.find(within, id)) === null) {
      throw refusal(
        field,
        `${text} is neither a ref of this call nor a task of the project`,
        say`${{ call: 'list_tasks' }} for keys.`,
      );
    }
    found.set(text, id);
  };
  for (const [at, { parent_ref, blocked_by = [] }] of plan.entries()) {
    if (parent_ref !== undefined) await find(`tasks.${at}.parent_ref`, parent_ref);
    for (const name of blocked_by) await find(`tasks.${at}.blocked_by`, name);
  }
  return found;
}

/** Creates several tasks of a project that name each other: all of them or none. */
export function createTaskPlans({ ids }: Ports, adapter: Pick<TaskerAdapter, 'is_local'>) {
  /** Refuses parents that are nested deeper than the tracker allows. */
  async function mustBeShallow(
    { tx, within }: WriteWork,
    project: Project,
    parents: ReadonlyMap<WorkItemId, WorkItemId>,
  ): Promise<void> {
    const known = new Map<WorkItemId, number>();
    for (const id of parents.keys()) {
      let depth = 0;
      let above: WorkItemId | undefined = id;
      for (let next = parents.get(id); next !== undefined; next = parents.get(next)) [depth, above] = [depth + 1, next];
      // The last one above may be a task that stands already, with parents of its own.
      if (!known.has(above)) {
        known.set(above, (await tx.workItems.lineage(onlyIn(within, project.id), above, MAX_PARENT_DEPTH + 1)).length);
      }
      if (depth + Math.max(1, known.get(above) ?? 0) - 1 > MAX_PARENT_DEPTH) {
        throw refusal('tasks', `parent_ref nests deeper than ${MAX_PARENT_DEPTH} levels`);
      }
    }
  }

  return async (
    work: WriteWork,
    { project_id, tasks: plan }: { readonly project_id: ProjectId; readonly tasks: readonly PlannedTask[] },
  ): Promise<readonly CreatedTask[]> => {
    const { tx, caller } = work;
    const project = await projectOf(adapter, work, project_id);
    const state = await firstState(work, project, undefined);
    const others = new Map(plan.flatMap((task) => (task.state === undefined ? [] : [[task.state.id, task.state]])));
    for (const { state_group } of others.values()) {
      await mayEnter(work, project, { item: null, group: state_group, layout: null });
    }
    for (const { layout, ...task } of plan) {
      const { state_group } = task.state ?? state;
      if (layout != null) await mayEnter(work, project, { item: null, group: state_group, layout });
    }
    const fault = planFault(plan);
    if (fault !== null) throw refusal(fault.field, fault.problem);
    const own = new Map(plan.map(({ ref }) => [ref, ids<WorkItemId>()]));
    const found = await meanings(work, project, plan, own);
    // Each name was found, or the call refused.
    const idOfName = (name: string): WorkItemId => found.get(name) as WorkItemId;
    const parents = new Map(
      plan.flatMap(({ ref, parent_ref }) =>
        parent_ref === undefined ? [] : [[idOfName(ref), idOfName(parent_ref)] as const],
      ),
    );
    await mustBeShallow(work, project, parents);

    const items = parentsFirst(plan).map((task) => ({
      task,
      item: newTask(
        { id: idOfName(task.ref), project, state: task.state ?? state, caller, now: tx.now },
        { ...task, parent_id: parents.get(idOfName(task.ref)) },
      ),
    }));
    for (const { item, task } of items) {
      await tx.workItems.insert(item);
      if (task.label_ids !== undefined && task.label_ids.length > 0) await tx.workItems.setLabels(item, task.label_ids);
    }
    for (const { task, item } of items) {
      const blocked_by = [...new Set((task.blocked_by ?? []).map(idOfName))];
      if (blocked_by.length > 0) await tx.board.setBlockers(item, blocked_by);
      work.changed(null, { ...item, blocked_by });
      emitTask(tx, item, 'created');
    }
    const keys = await tx.names.keysOf(caller.workspace_id, [...own.values()]);
    return plan.map(({ ref }) => ({ ref, task_id: idOfName(ref), key: keys.get(idOfName(ref)) ?? null }));
  };
}
