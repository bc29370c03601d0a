import { isProgram } from '#domain/caller';
import type { WorkItemId } from '#domain/ids';
import { MAX_PRESENT, PRESENCE_MS, type PresentPerson } from '#domain/presence';
import type { WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import type { WriteWork } from '#services/work';
import { taskOf } from './lookup.ts';

/** Rows of those who left without a word are kept for some minutes. */
const KEPT_MS = 10 * PRESENCE_MS;

async function tell({ tx, caller }: WriteWork, item: WorkItem, people: readonly PresentPerson[]): Promise<void> {
  tx.emit({
    workspace_id: item.workspace_id,
    kind: 'presence.updated',
    entity_id: item.id,
    execution_id: null,
    work_item_id: item.id,
    audience: {
      scope: 'board:read',
      project_id: item.project_id,
      // Events of a todo list go to its owner only.
      user_id: item.owner_id,
      agent_id: null,
      service_id: null,
      attempt_id: null,
    },
    actor: { user_id: caller.user_id, agent_id: null },
    data: { people: people.map(({ user_id, name, editing }) => ({ user_id, name, editing })) },
  });
}

/** Who looks at a task: people see each other on one card, on every server of the database. */
export function createPresence() {
  const peopleAt = ({ tx }: WriteWork, item: WorkItem): Promise<readonly PresentPerson[]> =>
    tx.presence.of(item, tx.now - PRESENCE_MS, MAX_PRESENT);

  async function itemOf(work: WriteWork, id: WorkItemId): Promise<WorkItem> {
    const { caller } = work;
    if (isProgram(caller) || caller.kind === 'service') {
      throw new ErrandError('insufficient_scope', 'Only people look at tasks: an agent is shown by its run.');
    }
    return taskOf(work, id);
  }

  return {
    /** Says that the caller looks at the task, for the next 45 seconds. Others hear of it when something has changed. */
    look: async (work: WriteWork, id: WorkItemId, editing: boolean): Promise<readonly PresentPerson[]> => {
      const { tx, caller } = work;
      const item = await itemOf(work, id);
      const before = await peopleAt(work, item);
      const known = before.find(({ user_id }) => user_id === caller.user_id);
      const since = known?.since ?? tx.now;
      await tx.presence.put({ work_item_id: item.id, user_id: caller.user_id, editing, since, seen_at: tx.now });
      await tx.presence.sweep(tx.now - KEPT_MS);
      const people = await peopleAt(work, item);
      if (known?.editing !== editing) await tell(work, item, people);
      return people;
    },

    leave: async (work: WriteWork, id: WorkItemId): Promise<void> => {
      const { tx, caller } = work;
      const item = await itemOf(work, id);
      const before = await peopleAt(work, item);
      await tx.presence.drop(caller.workspace_id, caller.user_id, item);
      // No event for a caller who was not looking: repeated calls would send one each.
      if (before.some(({ user_id }) => user_id === caller.user_id)) await tell(work, item, await peopleAt(work, item));
    },
  };
}
