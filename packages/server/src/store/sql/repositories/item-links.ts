import type { ProjectId, WorkItemId } from '#domain/ids';
import type { Label, MemberRow } from '#domain/project';
import { referenceMissing } from '#store/sql/database-error';
import { LABEL_COLUMNS } from '#store/sql/repositories/projects';
import { named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import { itemWithin, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';

interface OneItem {
  readonly id: WorkItemId;
}

interface Links extends OneItem {
  readonly project_id: ProjectId;
  /** The ids to link, as a JSON list. */
  readonly ids: string;
}

const labels = statement<OneItem & WithinParams, Label>(
  (words) => `
    select ${named(LABEL_COLUMNS, 'labels')}
    from work_items
      join item_labels on item_labels.work_item_id = work_items.id
      join labels on labels.id = item_labels.label_id
    where ${itemWithin(words)}
    order by lower(labels.name)`,
);

const assignees = statement<OneItem & WithinParams, Pick<MemberRow, 'user_id' | 'name'>>(
  (words) => `
    select users.id as user_id, users.name
    from work_items
      join assignments on assignments.work_item_id = work_items.id
      join users on users.id = assignments.user_id
    where ${itemWithin(words)}
    order by users.name, users.id`,
);

const unlink = (table: string): Statement<OneItem, never> => statement(`delete from ${table} where work_item_id = :id`);

const removeLabels = unlink('item_labels');
const removeAssignees = unlink('assignments');

// Only labels and members of the item's own project count.
const addLabels = statement<Links, never>(
  ({ listed }) => `
    insert into item_labels (work_item_id, label_id)
    select :id, id from labels where project_id = :project_id and id in ${listed('ids')}`,
);

const addAssignees = statement<Links, never>(
  ({ listed }) => `
    insert into assignments (work_item_id, user_id)
    select :id, user_id from project_members where project_id = :project_id and user_id in ${listed('ids')}`,
);

export const itemLinkReads = (session: Session): Pick<Reads['workItems'], 'labels' | 'assignees'> => ({
  labels: (within, id) => session.all(labels, { ...withinParams(within), id }),
  assignees: (within, id) => session.all(assignees, { ...withinParams(within), id }),
});

export function itemLinkWrites(session: WriteSession): Pick<Transaction['workItems'], 'setLabels' | 'setAssignees'> {
  const replace =
    (remove: Statement<OneItem, never>, add: Statement<Links, never>) =>
    async (
      { id, project_id }: Links | (OneItem & Pick<Links, 'project_id'>),
      given: readonly string[],
    ): Promise<void> => {
      const ids = [...new Set(given)];
      await session.write(remove, { id });
      if (ids.length === 0) return;
      await session.write(add, { id, project_id, ids: JSON.stringify(ids) }, (changes) => {
        if (changes !== ids.length) throw referenceMissing(new Error('Not of the project of the item.'));
      });
    };

  return { setLabels: replace(removeLabels, addLabels), setAssignees: replace(removeAssignees, addAssignees) };
}
