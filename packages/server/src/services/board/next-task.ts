import { say } from '#advice';
import type { BoardRow } from '#domain/attempt';
import { type Claim, isHeld } from '#domain/claim';
import type { ProjectId, WorkItemId } from '#domain/ids';
import type { Project } from '#domain/project';
import type { Within } from '#domain/reach';
import { hindranceOf, isReady } from '#domain/ready';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import { findProject } from '#services/projects';
import { taskName } from '#services/task-name';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { onlyIn } from '#services/tasker/lookup';
import type { WriteWork } from '#services/work';
import { giveBackExpired, workingState } from './claims.ts';
import { taskBlocked } from './dependencies.ts';
import { projectOf, taskOf } from './lookup.ts';
import { type SeenTask, seenTask } from './seen-task.ts';
import { statesOf } from './statuses.ts';

interface ClaimRequest {
  readonly project_id?: ProjectId | undefined;
  readonly task_id?: WorkItemId | undefined;
  readonly lease_minutes: number;
}

interface Taken {
  readonly task: SeenTask;
  readonly project: Pick<Project, 'id' | 'name'>;
  readonly description: string | null;
  readonly claim: Claim;
}

const BATCH = 100;
/** The first look: nearly always the first task is ready, and every further row costs as much as that one. */
const FIRST_BATCH = 1;

const taken = (task: string, problem: string): ErrandError =>
  new ErrandError('conflict', `Task ${task} cannot be claimed: ${problem}.`, {
    hint: say`${{ call: 'next_task' }} without ${{ field: 'task_id' }} for work that is free.`,
  });

/** Hands out tasks: each to one caller at a time, for the length of a lease. */
export function createNextTask(adapter: Pick<TaskerAdapter, 'is_local'>) {
  /**
   * The projects to search: the named one, or all that the caller shares with others. A todo list is private:
   * todos are handed out when their list is named, or when the caller has no other project.
   */
  async function placesOf(work: WriteWork, project_id: ProjectId | undefined): Promise<Within> {
    const { tx, caller, within } = work;
    if (project_id !== undefined) return onlyIn(within, (await projectOf(adapter, work, project_id)).id);
    const { workspace_id, project_ids } = within;
    const list = (await tx.projects.todoList(caller.workspace_id, caller.user_id))?.project_id;
    const isReached = list !== undefined && (project_ids === 'all' || project_ids.includes(list));
    const shared: Within = {
      workspace_id,
      project_ids: project_ids === 'all' ? 'all' : project_ids.filter((id) => id !== list),
    };
    const others = adapter.is_local ? await tx.projects.open(shared, { after: null, limit: 1 }) : [];
    if (others.length > 0 || !isReached) return adapter.is_local ? shared : { workspace_id, project_ids: [] };
    return { workspace_id, project_ids: [list] };
  }

  async function firstReady({ tx }: WriteWork, places: Within): Promise<BoardRow | null> {
    for (let offset = 0, limit = FIRST_BATCH; ; offset += limit, limit = BATCH) {
      const rows = await tx.board.candidates(places, { offset, limit });
      const ready = rows.find((row) => isReady(row, tx.now));
      if (ready !== undefined) return ready;
      if (rows.length < limit) return null;
    }
  }

  /** Claims the task that the caller named, if it is free. A caller that holds it gets it again, under a new epoch. */
  async function thisOne(work: WriteWork, id: WorkItemId, project_id: ProjectId | undefined): Promise<BoardRow> {
    const { tx, caller } = work;
    const item = await taskOf(work, id);
    await projectOf(adapter, work, item.project_id);
    if (project_id !== undefined && project_id !== item.project_id) {
      throw refusal(
        'task_id',
        say`names a task of another project than ${{ field: 'project_id' }}`,
        say`Leave ${{ field: 'project_id' }} out.`,
      );
    }
    const row = await tx.board.task(work.within, id);
    if (row === null) throw new Error(`task ${id} has no row on the board`);
    const claim = await tx.board.claim(caller.workspace_id, id);
    const isOwn = claim !== null && isHeld(claim, tx.now) && claim.principal_id === caller.principal_id;
    if (isReady(row, tx.now) || (isOwn && row.state_group === 'started')) return row;

    const hindrance = hindranceOf(row, tx.now);
    if (hindrance === 'blocked') throw await taskBlocked(work, id);
    const name = await taskName(tx, caller.workspace_id, id);
    if (hindrance === 'over') throw taken(name, 'it is completed or cancelled');
    throw taken(name, hindrance === 'claimed' ? 'someone else has claimed it' : 'someone has begun it already');
  }

  return {
    /** Claims the first ready task, or the named one; null when none is ready. */
    take: async (work: WriteWork, { project_id, task_id, lease_minutes }: ClaimRequest): Promise<Taken | null> => {
      const { tx, caller } = work;
      await giveBackExpired(tx, BATCH);
      const found =
        task_id === undefined
          ? await firstReady(work, await placesOf(work, project_id))
          : await thisOne(work, task_id, project_id);
      if (found === null) return null;

      const item = await taskOf(work, found.id);
      const claim: Claim = {
        work_item_id: item.id,
        epoch: ((await tx.board.claim(item.workspace_id, item.id))?.epoch ?? 0) + 1,
        principal_id: caller.principal_id,
        user_id: caller.user_id,
        agent_id: caller.agent_id,
        claimed_at: tx.now,
        lease_until: tx.now + lease_minutes * 60_000,
      };
      await tx.board.putClaim(claim);
      const begun =
        found.state_group === 'started' ? undefined : workingState(await statesOf(work, { id: item.project_id }));
      if (begun !== undefined) {
        await tx.workItems.update({ ...item, state_id: begun.id, version: item.version + 1, updated_at: tx.now });
      }
      work.changed(item, { ...item, state_id: begun?.id ?? item.state_id, claim_epoch: claim.epoch });
      const project = await findProject(work, item.project_id);
      return { task: await seenTask(work, item.id, tx.now), project, description: item.description, claim };
    },
  };
}
