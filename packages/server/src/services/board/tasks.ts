import { say } from '#advice';
import { layoutFrom } from '#domain/blocks';
import type { Claim } from '#domain/claim';
import type { ProjectId, WorkItemId } from '#domain/ids';
import { plainLine } from '#domain/plain-text';
import type { State } from '#domain/project';
import type { Priority, WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import { deleteItem } from '#services/attempts/delete-item';
import type { Ports } from '#services/ports';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { mayEnter } from '#services/tasker/completion';
import type { WriteWork } from '#services/work';
import { claimFor, renew } from './claims.ts';
import { blockersFrom } from './dependencies.ts';
import { giveBack } from './end-claim.ts';
import { expireQuestionsIn } from './expire-questions.ts';
import { firstState } from './first-state.ts';
import { projectOf, taskOf } from './lookup.ts';
import { descriptionFrom, newTask } from './new-task.ts';
import { type SeenTask, seenTask } from './seen-task.ts';
import { stateNamed, statesOf } from './statuses.ts';

/** Undefined fields stay unchanged; an empty description removes it. */
interface TaskFields {
  readonly description?: string | undefined;
  readonly status?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly blocked_by?: readonly WorkItemId[] | undefined;
}

interface NewTask extends TaskFields {
  readonly project_id: ProjectId;
  readonly title: string;
}

interface TaskPatch extends TaskFields {
  readonly task_id: WorkItemId;
  readonly title?: string | undefined;
  readonly sort_order?: number | undefined;
  readonly claim_epoch?: number | undefined;
}

/** A changed task, and the caller's claim if it was renewed. */
export interface UpdatedTask extends SeenTask {
  readonly claim: Claim | null;
}

/** Tasks of the board are the work items of their project. */
export function createBoardTasks({ ids }: Ports, adapter: Pick<TaskerAdapter, 'is_local'>) {
  /** The column that a task moves to; null when it stays. */
  async function moveOf(work: WriteWork, item: WorkItem, status: string | undefined): Promise<State | null> {
    const project = await projectOf(adapter, work, item.project_id);
    const state = status === undefined ? null : stateNamed(await statesOf(work, project), status);
    if (state === null || state.id === item.state_id) return null;
    const layout = layoutFrom(item.detail_layout);
    await mayEnter(work, project, {
      item,
      group: state.state_group,
      layout,
      instead: say`Set ${{ field: 'status' }} to inreview when it is done.`,
    });
    return state;
  }

  return {
    create: async (work: WriteWork, fields: NewTask): Promise<SeenTask> => {
      const { tx, caller } = work;
      const project = await projectOf(adapter, work, fields.project_id);
      const state = await firstState(work, project, fields.status);
      const blockers = await blockersFrom(work, { project_id: project.id, task_id: null }, fields.blocked_by ?? []);
      const item = newTask({ id: ids(), project, state, caller, now: tx.now }, fields);
      await tx.workItems.insert(item);
      if (blockers.length > 0) await tx.board.setBlockers(item, blockers);
      work.changed(null, { ...item, blocked_by: blockers });
      return seenTask(work, item.id, tx.now);
    },

    update: async (work: WriteWork, patch: TaskPatch): Promise<UpdatedTask> => {
      const { task_id, claim_epoch, blocked_by, ...fields } = patch;
      const { tx } = work;
      const { title, description, status, priority, sort_order } = fields;
      const given = [claim_epoch, blocked_by, title, description, status, priority, sort_order];
      if (given.every((value) => value === undefined)) {
        throw new ErrandError('validation_error', 'No changes provided: give at least one field to change.');
      }
      const item = await taskOf(work, task_id);
      const claim = await claimFor(work, item, claim_epoch);
      const state = await moveOf(work, item, fields.status);
      const blockers = blocked_by && (await blockersFrom(work, { project_id: item.project_id, task_id }, blocked_by));

      const changed: WorkItem = {
        ...item,
        title: fields.title === undefined ? item.title : plainLine('title', fields.title),
        ...(fields.description !== undefined && {
          description: descriptionFrom(fields.description),
          description_html: null,
        }),
        priority: fields.priority ?? item.priority,
        sort_order: fields.sort_order ?? item.sort_order,
        ...(state !== null && {
          state_id: state.id,
          completed_at: state.state_group === 'completed' ? (item.completed_at ?? tx.now) : null,
        }),
        version: item.version + 1,
        updated_at: tx.now,
      };
      // A renewed claim alone changes nothing that others read, so no event is written.
      if (given.slice(1).some((value) => value !== undefined)) {
        await tx.workItems.update(changed);
        work.changed(item, { ...changed, ...(blockers !== undefined && { blocked_by: blockers }) });
      }
      if (blockers !== undefined) await tx.board.setBlockers(item, blockers);
      const isOver = state !== null && state.state_group !== 'started';
      if (claim !== null && isOver) await giveBack(tx, claim);
      if (state !== null) await expireQuestionsIn(tx, state.state_group, item);
      const renewed = claim === null || isOver || claim_epoch === undefined ? null : await renew(tx, claim);
      return { ...(await seenTask(work, item.id, tx.now)), claim: renewed };
    },

    delete: async (work: WriteWork, id: WorkItemId): Promise<WorkItem> => {
      const item = await taskOf(work, id);
      await projectOf(adapter, work, item.project_id);
      await deleteItem(work.tx, item);
      work.changed(item, null);
      return item;
    },
  };
}
