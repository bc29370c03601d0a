import { say } from '#advice';
import { isHeld } from '#domain/claim';
import type { WorkItemId } from '#domain/ids';
import { hindranceOf } from '#domain/ready';
import { ErrandError } from '#errors';
import { taskName } from '#services/task-name';
import type { WriteWork } from '#services/work';
import { taskBlocked } from './dependencies.ts';

/** Refuses to start a task that is over, blocked, or claimed by another caller. Several attempts may run at once. */
export async function mustBeStartable(work: WriteWork, id: WorkItemId): Promise<void> {
  const { tx, caller, within } = work;
  const task = await tx.board.task(within, id);
  const hindrance = task === null ? null : hindranceOf(task, tx.now);
  if (hindrance === 'over') {
    throw new ErrandError(
      'conflict',
      `Task ${await taskName(tx, caller.workspace_id, id)} is over (${task?.state_slug}).`,
      {
        hint: say`Move it back with ${{ tool: 'update_task' }} first, if there is more to do.`,
      },
    );
  }
  if (hindrance === 'blocked') throw await taskBlocked(work, id);
  if (hindrance !== 'claimed') return;
  const claim = await tx.board.claim(caller.workspace_id, id);
  if (claim === null || !isHeld(claim, tx.now) || claim.principal_id === caller.principal_id) return;
  throw new ErrandError(
    'conflict',
    `Task ${await taskName(tx, caller.workspace_id, id)} is claimed by another until ${new Date(claim.lease_until).toISOString()}.`,
    {
      hint: say`${{ call: 'next_task' }} for one that is free.`,
    },
  );
}
